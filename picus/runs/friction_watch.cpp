// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/friction_watch.h"

#include <algorithm>

#include "picus/dynamics/independent_constraints.h"

namespace picus {
namespace {

// Friction below this part of its limit sticks.
constexpr double kSticks = 1.0 - 1e-6;

const System& seen_by_stepper(const Moment& moment) {
  return moment.reduced != nullptr ? *moment.reduced : moment.system;
}

}  // namespace

SlipVector FrictionWatch::slip_of(const AssembledFriction& friction, const State& state) const {
  SlipVector slip = SlipVector::Zero();
  for (std::size_t d = 0; d < friction.slips.size(); ++d)
    slip(static_cast<int>(d)) = value_of(mechanism_.bodies(), friction.slips[d], state).value;
  return slip;
}

void FrictionWatch::read(const AssembledFriction& friction, const State& state,
                         FrictionStatus& status) const {
  status.slip = slip_of(friction, state);
  status.limit = friction.limit_at(mechanism_.bodies(), state);
  if (friction.is_smooth()) {
    status.force = friction.smooth_force(status.limit, status.slip);
    status.mode =
        status.slip.norm() < friction.slip_speed ? ContactMode::kStick : ContactMode::kSlip;
    return;
  }
  for (std::size_t d = 0; d < friction.slips.size(); ++d)
    status.force(static_cast<int>(d)) = state.nonholonomic_multiplier(friction.slips[d].row);
  status.mode =
      status.force.norm() < kSticks * status.limit ? ContactMode::kStick : ContactMode::kSlip;
}

void FrictionWatch::read_all(const State& state, const Moment& moment,
                             std::span<const LawMode> modes,
                             std::vector<FrictionStatus>& status) const {
  const int contacts = seen_by_stepper(moment).sizes().contacts;
  for (std::size_t i = 0; i < status.size(); ++i) {
    const AssembledFriction& friction = mechanism_.frictions()[i];
    read(friction, state, status[i]);
    if (!friction.is_smooth() && !modes.empty())
      status[i].mode = modes[static_cast<std::size_t>(contacts + friction.element)].mode;
  }
}

void FrictionWatch::see(const Moment& moment) {
  if (status_.empty()) return;
  if (moment.is_first() || tells_forces_within(moment.stepper.traits())) {
    for (std::size_t i = 0; i < status_.size(); ++i)
      begin_[i] = status_[i].dissipated;
    if (!moment.is_first()) {
      add_work(moment, moment.stepper.smooth_part(), status_);
      add_impact(moment);
    }
    const bool knows_modes = moment.stepper.traits().stops_at_events;
    read_all(moment.state, moment,
             knows_modes ? moment.stepper.next_modes() : std::span<const LawMode>{}, status_);
    return;
  }
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const AssembledFriction& friction = mechanism_.frictions()[i];
    FrictionStatus& status = status_[i];
    const SlipVector before = status.slip;
    read(friction, moment.state, status);
    if (!friction.is_smooth()) see_impulse(friction, moment, status);
    status.dissipated -= 0.5 * moment.h * status.force.dot(before + status.slip);
  }
}

std::span<const FrictionStatus> FrictionWatch::status_at(const Moment& moment, double fraction,
                                                         const State& state) {
  if (status_.empty() || !tells_forces_within(moment.stepper.traits())) return status_;
  for (std::size_t i = 0; i < within_.size(); ++i)
    within_[i].dissipated = begin_[i];
  add_work(moment, std::min(fraction, moment.stepper.smooth_part()), within_);
  read_all(state, moment, moment.stepper.law_modes(), within_);
  return within_;
}

void FrictionWatch::add_work(const Moment& moment, double until,
                             std::vector<FrictionStatus>& status) {
  const std::span<const LawMode> modes = moment.stepper.law_modes();
  const auto sticks = [](const LawMode& law) { return law.mode == ContactMode::kStick; };
  const auto elements = modes.last(static_cast<std::size_t>(
      modes.empty() ? 0 : seen_by_stepper(moment).sizes().friction_elements));
  const bool has_smooth =
      std::any_of(mechanism_.frictions().begin(), mechanism_.frictions().end(),
                  [](const AssembledFriction& friction) { return friction.is_smooth(); });
  if (!has_smooth && std::all_of(elements.begin(), elements.end(), sticks)) return;
  FrictionStatus there;
  integral_.over(moment, until, [&](double weight, const State& state) {
    for (std::size_t i = 0; i < status.size(); ++i) {
      read(mechanism_.frictions()[i], state, there);
      status[i].dissipated -= weight * there.force.dot(there.slip);
    }
  });
}

// −P · (k⁺ + k⁻)/2: the work of an impulse on the mean of the velocities before and after.
void FrictionWatch::add_impact(const Moment& moment) {
  const StepImpulses impulses = moment.stepper.impulses();
  if (!impulses.has_impact()) return;
  before_impact_ = moment.state;
  before_impact_.velocity = *impulses.impact.velocity_before;
  const int left_out =
      moment.system.sizes().rollings() - seen_by_stepper(moment).sizes().rollings();
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const AssembledFriction& friction = mechanism_.frictions()[i];
    if (friction.is_smooth()) continue;
    const SlipVector mean =
        0.5 * (slip_of(friction, before_impact_) + slip_of(friction, moment.state));
    for (std::size_t d = 0; d < friction.slips.size(); ++d)
      status_[i].dissipated -= (*impulses.impact.tangential)(friction.slips[d].row - left_out) *
                               mean(static_cast<int>(d));
  }
}

// From the stepper; from the state where it does not tell.
void FrictionWatch::see_impulse(const AssembledFriction& friction, const Moment& moment,
                                FrictionStatus& status) {
  const SystemSizes all = moment.system.sizes(), seen = seen_by_stepper(moment).sizes();
  const StepImpulses impulses = moment.stepper.impulses();
  for (std::size_t d = 0; d < friction.slips.size() && impulses.tangential != nullptr; ++d) {
    const int slip = friction.slips[d].row - all.rollings();
    status.force(static_cast<int>(d)) = (*impulses.tangential)(seen.rollings() + slip) / moment.h;
  }
  if (impulses.friction_limit != nullptr)
    status.limit = (*impulses.friction_limit)(friction.element) / moment.h;
  const std::span<const LawMode> told = moment.stepper.law_modes();
  status.mode = !told.empty()
                    ? told[static_cast<std::size_t>(seen.contacts + friction.element)].mode
                : status.force.norm() < kSticks * status.limit ? ContactMode::kStick
                                                               : ContactMode::kSlip;
}

}  // namespace picus
