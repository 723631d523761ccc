// SPDX-License-Identifier: BSD-3-Clause
// What can be asked about a step from event to event, what is found within it, why it failed, and
// the gaps that closed contacts keep.
#include <algorithm>
#include <limits>

#include "picus/steppers/common/event_stepper.h"

namespace picus {

void EventStepper::keep_gaps(const System& system, const State& state,
                             const std::vector<PhaseMode>& modes) {
  const SystemSizes n = system.sizes();
  gaps_ = next_gaps_ = Vector::Zero(n.contacts);
  Vector g;
  system.constraint(state, g);
  for (int j = 0; j < n.contacts; ++j)
    if (modes[static_cast<std::size_t>(j)].is_closed()) gaps_(j) = g(n.joints() + j);
}

void EventStepper::close_gaps(const std::vector<PhaseMode>& before,
                              const std::vector<PhaseMode>& after) {
  next_gaps_ = gaps_;
  for (int j = 0; j < gaps_.size(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    if (!before[i].is_closed() || !after[i].is_closed()) next_gaps_(j) = 0.0;
  }
}

void EventStepper::find_modes(Phase& phase, const State& state, bool begins,
                              std::vector<LawMode>& to) const {
  const std::vector<PhaseMode>& modes = phase.system.modes();
  phase.resting.evaluate(phase.system, state, begins);
  to.resize(modes.size());
  for (std::size_t j = 0; j < modes.size(); ++j) {
    const ContactLaw law = system_->contact_law(static_cast<int>(j));
    const bool rubs =
        law.slips > 0 && (law.friction > 0.0 || static_cast<int>(j) >= system_->sizes().contacts);
    const bool sticks = modes[j].sticks() || phase.resting.rests(static_cast<int>(j));
    to[j] = {!modes[j].is_closed() ? ContactMode::kOpen
             : !rubs               ? ContactMode::kClosed
             : sticks              ? ContactMode::kStick
                                   : ContactMode::kSlip,
             0};
    if (to[j].mode == ContactMode::kSlip && law.slips == 1)
      to[j].side = modes[j].direction.x() > 0.0 ? -1 : 1;
  }
}

void EventStepper::interpolate(const System&, double fraction, State& result) const {
  const double time = fraction * taken_;
  if (fraction >= 1.0 || smooth_h_ == 0.0) {
    result = fraction > 0.0 ? end_ : begin_;
    return;
  }
  Phase& phase = *shown_;
  const double part = std::min(1.0, time / smooth_h_);
  phase.stepper->interpolate(phase.system, part, between_);
  if (smooth_traits_.order > 2 && !solve_within(phase))
    phase.stepper->interpolate(phase.system, part, between_);
  phase.system.expand(between_, result);
  result.time = begin_.time + time;
}

const State* EventStepper::at(double time, bool with_reactions) {
  now_->stepper->interpolate(now_->system, time / smooth_h_, between_);
  if (with_reactions && !solve_within(*now_)) return nullptr;
  now_->system.expand(between_, within_);
  return &within_;
}

double EventStepper::smooth_from(double time) {
  if (!system_->has_forcing()) return std::numeric_limits<double>::infinity();
  if (time == 0.0) return system_->forcing_time(begin_);
  const State* state = at(time, false);
  return system_->forcing_time(*state);
}

bool EventStepper::solve_within(Phase& phase) const {
  if (phase.stepper->has_reactions_within()) return true;
  phase.within.begin_step();
  StepReport report;
  return phase.within.solve(phase.system, between_, report);
}

// Reactions of the smooth part by their mean, and what the impact adds.
void EventStepper::sum_impulses() {
  const double half = 0.5 * smooth_h_;
  const State& end = next_ != nullptr ? smooth_end_ : end_;
  impulse_ = half * (begin_.multiplier + end.multiplier);
  tangential_impulse_ = half * (begin_.nonholonomic_multiplier + end.nonholonomic_multiplier);
  if (!shown_impact_) return;
  impulse_ += transition_.impulse();
  tangential_impulse_ += transition_.tangential_impulse();
}

StepImpulses EventStepper::impulses() const {
  StepImpulses impulses{.normal = &impulse_, .tangential = &tangential_impulse_};
  if (shown_impact_)
    impulses.impact = {.normal = &transition_.impulse(),
                       .tangential = &transition_.tangential_impulse(),
                       .velocity_before = &velocity_before_impact_};
  return impulses;
}

StepReport EventStepper::jam_report(int law) const {
  StepReport report;
  report.status = StepReport::Status::kJammed;
  report.worst_kind = Equation::kConstraint;
  report.worst_index = system_->sizes().joints() + law;
  return report;
}

StepReport EventStepper::accumulation_report(int law) const {
  const SystemSizes n = system_->sizes();
  StepReport report;
  report.status = StepReport::Status::kAccumulation;
  report.worst_kind = Equation::kConstraint;
  report.worst_index = n.joints() + std::min(law, n.contacts - 1);
  return report;
}

}  // namespace picus
