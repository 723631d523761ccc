// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/io/constants.h"

namespace picus {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// One pass over a text that copies it and replaces what has to be replaced.
class IndexWriter {
 public:
  IndexWriter(std::string_view text, const ConstantLookup& lookup,
              std::span<const LoopVariable> loops)
      : text_(text), lookup_(lookup), loops_(loops) {}

  std::string write() {
    while (at_ < text_.size()) {
      if (is_letter(text_[at_])) {
        write_identifier();
      } else if (is_digit(text_[at_])) {
        write_number();
      } else {
        result_ += text_[at_++];
      }
    }
    return std::move(result_);
  }

 private:
  void write_identifier() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
      ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (at_ < text_.size() && text_[at_] == '[') {
      result_ += name;
      write_indices();
      return;
    }
    const bool is_part = begin > 0 && text_[begin - 1] == '.';  // the tip of crank.tip
    const auto loop = std::find_if(loops_.begin(), loops_.end(),
                                   [&](const LoopVariable& v) { return v.name == name; });
    if (loop == loops_.end() || is_part) {
      result_ += name;
    } else {
      result_ += loop->value < 0 ? fmt::format("({})", loop->value) : std::to_string(loop->value);
    }
  }

  void write_indices() {
    bool first = true;
    while (at_ < text_.size() && text_[at_] == '[') {
      const std::size_t begin = at_ + 1, end = closing_bracket();
      if (!first) result_ += '_';
      first = false;
      try {
        const long long index = whole_value(text_.substr(begin, end - begin), lookup_);
        if (index < 0) {
          throw ConstantProblem{fmt::format("found the index {}, expected 0 or more", index), 0};
        }
        result_ += std::to_string(index);
      } catch (UnknownConstant& problem) {
        problem.offset += begin;
        problem.is_index = true;
        throw;
      } catch (ConstantProblem& problem) {
        problem.offset += begin;
        throw;
      }
      at_ = end + 1;
    }
  }

  std::size_t closing_bracket() const {
    int depth = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '[') ++depth;
      if (text_[i] == ']' && --depth == 0) return i;
    }
    throw ConstantProblem{"found '[' without ']'", at_};
  }

  // 2e3 holds no name
  void write_number() {
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      result_ += text_[at_++];
    }
    if (at_ >= text_.size() || (text_[at_] != 'e' && text_[at_] != 'E')) return;
    std::size_t digits = at_ + 1;
    if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
    if (digits >= text_.size() || !is_digit(text_[digits])) return;
    result_ += text_.substr(at_, digits - at_);
    at_ = digits;
    while (at_ < text_.size() && is_digit(text_[at_]))
      result_ += text_[at_++];
  }

  std::string_view text_;
  const ConstantLookup& lookup_;
  std::span<const LoopVariable> loops_;
  std::size_t at_ = 0;
  std::string result_;
};

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_path_of_names(std::string_view text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    if (!is_identifier(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

std::string with_indices(std::string_view text, const ConstantLookup& lookup) {
  return IndexWriter(text, lookup, {}).write();
}

std::string with_indices(std::string_view formula, const ConstantLookup& lookup,
                         std::span<const LoopVariable> loops) {
  return IndexWriter(formula, lookup, loops).write();
}

long long whole_value(std::string_view text, const ConstantLookup& lookup) {
  constexpr double kLargest = 1e15;  // whole numbers below are exact
  const double value = constant_value(text, lookup);
  if (!(std::abs(value) <= kLargest) || value != std::round(value)) {
    throw ConstantProblem{fmt::format("found {} = {}, expected a whole number", text, value), 0};
  }
  return static_cast<long long>(value);
}

}  // namespace picus
