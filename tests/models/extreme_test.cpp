// SPDX-License-Identifier: BSD-3-Clause
// Every number of a model replaced by extreme ones: loading and assembling end in a mechanism or in
// a message, never in a crash.
#include <cctype>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "picus/runs/inspect.h"

namespace picus::testing {
namespace {

struct Literal {
  std::size_t begin, end;
};

// Numbers that are values: not parts of names, versions or comments.
std::vector<Literal> literals_of(const std::string& text) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  std::vector<Literal> found;
  bool is_comment = false;
  for (std::size_t i = text.find('\n') + 1; i < text.size(); ++i) {
    if (text[i] == '\n') is_comment = false;
    if (text[i] == '#') is_comment = true;
    const char before = text[i - 1];
    const bool begins = std::string_view(" [,(*/+-:").find(before) != std::string_view::npos;
    if (is_comment || !begins || !is_digit(i)) continue;
    std::size_t end = i;
    while (is_digit(end) || (end < text.size() && text[end] == '.' && text[end + 1] != '.'))
      ++end;
    if (end < text.size() && text[end] == 'e') {
      ++end;
      if (text[end] == '-' || text[end] == '+') ++end;
      while (is_digit(end))
        ++end;
    }
    found.push_back({i, end});
    i = end;
  }
  return found;
}

TEST(ExtremeNumbers, AreUsedOrRefused) {
  int used = 0, refused = 0;
  for (const char* model : {"pendulum", "bar_impact", "brake", "quarter_car", "bushing_mount"}) {
    const std::string path = std::string(PICUS_SOURCE_DIR "/models/") + model + ".yaml";
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    std::ostringstream stream;
    stream << file.rdbuf();
    const std::string text = stream.str();
    for (const Literal& literal : literals_of(text)) {
      for (const char* extreme : {"0", "(-1)", "1e308", "1e-308", "1e160", "(-1e308)", "65"}) {
        std::string changed = text;
        changed.replace(literal.begin, literal.end - literal.begin, extreme);
        try {
          const Inspection inspection = inspect(load_model_text(path, changed));
          (inspection.usable ? used : refused) += 1;
        } catch (const InputError&) {
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(used, 50);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace picus::testing
