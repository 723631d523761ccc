// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/constants.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "picus/expressions/expression.h"
#include "picus/expressions/functions.h"

namespace picus {

namespace {

// What YAML and others write for numbers that are none: .nan, -.inf, NaN, Infinity.
bool is_not_finite(std::string_view text) {
  std::string word;
  for (const char c : text)
    if (c != '.' && c != '+' && c != '-')
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "nan" || word == "inf" || word == "infinity";
}

}  // namespace

double constant_value(std::string_view text, const ConstantLookup& lookup) {
  double value = 0.0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars also knows words such as inf, which are left to the formula language
  if (failure == std::errc{} && stop == text.data() + text.size() && std::isfinite(value)) {
    return value;
  }
  if (is_not_finite(text) && !lookup(text))
    throw ConstantProblem{fmt::format("found {}, expected a finite number", text), 0};
  try {
    FormulaContext context;
    context.constant = lookup;
    const Expression expression = Expression::parse(text, context);
    if (!expression.inputs().empty()) {
      const FormulaInput& input = expression.inputs().front();
      throw UnknownConstant{
          {fmt::format("unknown name '{}'", input.name), static_cast<std::size_t>(input.column)},
          input.name};
    }
    return expression({});
  } catch (const FormulaError& error) {
    throw ConstantProblem{error.problem(), static_cast<std::size_t>(error.column())};
  }
}

bool is_taken_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> kWords{"pi", "deg", "true", "false", "time"};
  const auto catalog = function_catalog();
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end() ||
         std::any_of(catalog.begin(), catalog.end(),
                     [&](const FunctionEntry& entry) { return entry.name == name; });
}

}  // namespace picus
