// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/terminal.h"

#include <algorithm>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include "apps/picus/commands/commands.h"
#include "picus/base/text.h"

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

void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // the wrong way round: to read or to write fails, as it should
    const int filler = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (filler >= 0 && filler != stream) {
      ::dup2(filler, stream);
      ::close(filler);
    }
  }
}

void write_message(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::clearerr(stderr);
}

int report_damage(const std::string& path, const std::string& damage) {
  if (damage.empty()) return kSuccess;
  print_message("warning: {}: {}\n", path, damage);
  return kFailed;
}

std::string toned(const std::string& words, Tone tone, std::FILE* stream) {
  const std::string text = printable(words);
  if (!is_terminal(stream) || std::getenv("NO_COLOR") != nullptr) return text;
  constexpr const char* kCodes[] = {"1", "33", "31"};
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<std::size_t>(tone)], text);
}

std::string columns(std::vector<Row> rows, std::size_t indent) {
  for (Row& row : rows)
    for (std::string& cell : row)
      cell = printable(cell);
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
