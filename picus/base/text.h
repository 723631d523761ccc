// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace picus {

/// Whether a terminal takes the character for a command, or shows it where it does not stand:
/// control characters other than tab and line break, and those that turn the direction of writing.
bool is_control(char32_t character);

/// The text with such characters, and bytes that are no UTF-8, written out (\x1b, \u202e): what
/// comes out of files may be printed then. Line breaks and tabs stay.
std::string printable(std::string_view text);

/// The character at `at`, which moves past it; nothing (0xFFFFFFFF) for a byte that is no UTF-8.
char32_t next_character(std::string_view text, std::size_t& at);
inline constexpr char32_t kNoCharacter = 0xFFFFFFFF;

/// "1 body", "2 bodies", "0 joints": the number and its noun; `plural` where adding an s is wrong.
std::string counted(long number, std::string_view noun, std::string_view plural = {});

/// At most `limit` bytes of a text, cut between characters and marked by "…".
std::string shortened(std::string_view text, std::size_t limit);

}  // namespace picus
