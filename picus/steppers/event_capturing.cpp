// SPDX-License-Identifier: BSD-3-Clause
// Event capturing, acary, Algorithm 1: a method of order p between events, on the equations with
// the contacts that are closed as joints; an event is located to C h^{p+1} only, and the time
// within which it lies, the critical step, is crossed by a step of Moreau, which needs not know
// when. Its error, O(C h^{p+1}) in the positions, is that of a smooth step.
//
// The paper states the smooth part with complementarity, 0 ≤ γ ⊥ λ ≥ 0 (72), in order to notice
// that a contact opens; here λ is one of the functions whose sign is watched.
#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/steppers/common/event_stepper.h"

namespace picus {

std::unique_ptr<Stepper> make_event_capturing(const EventCapturingOptions& options,
                                              const OptionValues& smooth_options) {
  if (!(options.critical > 0.0))
    throw InputError(
        fmt::format("option 'critical': found {:g}, expected a positive number", options.critical));
  return std::make_unique<EventStepper>("event_capturing", options.critical, options.events,
                                        smooth_options);
}

}  // namespace picus
