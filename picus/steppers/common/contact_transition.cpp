// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/contact_transition.h"

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

using Status = StepReport::Status;
using Kind = PhaseMode::Kind;

constexpr double kSlow = 1e-9;     // of the velocities: gap rates and slips that are zero
constexpr double kWeak = 1e-9;     // of the largest reaction: a contact without one is open
constexpr double kAtLimit = 1e-7;  // friction this near to its limit, in parts, slips
constexpr double kClosed = 1e-12;  // of 1 + positions: gaps that are closed
constexpr double kLeft = 1e-3;     // of its speed before: what is left of a spatial slip at rest
constexpr double kLow = 1e-14;     // of 1 + positions: a bounce that is not seen

}  // namespace

ContactTransition::ContactTransition() {
  MoreauMidpointOptions options;
  options.contact.contact_tolerance = 1e-13;
  critical_ = make_midpoint_step(options);
}

void ContactTransition::start(const System& system, const State& state) {
  critical_->start(system, state);
  resting_.start(system);
  modes_.assign(static_cast<std::size_t>(system.sizes().laws()), {});
}

StepReport ContactTransition::no_modes(const System& system) const {
  StepReport report;
  report.status = Status::kNoModes;
  report.worst_kind = Equation::kConstraint;
  const SystemSizes n = system.sizes();
  for (const TouchingLaw& touch : touches_) {
    if (touch.law < n.contacts) {
      report.worst_index = n.joints() + touch.law;
      return report;
    }
    report.worst_kind = Equation::kNonholonomic;
    report.worst_index = system.contact_law(touch.law).first_slip;
  }
  return report;
}

// Contacts that close within the time of the impact: the one of the event, and others with it.
bool ContactTransition::strikes(const System& system, const ContactEvent& event, const State& at,
                                double duration) {
  striking_.clear();
  const SystemSizes n = system.sizes();
  if (n.contacts == 0) return false;
  system.constraint(at, seen_.gap);
  system.constraint_velocity(at, seen_.gap_rate);
  const double near = kClosed * (1.0 + max_abs(at.position));
  for (int j = 0; j < n.contacts; ++j) {
    const int row = n.joints() + j;
    if (modes_[static_cast<std::size_t>(j)].is_closed() || seen_.gap_rate(row) >= 0.0) continue;
    const bool is_event = event.kind == EventKind::kImpact && event.law == j;
    if (is_event || seen_.gap(row) + duration * seen_.gap_rate(row) <= near) striking_.push_back(j);
  }
  return !striking_.empty();
}

StepReport ContactTransition::strike(const ContactPhase& phase, const State& at, State& to) {
  acting_ = striking_;
  for (int j = 0; j < phase.full().sizes().contacts; ++j)
    if (phase.modes()[static_cast<std::size_t>(j)].is_closed()) acting_.push_back(j);
  std::sort(acting_.begin(), acting_.end());
  critical_->let_act(acting_);
  const StepReport report = critical_->attempt(phase.full(), at, duration_, to);
  if (report.ok()) critical_->accept();
  // those of the impact are of the size of impulse over duration
  to.acceleration = at.acceleration;
  to.multiplier = at.multiplier;
  to.nonholonomic_multiplier = at.nonholonomic_multiplier;
  return report;
}

bool ContactTransition::touches(const ContactPhase& phase, const ContactEvent& event,
                                int law) const {
  const SystemSizes n = phase.full().sizes();
  if (law >= n.contacts) return true;
  if (event.kind == EventKind::kRelease && event.law == law) return false;
  const bool was_closed = phase.modes()[static_cast<std::size_t>(law)].is_closed();
  if (!was_closed && !std::binary_search(striking_.begin(), striking_.end(), law)) return false;
  return !had_impact_ || seen_.gap_rate(n.joints() + law) <= slow_;
}

// Whether a law that touches slides, and where to, from its slip and from what has happened to it.
TouchingLaw ContactTransition::touch_of(const ContactPhase& phase, const ContactEvent& event,
                                        int law, const State& at) const {
  const PhaseMode& mode = phase.modes()[static_cast<std::size_t>(law)];
  const ContactLaw surface = phase.full().contact_law(law);
  TouchingLaw touch{.law = law};
  Vector2 slip = Vector2::Zero(), friction = Vector2::Zero();
  for (int i = 0; i < surface.slips; ++i) {
    slip(i) = seen_.slip(surface.first_slip + i);
    friction(i) = at.nonholonomic_multiplier(surface.first_slip + i);
  }
  const bool is_event = event.law == law;
  if (is_event && event.kind == EventKind::kSlide) {
    touch.slides = true;
    touch.direction = -friction;  // which was too weak
  } else if (is_event && event.kind == EventKind::kRest) {
    touch.slides = surface.slips > 1 && slip.norm() > kLeft * event.before;
    touch.direction = slip;
  } else if (had_impact_ || !mode.is_closed()) {
    touch.slides = slip.norm() > slow_;
    touch.direction = slip;
  } else if (event.kind == EventKind::kRest && std::isfinite(event.before) &&
             slip.norm() <= kLeft * event.before) {
    touch.slides = false;  // corners of one body come to rest together
  } else {
    touch.slides = mode.slips();
    touch.direction = surface.slips > 1 && slip.norm() > slow_ ? slip : mode.direction;
    touch.slip_left = mode.slip_left;
  }
  if (touch.slides) touch.direction.stableNormalize();
  const bool begins = is_event && event.kind == EventKind::kSlide;
  if (surface.slips > 1 && (begins || !touch.slides)) touch.slip_left = slip;
  return touch;
}

