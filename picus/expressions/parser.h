// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/expressions/expression.h"

namespace picus::formula {

/// Nesting of parentheses, calls, signs and powers that a formula may have.
inline constexpr int kDeepest = 200;

struct Parsed {
  std::vector<FormulaInput> inputs;
  Program program;
};

/// Throws FormulaError.
Parsed parse(std::string_view text, const FormulaContext& context);

}  // namespace picus::formula
