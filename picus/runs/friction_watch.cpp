// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/friction_watch.h"

#include "picus/dynamics/independent_constraints.h"

namespace picus {
namespace {

// Friction below this part of its limit sticks.
constexpr double kSticks = 1.0 - 1e-6;

}  // namespace

void FrictionWatch::see(const Moment& moment) {
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const AssembledFriction& friction = mechanism_.frictions()[i];
    FrictionStatus& status = status_[i];
    const SlipVector before = status.slip;
    for (std::size_t d = 0; d < friction.slips.size(); ++d)
      status.slip(static_cast<int>(d)) =
          value_of(mechanism_.bodies(), friction.slips[d], moment.state).value;
    status.limit = friction.limit.evaluate(mechanism_.bodies(), moment.state);
    if (friction.is_smooth()) {
      status.force = friction.smooth_force(status.limit, status.slip);
      status.mode =
          status.slip.norm() < friction.slip_speed ? ContactMode::kStick : ContactMode::kSlip;
    } else {
      see_impulse(friction, moment, status);
    }
    if (!moment.is_first())
      status.dissipated -= 0.5 * moment.h * status.force.dot(before + status.slip);
  }
}

// From the stepper; before the first step from the state.
void FrictionWatch::see_impulse(const AssembledFriction& friction, const Moment& moment,
                                FrictionStatus& status) {
  const SystemSizes all = moment.system.sizes();
  const SystemSizes seen = moment.reduced != nullptr ? moment.reduced->sizes() : all;
  const Vector* impulse =
      moment.is_first() ? nullptr : moment.stepper.internal("tangential_impulse");
  const Vector* limit = moment.is_first() ? nullptr : moment.stepper.internal("friction_limit");
  for (std::size_t d = 0; d < friction.slips.size(); ++d) {
    const int slip = friction.slips[d].row - all.rollings();
    status.force(static_cast<int>(d)) =
        impulse != nullptr ? (*impulse)(seen.rollings() + slip) / moment.h
                           : moment.state.nonholonomic_multiplier(all.rollings() + slip);
  }
  if (limit != nullptr) status.limit = (*limit)(friction.element) / moment.h;
  const std::span<const LawMode> told =
      moment.is_first() ? std::span<const LawMode>{} : moment.stepper.law_modes();
  if (!told.empty()) {
    status.mode = told[static_cast<std::size_t>(seen.contacts + friction.element)].mode;
    return;
  }
  status.mode =
      status.force.norm() < kSticks * status.limit ? ContactMode::kStick : ContactMode::kSlip;
}

}  // namespace picus
