// SPDX-License-Identifier: BSD-3-Clause
#include "picus/base/text.h"

#include <fmt/format.h>

namespace picus {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

}  // namespace

bool is_control(char32_t c) {
  if (c == '\t' || c == '\n') return false;
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return true;
  // marks, embeddings, overrides and isolates of bidirectional text
  return c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

char32_t next_character(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80u) return first;
  const std::size_t more = first >= 0xF0u && first < 0xF5u   ? 3
                           : first >= 0xE0u && first < 0xF0u ? 2
                           : first >= 0xC2u && first < 0xE0u ? 1
                                                             : 0;
  if (more == 0 || at + more > text.size()) return kNoCharacter;
  char32_t character = first & (0x3Fu >> more);
  for (std::size_t k = 0; k < more; ++k) {
    if (!is_continuation(text[at + k])) return kNoCharacter;
    character = (character << 6u) | (static_cast<unsigned char>(text[at + k]) & 0x3Fu);
  }
  at += more;
  return character;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t character = next_character(text, at);
    if (character == kNoCharacter) {
      result +=
          fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(text[begin])));
    } else if (is_control(character)) {
      result += character < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(character))
                                  : fmt::format("\\u{:04x}", static_cast<unsigned>(character));
    } else {
      result += text.substr(begin, at - begin);
    }
  }
  return result;
}

std::string counted(long number, std::string_view noun, std::string_view plural) {
  if (number == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", number, noun)
                        : fmt::format("{} {}", number, plural);
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit;
  while (end > 0 && is_continuation(text[end]))
    --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace picus