void ContactTransition::list_touches(const ContactPhase& phase, const ContactEvent& event,
                                     const State& at, const State& to) {
  const System& system = phase.full();
  touches_.clear();
  system.constraint_velocity(to, seen_.gap_rate);
  system.nonholonomic(to, seen_.slip);
  slow_ = kSlow * std::max(max_abs(at.velocity), max_abs(to.velocity));
  for (int law = 0; law < system.sizes().laws(); ++law)
    if (touches(phase, event, law)) touches_.push_back(touch_of(phase, event, law, at));
}

// From the reactions that solve the laws.
bool ContactTransition::find_modes(const System& system, State& state) {
  for (PhaseMode& mode : modes_)
    mode = {};
  if (touches_.empty()) return true;
  if (!resting_.solve(touches_, state)) return false;
  const SystemSizes n = system.sizes();
  if (n.friction_elements > 0) system.friction_limits(state, seen_.limits);
  double largest = 0.0;
  for (const TouchingLaw& touch : touches_)
    if (touch.law < n.contacts)
      largest = std::max(largest, state.multiplier(n.joints() + touch.law));
  for (const TouchingLaw& touch : touches_) {
    const bool is_element = touch.law >= n.contacts;
    const double normal = is_element ? 0.0 : state.multiplier(n.joints() + touch.law);
    if (!is_element && normal <= kWeak * largest) continue;
    const ContactLaw law = system.contact_law(touch.law);
    modes_[static_cast<std::size_t>(touch.law)] =
        closed_mode(touch, law, state,
                    is_element ? seen_.limits(touch.law - n.contacts) : law.friction * normal);
  }
  return true;
}

PhaseMode ContactTransition::closed_mode(const TouchingLaw& touch, const ContactLaw& law,
                                         const State& state, double limit) {
  PhaseMode mode{Kind::kSlip, touch.direction, touch.slip_left};
  if (touch.slides || law.slips == 0) return mode;
  Vector2 friction = Vector2::Zero();
  for (int i = 0; i < law.slips; ++i)
    friction(i) = state.nonholonomic_multiplier(law.first_slip + i);
  if (limit > 0.0 && friction.norm() < (1.0 - kAtLimit) * limit) return {Kind::kStick};
  if (friction.norm() > 0.0) mode.direction = -friction.normalized();
  return mode;
}

// Under the acceleration behind the impact a contact comes back after 2 ġ/|g̈|, from the height
// ġ²/2|g̈|.
int ContactTransition::find_least_bounces(const System& system, const LeastBounce& least,
                                          const State& state) {
  bouncing_.clear();
  const SystemSizes n = system.sizes();
  const double height = std::max(least.height, kLow * (1.0 + max_abs(state.position)));
  system.constraint_acceleration(state, seen_.gap_acceleration);
  for (const int j : striking_) {
    const int row = n.joints() + j;
    const double fall = -seen_.gap_acceleration(row), rise = seen_.gap_rate(row);
    if (rise <= slow_ || fall <= 0.0) continue;
    if (2.0 * rise <= least.flight * fall || 0.5 * rise * rise <= height * fall)
      bouncing_.push_back(j);
  }
  return static_cast<int>(bouncing_.size());
}

StepReport ContactTransition::close_bounces(const ContactPhase& phase, const ContactEvent& event,
                                            const State& at, State& to) {
  const System& system = phase.full();
  for (const int j : bouncing_)
    critical_->set_restitution(j, 0.0);
  const StepReport report = strike(phase, at, to);
  for (const int j : bouncing_)
    critical_->set_restitution(j, system.contact_law(j).restitution);
  if (!report.ok()) return report;
  list_touches(phase, event, at, to);
  needs_projection_ = true;
  return find_modes(system, to) ? StepReport{} : no_modes(system);
}

StepReport ContactTransition::settle(const System& system, State& state,
                                     std::vector<PhaseMode>& modes) {
  touches_ = find_touches(system, state);
  had_impact_ = needs_projection_ = false;
  const bool found = find_modes(system, state);
  for (const TouchingLaw& touch : touches_) {
    if (found) break;
    modes_[static_cast<std::size_t>(touch.law)] = {touch.slides ? Kind::kSlip : Kind::kStick,
                                                   touch.direction};
  }
  modes = modes_;
  return found ? StepReport{} : no_modes(system);
}

StepReport ContactTransition::cross(const ContactPhase& phase, const ContactEvent& event,
                                    const State& at, const Limits& limits, State& to) {
  const System& system = phase.full();
  modes_ = phase.modes();
  had_impact_ = strikes(system, event, at, limits.duration) || event.kind == EventKind::kParadox;
  // without a collision it takes time until the contact would be penetrated
  duration_ = !had_impact_                        ? 0.0
              : event.kind == EventKind::kParadox ? std::max(limits.duration, limits.flight)
                                                  : limits.duration;
  needs_projection_ = event.kind == EventKind::kRest;
  to = at;
  if (had_impact_) {
    const StepReport report = strike(phase, at, to);
    if (!report.ok()) return report;
  }
  list_touches(phase, event, at, to);
  if (!find_modes(system, to)) {
    if (had_impact_) return no_modes(system);
    return cross(phase, {EventKind::kParadox, event.law}, at, limits, to);
  }
  needs_projection_ = needs_projection_ || (had_impact_ && !touches_.empty());
  return {};
}

}  // namespace picus
