// SPDX-License-Identifier: BSD-3-Clause
// Event-driven integration: a smooth method between events, which are located as exactly as the
// clock can tell and crossed by the laws of impact. The classical way, accurate where events are
// few; accumulations of impacts are ended by closing the contact, or refused.
#include "picus/steppers/common/event_stepper.h"

namespace picus {

std::unique_ptr<Stepper> make_event_driven(const EventDrivenOptions& options,
                                           const OptionValues& smooth_options) {
  return std::make_unique<EventStepper>("event_driven", 0.0, options, smooth_options);
}

}  // namespace picus
