// SPDX-License-Identifier: BSD-3-Clause
#include "picus/expressions/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "picus/expressions/expression.h"

namespace picus::formula {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_quote(char c) {
  return c == '\'' || c == '"';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Symbols of other languages, and what to write instead.
struct Foreign {
  std::string_view symbol, advice;
};
constexpr std::array<Foreign, 9> kForeign{{{"**", "write '^' for powers"},
                                           {"&&", "write 'and'"},
                                           {"||", "write 'or'"},
                                           {"&", "write 'and'"},
                                           {"|", "write 'or'; for absolute values abs(x)"},
                                           {"!", "write 'not'"},
                                           {"%", "write mod(x, period)"},
                                           {"=", "write '==' to compare"},
                                           {"?", "write if(condition, a, b)"}}};

constexpr std::array<std::string_view, 14> kSymbols{"<=", ">=", "==", "!=", "<", ">", "+",
                                                    "-",  "*",  "/",  "^",  "(", ")", ","};

}  // namespace

std::string Token::shown() const {
  if (kind == TokenKind::kEnd) return "the end";
  return fmt::format("'{}'", text);
}

void Lexer::refuse(std::size_t at, const std::string& problem) const {
  throw FormulaError(problem, text_, static_cast<int>(at));
}

Token Lexer::next() {
  while (is_blank(peek()))
    ++at_;
  Token token;
  token.column = static_cast<int>(at_);
  if (at_ == text_.size()) return token;
  if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
    read_number(token);
  } else if (is_letter(peek()) || is_quote(peek())) {
    read_name(token);
  } else {
    read_symbol(token);
  }
  return token;
}

void Lexer::read_number(Token& token) {
  token.kind = TokenKind::kNumber;
  const char* const begin = text_.data() + at_;
  const auto [stop, failure] = std::from_chars(begin, text_.data() + text_.size(), token.number);
  token.text = std::string(begin, stop);
  const std::size_t start = at_;
  at_ += token.text.size();
  if (failure == std::errc::result_out_of_range)
    refuse(start, fmt::format("'{}' is outside the range of numbers", token.text));
  if (peek() == '.')
    refuse(start,
           fmt::format("found '{}.' with a second decimal point, expected a number", token.text));
  if (is_letter(peek()) || is_quote(peek()))
    refuse(at_, fmt::format("found '{}' right after the number {}; write '*' to multiply", peek(),
                            token.text));
}

// parts joined by dots: arm.tip.x, 'left arm'.tip
void Lexer::read_name(Token& token) {
  token.kind = TokenKind::kName;
  token.quoted = is_quote(peek());
  read_part(token.text);
  while (peek() == '.') {
    token.text += '.';
    ++at_;
    if (!is_letter(peek()) && !is_digit(peek()) && !is_quote(peek()))
      refuse(at_, fmt::format("expected a name after '{}'", token.text));
    read_part(token.text);
  }
  if (is_quote(peek())) refuse(at_, fmt::format("found a quote right after '{}'", token.text));
}

void Lexer::read_part(std::string& name) {
  if (!is_quote(peek())) {
    while (is_letter(peek()) || is_digit(peek()))
      name += text_[at_++];
    return;
  }
  const std::size_t start = at_++;
  const std::size_t end = text_.find(text_[start], at_);
  if (end == std::string_view::npos) refuse(start, "this quote is never closed");
  const std::string_view inside = text_.substr(at_, end - at_);
  if (inside.empty()) refuse(start, "found an empty name in quotes");
  if (inside.find('.') != std::string_view::npos)
    refuse(start, "a name in quotes cannot contain '.'; quote the parts between the dots");
  name += inside;
  at_ = end + 1;
}

void Lexer::read_symbol(Token& token) {
  token.kind = TokenKind::kSymbol;
  const std::string_view rest = text_.substr(at_);
  const auto starts = [&](std::string_view symbol) { return rest.starts_with(symbol); };
  for (const Foreign& foreign : kForeign) {
    const bool ours = std::any_of(kSymbols.begin(), kSymbols.begin() + 4, starts);
    if (starts(foreign.symbol) && !ours)
      refuse(at_, fmt::format("unknown symbol '{}'; {}", foreign.symbol, foreign.advice));
  }
  const auto found = std::find_if(kSymbols.begin(), kSymbols.end(), starts);
  if (found != kSymbols.end()) {
    token.text = std::string(*found);
    at_ += found->size();
    return;
  }
  const auto byte = static_cast<unsigned char>(rest[0]);
  if (byte >= 0x80u) {
    std::size_t size = 1;
    while (size < rest.size() && (static_cast<unsigned char>(rest[size]) & 0xC0u) == 0x80u)
      ++size;
    refuse(at_,
           fmt::format("unknown symbol '{}'; quote names that contain other than plain letters",
                       rest.substr(0, size)));
  }
  if (byte < 0x20u || byte == 0x7Fu)
    refuse(at_, fmt::format("found the control character 0x{:02x}", static_cast<int>(byte)));
  refuse(at_, fmt::format("unknown symbol '{}'", rest[0]));
}

}  // namespace picus::formula
