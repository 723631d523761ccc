// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/contact_impulse.h"

#include <cmath>

#include "picus/dynamics/independent_constraints.h"

namespace picus {
namespace {

// Below this part of its limit friction sticks.
constexpr double kAtLimit = 1.0 - 1e-6;

}  // namespace

double ContactImpulse::friction() const {
  return std::hypot(tangential[0], tangential[1]);
}

ContactMode ContactImpulse::mode(double coefficient, bool moves) const {
  if (coefficient == 0.0) return ContactMode::kClosed;
  if (!moves) return ContactMode::kStick;
  return friction() < kAtLimit * coefficient * normal ? ContactMode::kStick : ContactMode::kSlip;
}

ImpulsesAtContacts::ImpulsesAtContacts(const Moment& moment)
    : ImpulsesAtContacts(moment, moment.stepper.impulses().normal,
                         moment.stepper.impulses().tangential) {}

ImpulsesAtContacts::ImpulsesAtContacts(const Moment& moment, const Vector* normal,
                                       const Vector* tangential)
    : moment_(moment), normal_(normal), tangential_(tangential) {
  if (moment.reduced == nullptr) return;
  const SystemSizes all = moment.system.sizes(), seen = moment.reduced->sizes();
  joints_left_out_ = all.joints() - seen.joints();
  rollings_left_out_ = all.rollings() - seen.rollings();
}

std::optional<ImpulsesAtContacts> ImpulsesAtContacts::of_impact(const Moment& moment) {
  const StepImpulses impulses = moment.stepper.impulses();
  if (!impulses.has_impact()) return std::nullopt;
  return ImpulsesAtContacts(moment, impulses.impact.normal, impulses.impact.tangential);
}

double ImpulsesAtContacts::normal(int gap) const {
  return normal_ != nullptr ? (*normal_)(gap - joints_left_out_)
                            : moment_.h * moment_.state.multiplier(gap);
}

ContactImpulse ImpulsesAtContacts::of(const ContactPlaces& places) const {
  ContactImpulse result{.normal = normal(places.gap)};
  for (int d = 0; d < places.slips; ++d) {
    const int slip = places.first_slip + d;
    result.tangential[static_cast<std::size_t>(d)] =
        tangential_ != nullptr ? (*tangential_)(slip - rollings_left_out_)
                               : moment_.h * moment_.state.nonholonomic_multiplier(slip);
  }
  return result;
}

bool has_mean_reactions(const Moment& moment) {
  if (moment.is_first() || moment.stepper.traits().stops_at_events) return false;
  if (moment.system.sizes().laws() == 0 && !moment.system.finds_contacts()) return false;
  const StepImpulses impulses = moment.stepper.impulses();
  return impulses.normal != nullptr && impulses.tangential != nullptr;
}

void set_mean_reactions(const Moment& moment, State& state) {
  if (!has_mean_reactions(moment)) return;
  const StepImpulses impulses = moment.stepper.impulses();
  if (moment.reduced == nullptr) {
    state.multiplier = *impulses.normal / moment.h;
    state.nonholonomic_multiplier = *impulses.tangential / moment.h;
    return;
  }
  State part;
  moment.reduced->reduce(state, part);
  part.multiplier = *impulses.normal / moment.h;
  part.nonholonomic_multiplier = *impulses.tangential / moment.h;
  moment.reduced->restore(part, state);
}

double ContactRates::energy_lost(const ContactPlaces& places, const ContactImpulse& impulse) const {
  double lost = -0.5 * impulse.normal * (gap(places.gap) + gap_before(places.gap));
  for (int d = 0; d < places.slips; ++d) {
    const int at = places.first_slip + d;
    lost -= 0.5 * impulse.tangential[static_cast<std::size_t>(d)] * (slip(at) + slip_before(at));
  }
  return lost;
}

}  // namespace picus
