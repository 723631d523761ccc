// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Text for people: colours where there is a terminal, columns everywhere. What comes out of files
// is made printable: terminals obey control characters.

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace picus::app {

bool is_terminal(std::FILE* stream);

/// Puts something harmless in the place of standard streams that are closed: a file opened later
/// would get their number, and messages would be written into it.
void fill_closed_streams();

/// Writes to standard error. That it is closed or full is no reason to end a run: such a text is
/// lost. (fmt::print would throw.)
void write_message(std::string_view text);

template <class... Values>
void print_message(fmt::format_string<Values...> text, Values&&... values) {
  write_message(fmt::format(text, std::forward<Values>(values)...));
}

/// Warns when a file is damaged, and gives the exit code for that.
int report_damage(const std::string& path, const std::string& damage);

enum class Tone { kBold, kWarning, kError };

/// The text in a tone, if the stream is a terminal and NO_COLOR is not set.
std::string toned(const std::string& words, Tone tone, std::FILE* stream);

using Row = std::vector<std::string>;

/// Rows with their columns aligned, each after `indent` blanks; the last column is not padded.
std::string columns(std::vector<Row> rows, std::size_t indent = 0);

}  // namespace picus::app
