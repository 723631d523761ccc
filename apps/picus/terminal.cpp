// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/terminal.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace picus::app {
namespace {

// Characters, not bytes: the texts are UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) != 0;
}

std::string toned(const std::string& text, Tone tone, std::FILE* stream) {
  if (!is_terminal(stream) || std::getenv("NO_COLOR") != nullptr) return text;
  constexpr const char* kCodes[] = {"1", "33", "31"};
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<std::size_t>(tone)], text);
}

std::string columns(const std::vector<Row>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - width_of(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace picus::app
