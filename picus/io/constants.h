// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Constant formulas in model files, and the indices of repeated parts inside names and formulas.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace picus {

/// The value of a name, or nothing when there is no such constant.
using ConstantLookup = std::function<std::optional<double>(std::string_view name)>;

/// Why a text has no constant value, and at which of its characters (from 0) that shows.
struct ConstantProblem {
  std::string message;
  std::size_t offset = 0;
};

/// The problem is a name, and a similar one may be meant.
struct UnknownConstant : ConstantProblem {
  std::string name;
  bool is_index = false;  ///< it stands in an index: link[i]
};

/// The value of a formula of constants. Throws ConstantProblem; the value may be infinite or NaN.
double constant_value(std::string_view text, const ConstantLookup& lookup);

/// Whether the formula language gives `name` a meaning of its own (pi, deg, sin, …).
bool is_taken_name(std::string_view name);

/// Letters, digits and _, not beginning with a digit.
bool is_identifier(std::string_view text);

/// One or more of them with dots between: "crank", "crank.tip".
bool is_path_of_names(std::string_view text);

/// A variable of `for:` and its present value.
struct LoopVariable {
  std::string name;
  long long value = 0;
};

/// Replaces the indices after identifiers by their values: with i = 3, "link[i-1].tip" becomes
/// "link2.tip" and "ball[i][4]" becomes "ball3_4". Throws ConstantProblem.
std::string with_indices(std::string_view text, const ConstantLookup& lookup);

/// The same for a formula, in which the loop variables themselves become numbers too.
std::string with_indices(std::string_view formula, const ConstantLookup& lookup,
                         std::span<const LoopVariable> loops);

/// A whole number; throws ConstantProblem when the value is not one.
long long whole_value(std::string_view text, const ConstantLookup& lookup);

}  // namespace picus
