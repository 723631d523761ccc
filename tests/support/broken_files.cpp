// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/broken_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

namespace picus::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExpect = "# expect: ";

std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
  return text;
}

std::string expected_messages(const fs::path& path) {
  std::ifstream file(path);
  std::string result;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(kExpect, 0) != 0) continue;
    line.erase(0, kExpect.size());
    const bool in_this_file = std::isdigit(static_cast<unsigned char>(line[0])) != 0;
    if (!result.empty()) result += '\n';
    result += in_this_file ? path.filename().string() + ":" + line : line;
  }
  return result;
}

}  // namespace

void expect_messages_of_folder(
    const std::string& folder, int at_least,
    const std::function<std::string(const std::string& path)>& messages) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  EXPECT_GE(static_cast<int>(files.size()), at_least) << folder;
  for (const fs::path& path : files) {
    const std::string expected = expected_messages(path);
    EXPECT_FALSE(expected.empty()) << path << " has no line '" << kExpect << "…'";
    EXPECT_EQ(without(messages(path.string()), folder + "/"), expected) << path;
  }
}

}  // namespace picus::testing
