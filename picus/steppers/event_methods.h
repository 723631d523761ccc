// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Methods that advance a smooth method from event to event: contacts keep their modes in between,
// see ContactPhase.
//
//   method           events are found                          source
//   event_capturing  to C h^{p+1}, crossed by a Moreau step    acary, Algorithm 1
//   event_driven     as exactly as the clock can tell          studer-leine-glocker §1

#include <memory>

#include "picus/base/fields.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// What to do where events follow each other ever faster, as the bounces of a ball.
enum class Accumulation {
  kClose,  ///< a contact whose flight would be too short stays closed
  kRefuse  ///< the step fails
};
template <>
struct EnumNames<Accumulation> {
  static constexpr std::array<std::string_view, 2> names{"close", "refuse"};
};

/// Which contacts act in an impact.
enum class ImpactOrder {
  kSimultaneous,  ///< all that touch, at once
  kSequential     ///< those that approach, then those that approach after that, and so on
};
template <>
struct EnumNames<ImpactOrder> {
  static constexpr std::array<std::string_view, 2> names{"simultaneous", "sequential"};
};

/// The method between events.
enum class SmoothMethod { kHalfExplicit, kRadauIia, kLobattoIiia, kSoi2, kHhtSoi2, kHhtI3 };
template <>
struct EnumNames<SmoothMethod> {
  static constexpr std::array<std::string_view, 6> names{
      "half_explicit", "radau_iia", "lobatto_iiia", "soi2", "hht_soi2", "hht_i3"};
};

struct EventDrivenOptions {
  SmoothMethod smooth = SmoothMethod::kHalfExplicit;
  double shortest_flight = 1e-6;  ///< part of the step size
  Accumulation accumulation = Accumulation::kClose;
  ImpactOrder impact = ImpactOrder::kSimultaneous;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("smooth", self.smooth,
          "method between events, which takes all other options: half_explicit, radau_iia, "
          "lobatto_iiia, soi2, hht_soi2 or hht_i3");
    visit("shortest_flight", self.shortest_flight,
          "shortest flight of a contact between two impacts, as a fraction of the step size; "
          "shorter flights (under error control, those below a tenth of the tolerated height) "
          "count as accumulating");
    visit("accumulation", self.accumulation,
          "when impacts accumulate: close (the contact stays closed) or refuse (the step fails)");
    visit("impact", self.impact,
          "multiple impacts: simultaneous (all touching contacts act at once) or sequential "
          "(approaching contacts act one after the other, as if the others had an invisible gap)");
  }
};

struct EventCapturingOptions {
  double critical = 1.0;  ///< C of Algorithm 1, [s^-p]
  EventDrivenOptions events = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("critical", self.critical,
          "C in C h^{p+1}, the time to which events are located; under error control C h times the "
          "tolerance");
    EventDrivenOptions::for_each_field(self.events, visit);
  }
};

/// `smooth_options` go to the smooth method. Throws InputError when an option is out of its range.
std::unique_ptr<Stepper> make_event_capturing(const EventCapturingOptions& options = {},
                                              const OptionValues& smooth_options = {});
std::unique_ptr<Stepper> make_event_driven(const EventDrivenOptions& options = {},
                                           const OptionValues& smooth_options = {});

}  // namespace picus
