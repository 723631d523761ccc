// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/contact_watch.h"

#include <algorithm>
#include <cmath>

#include "picus/dynamics/independent_constraints.h"

namespace picus {
namespace {

// Below this part of its limit friction sticks.
constexpr double kAtLimit = 1.0 - 1e-6;

}  // namespace

double ContactWatch::Impulse::friction() const {
  return std::hypot(tangential[0], tangential[1]);
}

ContactWatch::ContactWatch(const Mechanism& mechanism)
    : mechanism_(mechanism),
      status_(mechanism.contacts().size()),
      largest_(mechanism.contacts().size(), 0.0),
      open_steps_(mechanism.contacts().size(), kFlight) {}

// From the stepper, whose numbering lacks redundant constraints; from the forces of the state when
// the stepper has none to offer.
ContactWatch::Impulse ContactWatch::impulse_of(const AssembledContact& contact,
                                               const Moment& moment) const {
  Impulse result;
  if (contact.law) {
    const MotionValue gap = value_of(mechanism_.bodies(), contact.gap, moment.state);
    result.normal = moment.h * contact.law->force(gap.value, gap.rate);
    return result;
  }
  const SystemSizes all = moment.system.sizes();
  const SystemSizes seen = moment.reduced != nullptr ? moment.reduced->sizes() : all;
  const Vector* normal = moment.stepper.internal("impulse");
  const Vector* tangential = moment.stepper.internal("tangential_impulse");
  result.normal = normal != nullptr ? (*normal)(seen.joints() + contact.contact)
                                    : moment.h * moment.state.multiplier(contact.gap.row);
  for (int d = 0; d < contact.slips; ++d) {
    const int slip = contact.first_slip - all.rollings() + d;
    result.tangential[static_cast<std::size_t>(d)] =
        tangential != nullptr
            ? (*tangential)(seen.rollings() + slip)
            : moment.h * moment.state.nonholonomic_multiplier(all.rollings() + slip);
  }
  return result;
}

ContactMode ContactWatch::mode_of(std::size_t index, const Impulse& impulse) const {
  const AssembledContact& contact = mechanism_.contacts()[index];
  if (impulse.normal <= kNone * largest_[index]) return ContactMode::kOpen;
  if (contact.friction == 0.0 || contact.law) return ContactMode::kClosed;
  return impulse.friction() < kAtLimit * contact.friction * impulse.normal ? ContactMode::kStick
                                                                           : ContactMode::kSlip;
}

// −P · (u⁺ + u⁻)/2: the work of an impulse on the mean of the velocities before and after.
double ContactWatch::energy_lost(const AssembledContact& contact, const Impulse& impulse) const {
  const int row = contact.gap.row;
  double lost = -0.5 * impulse.normal * (rate_(row) + rate_before_(row));
  for (int d = 0; d < contact.slips; ++d) {
    const int slip = contact.first_slip + d;
    lost -=
        0.5 * impulse.tangential[static_cast<std::size_t>(d)] * (slip_(slip) + slip_before_(slip));
  }
  return lost;
}

void ContactWatch::see(const Moment& moment, const std::function<void(const Impact&)>& tell) {
  if (status_.empty()) return;
  const System& system = mechanism_.system();
  system.constraint_velocity(moment.state, rate_);
  system.nonholonomic(moment.state, slip_);
  // methods that know when an impact takes place know what was right before it
  const Vector* before =
      moment.is_first() ? nullptr : moment.stepper.internal("velocity_before_impact");
  if (before != nullptr) {
    before_impact_ = moment.state;
    before_impact_.velocity = *before;
    system.constraint_velocity(before_impact_, rate_before_);
    system.nonholonomic(before_impact_, slip_before_);
  }
  for (std::size_t i = 0; !moment.is_first() && i < status_.size(); ++i) {
    const AssembledContact& contact = mechanism_.contacts()[i];
    ContactStatus& status = status_[i];
    const Impulse impulse = impulse_of(contact, moment);
    largest_[i] = std::max(largest_[i], impulse.normal);
    const ContactMode mode = mode_of(i, impulse);
    const bool was_open =
        before != nullptr ? rate_before_(contact.gap.row) < -kNone : open_steps_[i] >= kFlight;
    const bool closes = mode != ContactMode::kOpen && was_open;
    open_steps_[i] = mode == ContactMode::kOpen ? open_steps_[i] + 1 : 0;
    if (closes && !contact.law && rate_before_(contact.gap.row) < 0.0) {
      tell({moment.state.time, contact.name, mechanism_.bodies()[contact.body_j].name,
            mechanism_.bodies()[contact.body_i].name, rate_before_(contact.gap.row),
            rate_(contact.gap.row), impulse.normal, impulse.friction(),
            energy_lost(contact, impulse)});
    }
    status.mode = mode;
    status.total_impulse += impulse.normal;
    status.force = impulse.normal / moment.h;
    for (std::size_t d = 0; d < 2; ++d)
      status.friction[d] = impulse.tangential[d] / moment.h;
  }
  rate_before_ = rate_;
  slip_before_ = slip_;
}

}  // namespace picus
