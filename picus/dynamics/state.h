// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/math/types.h"

namespace picus {

/// Everything needed to restart a simulation, and the point at which a System is evaluated. Set
/// time, position, velocity and control; make_consistent() or simulate() finds the rest.
struct State {
  double time = 0.0;               ///< t [s]
  Vector position;                 ///< q, a point of the configuration manifold
  Vector velocity;                 ///< v, a vector of its tangent space
  Vector acceleration;             ///< v̇ at `time`; empty until made consistent
  Vector multiplier;               ///< λ of the holonomic constraints: the joint reactions
  Vector nonholonomic_multiplier;  ///< ψ of the nonholonomic constraints
  Vector control;                  ///< x, first-order states, then algebraic variables
  Vector control_rate;             ///< ẋ
};

}  // namespace picus
