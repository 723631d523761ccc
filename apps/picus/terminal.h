// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Text for people: colours where there is a terminal, columns everywhere.

#include <cstdio>
#include <string>
#include <vector>

namespace picus::app {

bool is_terminal(std::FILE* stream);

enum class Tone { kBold, kWarning, kError };

/// The text in a tone, if the stream is a terminal and NO_COLOR is not set.
std::string toned(const std::string& text, Tone tone, std::FILE* stream);

using Row = std::vector<std::string>;

/// Rows with their columns aligned, each after `indent` blanks; the last column is not padded.
std::string columns(const std::vector<Row>& rows, std::size_t indent = 0);

}  // namespace picus::app
