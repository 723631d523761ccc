// SPDX-License-Identifier: BSD-3-Clause
#include "picus/expressions/expression.h"

#include <algorithm>

#include <fmt/format.h>

#include "picus/expressions/parser.h"

namespace picus {
namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;  // inside a UTF-8 sequence
}

/// The text around a column on one line, and a mark below it.
std::string marked(std::string_view text, int column) {
  constexpr std::size_t kBefore = 50, kAfter = 30;
  const auto at = std::min(static_cast<std::size_t>(column), text.size());
  std::size_t begin = at > kBefore ? at - kBefore : 0;
  while (begin > 0 && continues_character(text[begin]))
    --begin;
  std::size_t end = std::min(at + kAfter, text.size());
  while (end < text.size() && continues_character(text[end]))
    ++end;
  std::string line = begin > 0 ? "..." : "";
  std::size_t indent = line.size();
  for (std::size_t i = begin; i < end; ++i) {
    const bool control = static_cast<unsigned char>(text[i]) < 0x20u;
    line += control ? ' ' : text[i];
    if (i < at && !continues_character(text[i])) ++indent;
  }
  if (end < text.size()) line += "...";
  return fmt::format("  {}\n  {}^", line, std::string(indent, ' '));
}

}  // namespace

FormulaError::FormulaError(std::string problem, std::string_view text, int column)
    : InputError(problem + "\n" + marked(text, column)),
      problem_(std::move(problem)),
      column_(column) {}

Expression::Expression() : text_("0") {}

Expression Expression::constant(double value) {
  Expression result;
  result.text_ = fmt::format("{}", value);
  result.program_.constants = {value};
  return result;
}

Expression Expression::parse(std::string_view text, const FormulaContext& context) {
  Expression result;
  result.text_ = text;
  formula::Parsed parsed = formula::parse(text, context);
  result.inputs_ = std::move(parsed.inputs);
  result.program_ = std::move(parsed.program);
  return result;
}

bool Expression::is_constant() const {
  return program_.result >= program_.inputs && program_.code.empty();
}

double Expression::operator()(std::span<const double> inputs) const {
  return formula::evaluate<double>(program_, inputs);
}

double Expression::with_gradient(std::span<const double> inputs, std::span<double> gradient) const {
  return formula::with_gradient(program_, inputs, gradient);
}

void Expression::switch_values(std::span<const double> inputs, std::span<double> values) const {
  formula::switch_values(program_, inputs, values);
}

}  // namespace picus
