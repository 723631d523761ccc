// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/contact_transition.h"

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

using Status = StepReport::Status;

constexpr double kSlow = 1e-9;     // of the velocities: gap rates and slips that are zero
constexpr double kWeak = 1e-9;     // of the largest reaction: a contact without one is open
constexpr double kAtLimit = 1e-7;  // friction this near to its limit, in parts, slips
constexpr double kClosed = 1e-12;  // of 1 + positions: gaps that are closed
constexpr double kShare = 1e-6;    // of the largest reaction: a share that keeps a contact closed
constexpr double kLow = 1e-14;     // of 1 + positions: a bounce that is not seen
constexpr double kDraggedWith = 0.5;     // of the slip of an event: others that turn with it
constexpr double kMost = 0.75;           // part of friction that is left to laws at rest, at most,
constexpr double kMore = 1.5;            // and times one that will do
constexpr double kRounded = 1e-11;       // residual of impacts at which rounding may stop
constexpr int kLongestSequence = 10000;  // of impacts at one time

}  // namespace

ContactTransition::ContactTransition(ImpactOrder order) : order_(order) {
  MoreauMidpointOptions options;
  options.contact.contact_tolerance = 1e-13;
  options.positions = PositionCorrection::kNone;  // the smooth method closes joints
  critical_ = make_midpoint_step(options);
  options.contact.contact_tolerance = kRounded;
  rounded_ = make_midpoint_step(options);
}

void ContactTransition::start(const System& system, const State& state) {
  critical_->start(system, state);
  rounded_->start(system, state);
  resting_.start(system);
  modes_.assign(static_cast<std::size_t>(system.sizes().laws()), {});
  between_ = shared_ = state;
  impulse_ = Vector::Zero(system.sizes().constraints);
  tangential_impulse_ = Vector::Zero(system.sizes().nonholonomic);
  unfollowed_ = Vector::Zero(system.sizes().contacts);
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
  system.constraint(at, surfaces_.gap);
  system.constraint_velocity(at, surfaces_.gap_rate);
  zero_length_ = kClosed * (1.0 + max_abs(at.position));
  zero_speed_ = kSlow * max_abs(at.velocity);
  for (int j = 0; j < n.contacts; ++j) {
    const int row = n.joints() + j;
    if (modes_[static_cast<std::size_t>(j)].is_closed() || surfaces_.gap_rate(row) >= 0.0) continue;
    const bool is_event = event.kind == EventKind::kImpact && event.law == j;
    if (is_event || surfaces_.gap(row) + duration * surfaces_.gap_rate(row) <= zero_length_)
      striking_.push_back(j);
  }
  return !striking_.empty();
}

// Contacts without force take part as those with one do: Newton's law is stated for all that are
// closed. One that opens is gone the next moment.
bool ContactTransition::leans(const ContactPhase& phase, int contact) const {
  if (phase.modes()[static_cast<std::size_t>(contact)].is_closed()) return true;
  const int row = phase.full().sizes().joints() + contact;
  return surfaces_.gap(row) <= zero_length_ && surfaces_.gap_rate(row) <= zero_speed_;
}

void ContactTransition::involve(const ContactPhase& phase) {
  involved_ = striking_;
  for (int j = 0; j < phase.full().sizes().contacts; ++j)
    if (leans(phase, j)) involved_.push_back(j);
  std::sort(involved_.begin(), involved_.end());
  involved_.erase(std::unique(involved_.begin(), involved_.end()), involved_.end());
}

StepReport ContactTransition::strike(const ContactPhase& phase, const State& at, State& to) {
  const System& system = phase.full();
  impulse_.setZero();
  tangential_impulse_.setZero();
  duration_ = once_;
  const bool at_once = order_ == ImpactOrder::kSimultaneous || striking_.empty();
  acting_ = at_once ? involved_ : striking_;
  StepReport report = strike_once(system, at, to);
  for (int i = 1; report.ok() && !at_once && find_approaching(system, to); ++i) {
    if (i == kLongestSequence) acting_ = involved_;
    between_ = to;
    report = strike_once(system, between_, to);
    duration_ += once_;
    if (i == kLongestSequence) break;
  }
  // those of the impact are of the size of impulse over duration
  to.acceleration = at.acceleration;
  to.multiplier = at.multiplier;
  to.nonholonomic_multiplier = at.nonholonomic_multiplier;
  return report;
}

