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
  }
  system.retract(begin.position, along_, result.position);
}

const Vector* RecordedStep::internal(std::string_view name) const {
  if (!has_impulses) return nullptr;
  if (name == "impulse") return &impulse;
  if (name == "tangential_impulse") return &tangential_impulse;
  if (name == "friction_limit") return &friction_limit;
  return nullptr;
}

}  // namespace picus
