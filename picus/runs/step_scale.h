// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How long the steps of methods without error control should be: what a mechanism does in a second,
// and not how long somebody watches it.

#include <string>

#include "picus/mechanism/mechanism.h"
#include "picus/simulation/rates.h"

namespace picus {

/// The fastest of something, and what is so fast.
struct Pace {
  double rate = 0.0;  ///< [1/s]
  std::string source = {};

  void consider(double candidate, const std::string& name);
};

struct StepScale {
  Pace change;    ///< of the motion: its own, its forces', its drives'
  Pace crossing;  ///< of something that hits: its speed over its size
  Pace stiff;     ///< answers of forces that are much faster than the motion; damped, not followed
};

/// The scales of a mechanism at its start, whose rates are given, and of what formulas make of time
/// from there to the end.
StepScale step_scale_of(const Mechanism& mechanism, const State& start, const Rates& rates,
                        double end_time);

/// A constant step, and where it comes from.
struct ScaledStep {
  double step = 0.0;  ///< [s]; 0 when nothing moves
  std::string source = {};
};

/// The step of a method of order p whose local error, like (h r)^(p+1) at the rate r, is to be
/// within the tolerance. What hits passes a part of its own size in a step. `is_explicit`: forces
/// are taken at the beginning, and the step must be stable.
ScaledStep step_for(const StepScale& scale, double tolerance, int order, bool is_explicit);

}  // namespace picus