StepReport ContactTransition::strike_once(const System& system, const State& at, State& to) {
  MoreauStepper* step = critical_.get();
  step->let_act(acting_);
  StepReport report = step->attempt(system, at, once_, to);
  if (report.status == Status::kNoImpulses && report.worst_residual <= kRounded) {
    step = rounded_.get();
    step->let_act(acting_);
    report = step->attempt(system, at, once_, to);
  }
  if (!report.ok()) return report;
  step->accept();
  impulse_ += *step->impulses().normal;
  tangential_impulse_ += *step->impulses().tangential;
  return report;
}

bool ContactTransition::find_approaching(const System& system, const State& at) {
  system.constraint_velocity(at, surfaces_.gap_rate);
  acting_.clear();
  for (const int j : involved_)
    if (surfaces_.gap_rate(system.sizes().joints() + j) < -zero_speed_) acting_.push_back(j);
  return !acting_.empty();
}

bool ContactTransition::touches(const ContactPhase& phase, const ContactEvent& event,
                                int law) const {
  const SystemSizes n = phase.full().sizes();
  if (law >= n.contacts) return true;
  if (event.kind == EventKind::kRelease && event.law == law) return false;
  if (!had_impact_) return phase.modes()[static_cast<std::size_t>(law)].is_closed();
  if (!std::binary_search(involved_.begin(), involved_.end(), law)) return false;
  return surfaces_.gap_rate(n.joints() + law) <= std::max(zero_speed_, unfollowed_(law));
}

// Whether the event of another law, or none, ends a slip too.
bool ContactTransition::rests_with(const ContactEvent& event, const PhaseMode& mode,
                                   const ContactLaw& surface, const Vector2& slip) const {
  // corners of one body come to rest together
  if (event.kind == EventKind::kRest) return slip.norm() <= event.rest;
  // where a force jumps, as if by sign(slip)
  return event.kind == EventKind::kJump && mode.slips() &&
         (surface.slips > 1 ? slip.norm() : slip.dot(mode.direction)) <= zero_speed_;
}

// A corner of the same body is dragged back with the one of the event.
bool ContactTransition::is_dragged_with(const ContactEvent& event, const PhaseMode& mode,
                                        const Vector2& slip) {
  return event.kind == EventKind::kRest && event.dragged_speed > 0.0 &&
         slip.dot(mode.direction) < -kDraggedWith * event.dragged_speed;
}

