// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Formulas that users write in model files: parsed once, differentiated exactly, evaluated without
// allocation. docs/expressions.md describes the language.

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "picus/base/error.h"
#include "picus/expressions/program.h"
#include "picus/expressions/table.h"

namespace picus {

/// A bad formula: what and where. The message shows the text with a mark under the place.
class FormulaError : public InputError {
 public:
  FormulaError(std::string problem, std::string_view text, int column);

  int column() const { return column_; }                   ///< 0-based, in bytes of the text
  const std::string& problem() const { return problem_; }  ///< the message without the text

 private:
  std::string problem_;
  int column_;
};

/// A name in a formula that the caller must supply a number for.
struct FormulaInput {
  std::string name;  ///< "time", "crank.angle"; for a measure its function, such as "distance"
  std::vector<std::string> arguments{};  ///< names a measure takes; empty for plain names
  int column = 0;                        ///< where it first occurs in the text

  friend bool operator==(const FormulaInput& a, const FormulaInput& b) {
    return a.name == b.name && a.arguments == b.arguments;
  }
  friend auto operator<=>(const FormulaInput& a, const FormulaInput& b) {
    return std::tie(a.name, a.arguments) <=> std::tie(b.name, b.arguments);
  }
};

/// Named tables that formulas call like functions: cam(x).
using FormulaTables = std::map<std::string, std::shared_ptr<const Table>, std::less<>>;

/// What the names in a formula may mean.
struct FormulaContext {
  /// Parameters, folded when a formula is parsed; they come before pi, deg, true and false.
  std::function<std::optional<double>(std::string_view)> constant{};
  /// Functions whose arguments are names, not expressions: distance(crank.tip, ground).
  std::span<const std::string_view> measures{};
  const FormulaTables* tables = nullptr;
};

/// A formula. It is a value: copy it, share it between threads.
class Expression {
 public:
  Expression();  ///< the constant 0
  static Expression constant(double value);

  /// Throws FormulaError.
  static Expression parse(std::string_view text, const FormulaContext& context = {});

  /// In order of first occurrence, without duplicates. Names in branches that are never taken are
  /// listed too, so that their spelling can be checked.
  std::span<const FormulaInput> inputs() const { return inputs_; }

  /// Whether the value does not depend on any input.
  bool is_constant() const;

  const std::string& text() const { return text_; }
  const formula::Program& program() const { return program_; }

  /// The value. Allocates nothing (a very long formula does in its first call on a thread).
  double operator()(std::span<const double> inputs) const;

  /// The value, and its derivatives by the inputs: exact, by reverse mode. Allocates as above.
  double with_gradient(std::span<const double> inputs, std::span<double> gradient) const;

  /// The value in dual numbers, nested ones included.
  template <class T>
  T evaluate(std::span<const T> inputs) const {
    return formula::evaluate<T>(program_, inputs);
  }

  /// How many places there are where the value or its slope may jump.
  int switches() const { return program_.switches; }

  /// One number for each of them. Where it changes its sign between two moments, something switched
  /// between them. NaN where a place does not exist, e.g. in a branch not taken.
  void switch_values(std::span<const double> inputs, std::span<double> values) const;

 private:
  std::string text_;
  std::vector<FormulaInput> inputs_;
  formula::Program program_;
};

}  // namespace picus
