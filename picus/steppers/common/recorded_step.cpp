// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/recorded_step.h"

namespace picus {

void RecordedStep::interpolate(const System& system, double fraction, State& result) const {
  result = end;
  if (fraction >= 1.0) return;
  const double s = fraction, r = 1.0 - s, h = end.time - begin.time;
  result.time = begin.time + s * h;
  result.control = r * begin.control + s * end.control;
  if (is_smooth) {
    along_ = s * r * r * h * begin.velocity - s * s * r * h * end.velocity +
             s * s * (3.0 - 2.0 * s) * increment;
    // the slope of a cubic with the values at both ends, and the increment between them
    result.velocity = r * (1.0 - 3.0 * s) * begin.velocity - s * (2.0 - 3.0 * s) * end.velocity +
                      6.0 * s * r / h * increment;
  } else {
    along_ = s * increment;
    result.velocity = r * begin.velocity + s * end.velocity;
    if (has_impact) result.velocity = begin.velocity;
  }
  system.retract(begin.position, along_, result.position);
}

StepImpulses RecordedStep::impulses() const {
  if (!has_impulses) return {};
  return {.normal = &impulse, .tangential = &tangential_impulse, .friction_limit = &friction_limit};
}

}  // namespace picus
