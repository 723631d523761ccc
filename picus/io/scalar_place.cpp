// SPDX-License-Identifier: BSD-3-Clause
// Where in its file a character of a scalar was written. YAML's quoting is decoded again, this time
// with the position of every character.
#include <algorithm>
#include <vector>

#include "picus/io/tree.h"

namespace picus {
namespace {

struct Decoded {
  std::string text;
  std::vector<std::size_t> at;  // position in the source of each character of text
  bool is_closed = true;        // has its second quote, if it has one

  void add(char c, std::size_t position) {
    text += c;
    at.push_back(position);
  }
};

std::size_t position_of(std::string_view source, SourcePlace place) {
  std::size_t begin = 0;
  for (int line = 1; line < place.line; ++line) {
    const std::size_t end = source.find('\n', begin);
    if (end == std::string_view::npos) return source.size();
    begin = end + 1;
  }
  return std::min(begin + static_cast<std::size_t>(std::max(place.column - 1, 0)), source.size());
}

// An anchor (&name) or a tag (!name) may stand before the scalar.
std::size_t skip_properties(std::string_view source, std::size_t i) {
  while (i < source.size() && (source[i] == '&' || source[i] == '!')) {
    i = std::min(source.find_first_of(" \t\n", i), source.size());
    i = std::min(source.find_first_not_of(" \t\n", i), source.size());
  }
  return i;
}

// A line break with the blanks around it reads as one blank.
std::size_t fold(std::string_view source, std::size_t i, Decoded& result) {
  while (!result.text.empty() && result.text.back() == ' ') {
    result.text.pop_back();
    result.at.pop_back();
  }
  result.add(' ', i);
  return std::min(source.find_first_not_of(" \t\r\n", i), source.size());
}

Decoded decode_quoted(std::string_view source, std::size_t i) {
  Decoded result;
  const char quote = source[i++];
  while (i < source.size()) {
    const char c = source[i];
    const char next = i + 1 < source.size() ? source[i + 1] : '\0';
    if (quote == '\'' && c == '\'' && next == '\'') {
      result.add('\'', i);
      i += 2;
    } else if (c == quote) {
      return result;
    } else if (quote == '"' && c == '\\') {
      // of the escapes those matter that a formula may hold: \" \\ \/
      result.add(next, i);
      i += 2;
    } else if (c == '\n' || c == '\r') {
      i = fold(source, i, result);
    } else {
      result.add(c, i++);
    }
  }
  result.is_closed = false;
  return result;
}

// `|` keeps line breaks, `>` folds them.
Decoded decode_block(std::string_view source, std::size_t i) {
  Decoded result;
  const char line_break = source[i] == '|' ? '\n' : ' ';
  i = std::min(source.find('\n', i), source.size());
  std::size_t indent = 0;
  while (i < source.size()) {
    const std::size_t begin = ++i;
    const std::size_t first = std::min(source.find_first_not_of(' ', begin), source.size());
    if (indent == 0) indent = first - begin;
    if (first - begin < indent || indent == 0) break;
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    for (i = begin + indent; i < end; ++i) {
      result.add(source[i], i);
    }
    result.add(line_break, end);
    i = end;
  }
  return result;
}

// A plain scalar ends where its surroundings say; its next line belongs to it as long as `text`
// continues what was read so far.
Decoded decode_plain(std::string_view source, std::size_t i, std::string_view text) {
  Decoded result;
  while (i < source.size() && source.substr(i, 2) != " #" && source.substr(i, 2) != ": ") {
    if (source[i] == '\n' || source[i] == '\r') {
      if (result.text.size() >= text.size() || text.substr(0, result.text.size()) != result.text) {
        break;
      }
      i = fold(source, i, result);
    } else {
      result.add(source[i], i);
      ++i;
    }
  }
  while (!result.text.empty() && result.text.back() == ' ')
    result.text.pop_back();
  return result;
}

Decoded decode(std::string_view source, std::size_t i, std::string_view text) {
  if (i >= source.size()) return {};
  if (source[i] == '"' || source[i] == '\'') return decode_quoted(source, i);
  if (source[i] == '|' || source[i] == '>') return decode_block(source, i);
  if (source.substr(i, text.size()) != text) return decode_plain(source, i, text);
  Decoded result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    result.add(text[k], i + k);
  }
  return result;
}

}  // namespace

bool quote_is_closed(std::string_view source, SourcePlace start) {
  const std::size_t i = skip_properties(source, position_of(source, start));
  if (i >= source.size() || (source[i] != '"' && source[i] != '\'')) return true;
  return decode_quoted(source, i).is_closed;
}

SourcePlace place_in_scalar(std::string_view source, SourcePlace start, std::string_view text,
                            std::size_t offset) {
  const std::size_t begin = skip_properties(source, position_of(source, start));
  const Decoded raw = decode(source, begin, text);
  if (raw.text.empty()) return start;
  offset = std::min(offset, text.size());

  // what stands before and after the indices that were substituted
  const std::size_t shorter = std::min(raw.text.size(), text.size());
  std::size_t head = 0;
  while (head < shorter && raw.text[head] == text[head])
    ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         raw.text[raw.text.size() - 1 - tail] == text[text.size() - 1 - tail]) {
    ++tail;
  }
  std::size_t index = std::min(offset, head);
  if (offset > head && offset >= text.size() - tail) {
    index = raw.text.size() - (text.size() - offset);
  }
  const std::size_t position =
      index < raw.text.size() ? raw.at[index] : raw.at[raw.text.size() - 1] + 1;

  const std::string_view before = source.substr(0, position);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return {start.file, static_cast<int>(lines) + 1, static_cast<int>(position - line_start) + 1};
}

}  // namespace picus
