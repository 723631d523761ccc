// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace picus::formula {

enum class TokenKind { kNumber, kName, kSymbol, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  ///< a symbol, or a name without its quotes
  double number = 0.0;
  int column = 0;
  bool quoted = false;  ///< a name with quotes is never a word of the language

  bool is(std::string_view symbol) const { return kind == TokenKind::kSymbol && text == symbol; }

  /// As an error message shows it.
  std::string shown() const;
};

/// Cuts a formula into tokens, one at a time. Throws FormulaError.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void read_number(Token& token);
  void read_name(Token& token);
  void read_part(std::string& name);
  void read_symbol(Token& token);
  [[noreturn]] void refuse(std::size_t at, const std::string& problem) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace picus::formula