// Whether a law that touches slides, and where to, from its slip and from what has happened to it.
TouchingLaw ContactTransition::touch_of(const ContactPhase& phase, const ContactEvent& event,
                                        int law, const State& at) const {
  const PhaseMode& mode = phase.modes()[static_cast<std::size_t>(law)];
  const ContactLaw surface = phase.full().contact_law(law);
  TouchingLaw touch{.law = law};
  Vector2 slip = Vector2::Zero(), friction = Vector2::Zero();
  for (int i = 0; i < surface.slips; ++i) {
    slip(i) = surfaces_.slip(surface.first_slip + i);
    friction(i) = at.nonholonomic_multiplier(surface.first_slip + i);
  }
  const bool is_event = event.law == law;
  if (is_event && event.kind == EventKind::kSlide) {
    touch.slides = true;
    // friction was too weak, or does not decide
    touch.direction = event.dragged.isZero() ? Vector2(-friction) : event.dragged;
  } else if (is_event && event.kind == EventKind::kRest) {
    touch.slides =
        event.is_driven ? !event.dragged.isZero() : surface.slips > 1 && slip.norm() > event.rest;
    touch.direction = event.is_driven ? event.dragged : slip;
  } else if (had_impact_ || !mode.is_closed()) {
    touch.slides = slip.norm() > zero_speed_;
    touch.direction = slip;
  } else if (!rests(law) && !rests_with(event, mode, surface, slip)) {
    touch.slides = mode.slips();
    const bool turns =
        (surface.slips > 1 && slip.norm() > zero_speed_) || is_dragged_with(event, mode, slip);
    touch.direction = turns ? slip : mode.direction;
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
  system.constraint_velocity(to, surfaces_.gap_rate);
  system.nonholonomic(to, surfaces_.slip);
  zero_speed_ = kSlow * std::max(max_abs(at.velocity), max_abs(to.velocity));
  for (int law = 0; law < system.sizes().laws(); ++law)
    if (touches(phase, event, law)) touches_.push_back(touch_of(phase, event, law, at));
}

// From the reactions that solve the laws.
bool ContactTransition::find_modes(const System& system, State& state, double friction) {
  for (PhaseMode& mode : modes_)
    mode = {};
  if (touches_.empty()) return true;
  const bool found =
      friction < 1.0 ? resting_.solve(touches_, state, friction) : solve_resting(system, state);
  if (!found) return false;
  const SystemSizes n = system.sizes();
  if (n.friction_elements > 0) {
    system.friction_limits(state, surfaces_.limits);
    system.nonholonomic_rate(state, surfaces_.slip_rate);
  }
  double largest = 0.0;
  for (const TouchingLaw& touch : touches_)
    if (touch.law < n.contacts)
      largest = std::max(largest, state.multiplier(n.joints() + touch.law));
  for (const TouchingLaw& touch : touches_) {
    const bool is_element = touch.law >= n.contacts;
    const double normal = is_element ? 0.0 : state.multiplier(n.joints() + touch.law);
    if (!is_element && normal <= std::max(kWeak * largest, zero_force_)) continue;
    const ContactLaw law = system.contact_law(touch.law);
    const double limit =
        is_element ? surfaces_.limits(touch.law - n.contacts) : law.friction * normal;
    modes_[static_cast<std::size_t>(touch.law)] = is_element && !touch.slides && !(limit > 0.0)
                                                      ? unheld_mode(law, state)
                                                      : closed_mode(touch, law, state, limit);
  }
  return true;
}

bool ContactTransition::rests_at_limit(const System& system, const State& state) const {
  const SystemSizes n = system.sizes();
  return std::any_of(touches_.begin(), touches_.end(), [&](const TouchingLaw& touch) {
    const ContactLaw law = system.contact_law(touch.law);
    if (touch.slides || law.slips == 0 || touch.law >= n.contacts) return false;
    const double limit = law.friction * state.multiplier(n.joints() + touch.law);
    const double size =
        state.nonholonomic_multiplier.segment(law.first_slip, law.slips).stableNorm();
    return limit > 0.0 && size >= (1.0 - kAtLimit) * limit;
  });
}

bool ContactTransition::solve_resting(const System& system, State& state) {
  if (!resting_.solve(touches_, state)) return false;
  if (touches_.size() < 2 || !resting_.keeps_rest() || !rests_at_limit(system, state)) return true;
  const double needed = friction_needed(state);
  return needed == 1.0 || resting_.solve(touches_, state, needed);
}

// Of a friction element at rest whose limit is zero, and may grow: it goes where forces lead it, or
// stays.
PhaseMode ContactTransition::unheld_mode(const ContactLaw& law, const State& state) const {
  PhaseMode mode{ContactMode::kSlip};
  for (int i = 0; i < law.slips; ++i)
    mode.direction(i) = surfaces_.slip_rate(law.first_slip + i);
  if (mode.direction.norm() <= kSlow * max_abs(state.acceleration)) return {ContactMode::kStick};
  mode.direction.normalize();
  return mode;
}

PhaseMode ContactTransition::closed_mode(const TouchingLaw& touch, const ContactLaw& law,
                                         const State& state, double limit) {
  PhaseMode mode{ContactMode::kSlip, touch.direction, touch.slip_left};
  if (touch.slides || law.slips == 0) return mode;
  Vector2 friction = Vector2::Zero();
  for (int i = 0; i < law.slips; ++i)
    friction(i) = state.nonholonomic_multiplier(law.first_slip + i);
  if (limit > 0.0 && friction.norm() < (1.0 - kAtLimit) * limit) return {ContactMode::kStick};
  if (friction.norm() > 0.0) mode.direction = -friction.normalized();
  return mode;
}

// Under the acceleration after the impact a contact comes back after 2 ġ/|g̈|, from the height
// ġ²/2|g̈|. A step across an impact that takes time leaves rates of that order to contacts that were
// at rest or do not rebound, too.
int ContactTransition::find_least_bounces(const System& system, const LeastBounce& least,
                                          const State& state) {
  bouncing_.clear();
  const SystemSizes n = system.sizes();
  const double height = std::max(least.height, kLow * (1.0 + max_abs(state.position)));
  system.constraint_acceleration(state, surfaces_.gap_acceleration);
  for (const int j : involved_) {
    const int row = n.joints() + j;
    const double fall = -surfaces_.gap_acceleration(row), rise = surfaces_.gap_rate(row);
    if (rise <= zero_speed_ || fall <= 0.0) continue;
    if (2.0 * rise <= least.flight * fall || 0.5 * rise * rise <= height * fall)
      bouncing_.push_back(j);
  }
  return static_cast<int>(bouncing_.size());
}

StepReport ContactTransition::close_bounces(const ContactPhase& phase, const ContactEvent& event,
                                            const State& at, State& to) {
  const System& system = phase.full();
  for (const int j : bouncing_) {
    critical_->set_restitution(j, 0.0);
    rounded_->set_restitution(j, 0.0);
    unfollowed_(j) = surfaces_.gap_rate(system.sizes().joints() + j);
  }
  const StepReport report = strike(phase, at, to);
  for (const int j : bouncing_)
    for (MoreauStepper* step : {critical_.get(), rounded_.get()})
      step->set_restitution(j, system.contact_law(j).restitution);
  if (report.ok()) list_touches(phase, event, at, to);
  unfollowed_.setZero();
  if (!report.ok()) return report;
  needs_projection_ = true;
  return find_modes(system, to) ? StepReport{} : no_modes(system);
}

StepReport ContactTransition::settle(const System& system, State& state,
                                     std::vector<PhaseMode>& modes) {
  touches_ = find_touches(system, state);
  zero_force_ = 0.0;
  resting_slips_ = nullptr;
  had_impact_ = needs_projection_ = false;
  const bool found = find_modes(system, state);
  for (const TouchingLaw& touch : touches_) {
    if (found) break;
    modes_[static_cast<std::size_t>(touch.law)] = {
        touch.slides ? ContactMode::kSlip : ContactMode::kStick, touch.direction};
  }
  modes = modes_;
  return found ? StepReport{} : no_modes(system);
}

// What the solver finds may be any share, one right at the limit of some law too, which would be
// asked for again at once. With as little friction as will do, every law has some left.
double ContactTransition::friction_needed(const State& state) {
  const auto will_do = [&](double left) {
    shared_ = state;
    return resting_.solve(touches_, shared_, 1.0 - left) && resting_.keeps_rest();
  };
  if (!will_do(0.0)) return 1.0;
  double left = kMost;
  while (left > kAtLimit && !will_do(left))
    left *= 0.5;
  if (left <= kAtLimit) return 1.0;
  return 1.0 - (left < kMost && will_do(kMore * left) ? kMore * left : left);
}

// Where reactions are not determined, a contact may have lost its own, or the friction it may have,
// by the way they were shared alone: if others obey the laws, nothing has happened.
bool ContactTransition::share_again(const ContactPhase& phase, const ContactEvent& event,
                                    const State& at, State& to) {
  const bool is_released = event.kind == EventKind::kRelease;
  if (!is_released && event.kind != EventKind::kSlide) return false;
  if (event.is_driven || !event.dragged.isZero()) return false;
  const System& system = phase.full();
  list_touches(phase, {EventKind::kParadox, -1}, at, to);
  const auto law = static_cast<std::size_t>(event.law);
  bool keeps = find_modes(system, to, friction_needed(at));
  keeps = keeps && modes_[law].is_closed() && (is_released || modes_[law].sticks());
  if (keeps && is_released) {
    const SystemSizes n = system.sizes();
    keeps =
        to.multiplier(n.joints() + event.law) > kShare * to.multiplier.tail(n.contacts).maxCoeff();
  }
  if (!keeps) to = at;
  return keeps;
}

StepReport ContactTransition::cross(const ContactPhase& phase, const ContactEvent& event,
                                    const State& at, const Limits& limits, State& to) {
  const System& system = phase.full();
  modes_ = phase.modes();
  zero_force_ = limits.zero_force;
  resting_slips_ = limits.resting;
  striking_.clear();
  had_impact_ = event.kind != EventKind::kJump &&
                (strikes(system, event, at, limits.duration) || event.kind == EventKind::kParadox);
  // without a collision it takes time until the contact would be penetrated
  once_ = event.kind == EventKind::kParadox ? std::max(limits.duration, limits.flight)
                                            : limits.duration;
  duration_ = 0.0;
  needs_projection_ = event.kind == EventKind::kRest || event.kind == EventKind::kJump;
  to = at;
  if (had_impact_) {
    involve(phase);
    const StepReport report = strike(phase, at, to);
    if (!report.ok()) return report;
  }
  if (!had_impact_ && phase.shares_reactions() && share_again(phase, event, at, to)) return {};
  list_touches(phase, event, at, to);
  if (!find_modes(system, to)) {
    if (had_impact_ || event.kind == EventKind::kJump) return no_modes(system);
    return cross(phase, {EventKind::kParadox, event.law}, at, limits, to);
  }
  needs_projection_ = needs_projection_ || (had_impact_ && !touches_.empty());
  return {};
}

}  // namespace picus
