// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/dynamics/system.h"

namespace picus {

/// Of terms that cancel, this part is rounding.
inline constexpr double kRoundingOfTerms = 1e-12;

/// What rounding of positions is a part of at the least: the extent of the system, and a radian
/// where there are angles. A mechanism may rest where all its coordinates are zero.
double size_of_positions(const System& system, const State& s);

/// How large the numbers are that control equations and the forces of controls add up. Where a
/// controlled mechanism has arrived, the sums are zero and the terms are not: rounding is a part of
/// the terms.
struct ControlTerms {
  double rate = 0.0;   ///< of a first-order state: terms of its equation, per unit of its rate
  double value = 0.0;  ///< of a variable: the same, per unit of its value
  double force = 0.0;  ///< of the forces of controls
};

/// The terms at a state, by derivatives taken near it; `position` is the size of positions, and
/// `velocity` what rounding of velocities is a part of at the least: where velocities are sought,
/// positions over the step size, since they are their differences.
class ControlRounding {
 public:
  ControlTerms terms_of(const ControlTangent& tangent, const State& s, int variables,
                        double position, double velocity);

 private:
  Vector terms_, pivots_, through_;
};

}  // namespace picus
