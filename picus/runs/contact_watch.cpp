// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/contact_watch.h"

#include <algorithm>

namespace picus {
namespace {

// Below this part of its limit friction sticks.
constexpr double kAtLimit = 1.0 - 1e-6;

ContactPlaces places_of(const AssembledContact& contact) {
  return {contact.gap.row, contact.first_slip, contact.slips};
}

}  // namespace

ContactWatch::ContactWatch(const Mechanism& mechanism)
    : mechanism_(mechanism),
      status_(mechanism.contacts().size()),
      largest_(mechanism.contacts().size(), 0.0),
      open_steps_(mechanism.contacts().size(), kFlight),
      phase_(mechanism) {}

ContactImpulse ContactWatch::impulse_of(const AssembledContact& contact,
                                        const Moment& moment) const {
  if (!contact.law) return StepImpulses(moment).of(places_of(contact));
  const MotionValue gap = value_of(mechanism_.bodies(), contact.gap, moment.state);
  return {.normal = moment.h * contact.law->force(gap.value, gap.rate)};
}

ContactMode ContactWatch::mode_of(std::size_t index, const ContactImpulse& impulse) const {
  const AssembledContact& contact = mechanism_.contacts()[index];
  if (impulse.normal <= kNone * largest_[index]) return ContactMode::kOpen;
  if (contact.friction == 0.0 || contact.law) return ContactMode::kClosed;
  return impulse.friction() < kAtLimit * contact.friction * impulse.normal ? ContactMode::kStick
                                                                           : ContactMode::kSlip;
}

void ContactWatch::see(const Moment& moment, const std::function<void(const Impact&)>& tell) {
  if (status_.empty()) return;
  const System& system = mechanism_.system();
  system.constraint_velocity(moment.state, rates_.gap);
  system.nonholonomic(moment.state, rates_.slip);
  // methods that know when an impact takes place know what was right before it
  const Vector* before =
      moment.is_first() ? nullptr : moment.stepper.internal("velocity_before_impact");
  if (before != nullptr) {
    before_impact_ = moment.state;
    before_impact_.velocity = *before;
    system.constraint_velocity(before_impact_, rates_.gap_before);
    system.nonholonomic(before_impact_, rates_.slip_before);
  }
  fastest_ = std::max(fastest_, max_abs(rates_.gap_before));
  for (std::size_t i = 0; !moment.is_first() && i < status_.size(); ++i) {
    const AssembledContact& contact = mechanism_.contacts()[i];
    ContactStatus& status = status_[i];
    const ContactImpulse impulse = impulse_of(contact, moment);
    largest_[i] = std::max(largest_[i], impulse.normal);
    const ContactMode mode = mode_of(i, impulse);
    const bool was_open =
        before != nullptr ? rates_.gap_before(contact.gap.row) < -kNone : open_steps_[i] >= kFlight;
    const bool closes = mode != ContactMode::kOpen && was_open && !contact.law && approaches(i);
    open_steps_[i] = mode == ContactMode::kOpen ? open_steps_[i] + 1 : 0;
    if (closes) {
      tell({moment.state.time, contact.name, mechanism_.bodies()[contact.body_j].name,
            mechanism_.bodies()[contact.body_i].name, rates_.gap_before(contact.gap.row),
            rates_.gap(contact.gap.row), impulse.normal, impulse.friction(),
            rates_.energy_lost(places_of(contact), impulse)});
    }
    status.mode = mode;
    status.total_impulse += impulse.normal;
    status.force = impulse.normal / moment.h;
    for (std::size_t d = 0; d < 2; ++d)
      status.friction[d] = impulse.tangential[d] / moment.h;
  }
  rates_.gap_before = rates_.gap;
  rates_.slip_before = rates_.slip;
  if (moment.is_first()) see_start(moment.state);
  if (moment.stepper.traits().stops_at_events) phase_.see(moment, status_);
}

bool ContactWatch::approaches(std::size_t index) const {
  const double rate = rates_.gap_before(mechanism_.contacts()[index].gap.row);
  return rate < -std::max(kStill, kAtRest * fastest_);
}

void ContactWatch::see_start(const State& state) {
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const AssembledContact& contact = mechanism_.contacts()[i];
    if (contact.law) continue;
    ContactImpulse reaction{.normal = state.multiplier(contact.gap.row)};
    for (int d = 0; d < contact.slips; ++d)
      reaction.tangential[static_cast<std::size_t>(d)] =
          state.nonholonomic_multiplier(contact.first_slip + d);
    status_[i] = {
        .mode = mode_of(i, reaction), .force = reaction.normal, .friction = reaction.tangential};
  }
}

std::span<const ContactStatus> ContactWatch::status_at(const Moment& moment, double fraction,
                                                       const State& state) {
  if (status_.empty() || !moment.stepper.traits().stops_at_events) return status_;
  return phase_.at(moment, fraction, state, status_);
}

}  // namespace picus
