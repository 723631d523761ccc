// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far one may look ahead in a formula of time by looking at single moments.

#include <memory>
#include <span>
#include <vector>

#include "picus/expressions/expression.h"
#include "picus/math/dual.h"

namespace picus {

/// A number that moves: its value, its rate and its second derivative by time [s].
using Moving = Dual<1, Dual<1>>;
Moving moving(double value, double rate, double second = 0.0);

/// The time over which a formula can be found from its values at the ends: a part of the period of
/// sin(omega*time), the time to the ramp of step5(time, …) and a part of it, the next points of a
/// table. Where a mechanism is at rest, nothing else tells a method that something is to come.
///
/// Every call in the formula is looked at whose argument moves by itself: it may go on by a part of
/// what is characteristic for the function, or until it comes where the function has its shape. A
/// mere polynomial has none.
///
/// Products and powers are narrower than their factors: near a peak the curvatures of logarithms
/// add up, so that 1/T² of a product is the sum over its factors, and that of f^n is n times that
/// of f.
class FormulaHorizon {
 public:
  /// `moves` tells which inputs of the formula move by themselves, whatever the mechanism does.
  FormulaHorizon(std::shared_ptr<const Expression> expression, std::span<const bool> moves);

  /// False when the formula never limits anything.
  bool any() const { return !features_.empty(); }
  /// Whether inputs that do not move by themselves matter.
  bool reads_others() const { return reads_others_; }

  /// [s]; infinity when there is no limit. Inputs that do not move by themselves have no rate.
  /// `times` are the same of each input, where inputs are formulas of time themselves.
  double operator()(std::span<const Moving> inputs, std::span<const double> times = {}) const;

 private:
  enum class Kind { kShape, kPeriod, kRise, kPulse, kPower, kDivision, kTable, kLevel, kLevels };
  struct Feature {
    Kind kind;
    int first;        ///< of its operands among those of the program; of a division the divisor
    int instruction;  ///< whose value has it
    int number = 0;   ///< of the shape or the table
  };
  void add_feature(int place, const formula::Instruction& instruction, bool is_pure);
  double horizon_of(const Feature& feature, const Moving* registers) const;
  double combined_pace(const formula::Instruction& instruction, const Moving* registers,
                       const double* paces) const;

  std::shared_ptr<const Expression> expression_;
  std::vector<Feature> features_;
  bool reads_others_ = false;
};

}  // namespace picus
