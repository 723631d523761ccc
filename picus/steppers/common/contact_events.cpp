// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/contact_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

// Parts of 1 + positions, of 1 + velocities and of the largest reaction that are zero.
constexpr double kZero = 1e-12;
// A gap rate of a closed contact beyond this part of 1 + velocities is an impact.
constexpr double kApproaching = 1e-9;
constexpr int kSamples = 16;
// Of its speed at the beginning of the step: what is left of a slip at rest.
constexpr double kLeft = 1e-3;
// A slope below this part of what the function does in the step is rounding.
constexpr double kNoSlope = 1e-9;

// Rates of driven gaps and slips beyond this part of 1 + velocities part what touches.
constexpr double kDrivenApart = 1e-10;
// Times that: from which on a slip against its direction is no rounding. Steps may end a little
// beyond, so that the next one begins there.
constexpr double kDraggedBack = 2.0, kStepBack = 4.0;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The first t > 0 with g + ġ t + g̈ t²/2 = 0 and a falling gap; infinity when there is none.
double time_to_zero(double gap, double rate, double acceleration) {
  const double square = rate * rate - 2.0 * acceleration * gap;
  if (square <= 0.0) return kNever;
  const double root = std::sqrt(square);
  if (rate < 0.0) return 2.0 * gap / (root - rate);
  return acceleration < 0.0 ? (rate + root) / -acceleration : kNever;
}

}  // namespace

void ContactEvents::watch(const ContactPhase& phase, const State& state) {
  phase_ = &phase;
  driven_.find(phase, state);
  functions_.clear();
  laws_.clear();
  needs_gaps_ = needs_slips_ = needs_limits_ = false;
  for (int j = 0; j < phase.full().sizes().laws(); ++j) {
    laws_.push_back(phase.full().contact_law(j));
    list_functions(j);
  }
  needs_reactions_ =
      std::any_of(functions_.begin(), functions_.end(), [](const Function& function) {
        return function.event.kind == EventKind::kRelease ||
               function.event.kind == EventKind::kSlide;
      });
  scan_.start(static_cast<int>(functions_.size()));
}

void ContactEvents::list_functions(int law) {
  if (!phase_->modes()[static_cast<std::size_t>(law)].is_closed()) {
    functions_.push_back({{EventKind::kImpact, law}});
    needs_gaps_ = true;
    return;
  }
  const ContactLaw& surface = laws_[static_cast<std::size_t>(law)];
  const bool is_element = law >= phase_->full().sizes().contacts;
  if (!is_element) functions_.push_back({{EventKind::kRelease, law}});
  if (driven_.has_gap(law)) {
    functions_.push_back({.event = {EventKind::kRelease, law}, .is_driven = true});
    functions_.push_back({.event = {EventKind::kJam, law}, .is_driven = true});
  }
  if (surface.slips > 0 && (is_element || surface.friction > 0.0)) list_slip_functions(law);
}

void ContactEvents::list_slip_functions(int law) {
  const PhaseMode& mode = phase_->modes()[static_cast<std::size_t>(law)];
  const ContactEvent event{mode.sticks() ? EventKind::kSlide : EventKind::kRest, law};
  if (mode.sticks() || !driven_.has_slip(law)) functions_.push_back({event});
  if (driven_.has_slip(law)) functions_.push_back({.event = event, .is_driven = true});
  needs_slips_ = needs_slips_ || mode.slips();
  needs_limits_ = needs_limits_ || law >= phase_->full().sizes().contacts;
}

double ContactEvents::zero(int function) const {
  if (functions_[static_cast<std::size_t>(function)].is_driven) return zero_speed_;
  switch (event(function).kind) {
    case EventKind::kImpact:
      return zero_length_;
    case EventKind::kRest:
      return zero_speed_;
    default:
      return zero_force_;
  }
}

double ContactEvents::friction_left(const Function& function, const ContactLaw& law,
                                    const State& full_state) const {
  const SystemSizes n = phase_->full().sizes();
  const int j = function.event.law;
  const double limit = j < n.contacts ? law.friction * full_state.multiplier(n.joints() + j)
                                      : limits_(j - n.contacts);
  return limit - full_state.nonholonomic_multiplier.segment(law.first_slip, law.slips).stableNorm();
}

void ContactEvents::evaluate(const State& full_state, ScanSample& to) {
  const System& system = phase_->full();
  const SystemSizes n = system.sizes();
  if (needs_gaps_) {
    system.constraint(full_state, gap_);
    system.constraint_velocity(full_state, gap_rate_);
  }
  if (needs_slips_) {
    system.nonholonomic(full_state, slip_);
    system.nonholonomic_rate(full_state, slip_rate_);
  }
  if (needs_limits_) system.friction_limits(full_state, limits_);
  zero_length_ = kZero * (1.0 + max_abs(full_state.position));
  zero_speed_ = kZero * (1.0 + max_abs(full_state.velocity));
  zero_force_ = std::max(zero_force_, kZero * max_abs(full_state.multiplier));
  driven_speed_noise_ = kDrivenApart * (1.0 + max_abs(full_state.velocity));
  driven_.evaluate(full_state);
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    const Function& function = functions_[f];
    const int j = function.event.law;
    const ContactLaw& law = laws_[static_cast<std::size_t>(j)];
    const int row = n.joints() + j;
    double& value = to.value(static_cast<int>(f));
    double& rate = to.rate(static_cast<int>(f));
    if (function.is_driven) {
      evaluate_driven(function, value, rate);
      continue;
    }
    rate = kUnknown;
    switch (function.event.kind) {
      case EventKind::kImpact:
        value = gap_(row);
        rate = gap_rate_(row);
        break;
      case EventKind::kRelease:
        value = full_state.multiplier(row);
        break;
      case EventKind::kSlide:
        value = friction_left(function, law, full_state);
        break;
      case EventKind::kRest: {
        value = rate = 0.0;
        const Vector2& left = phase_->modes()[static_cast<std::size_t>(j)].slip_left;
        for (int i = 0; i < law.slips; ++i) {
          value += function.along(i) * (slip_(law.first_slip + i) - left(i));
          rate += function.along(i) * slip_rate_(law.first_slip + i);
        }
        break;
      }
      case EventKind::kJam:
      case EventKind::kParadox:
      case EventKind::kJump:
        break;  // have no function
    }
  }
}

// The rates of what the equations of the phase determine: positive until something parts, slides or
// jams. A slip that is driven rests below the rate at which it begins, so that it does one of both.
void ContactEvents::evaluate_driven(const Function& function, double& value, double& rate) const {
  const int j = function.event.law;
  switch (function.event.kind) {
    case EventKind::kRelease:
      value = driven_speed_noise_ - driven_.gap_rate(j);
      rate = -driven_.gap_acceleration(j);
      break;
    case EventKind::kJam:
      value = driven_speed_noise_ + driven_.gap_rate(j);
      rate = driven_.gap_acceleration(j);
      break;
    case EventKind::kSlide: {
      const Vector2 slip = driven_.slip(j);
      value = driven_speed_noise_ - slip.norm();
      rate = -driven_.slip_rate(j).dot(slip.stableNormalized());
      break;
    }
    default:
      value = driven_.slip(j).dot(function.along) - 0.5 * driven_speed_noise_;
      rate = driven_.slip_rate(j).dot(function.along);
      break;
  }
}

void ContactEvents::begin_phase(const State& full_state) {
  zero_force_ = 0.0;
  for (Function& function : functions_) {
    function.armed = false;
    function.along = phase_->modes()[static_cast<std::size_t>(function.event.law)].direction;
  }
  begin_step(full_state);
  for (std::size_t f = 0; f < functions_.size(); ++f)
    functions_[f].floor = std::min(begin_value(static_cast<int>(f)), 0.0);
}

void ContactEvents::begin_step(const State& full_state) {
  ScanSample& begin = scan_.begin();
  begin.time = 0.0;
  evaluate(full_state, begin);
  struck_ = stopping_ = -1;
  zero_gap_rate_ = kApproaching * (1.0 + max_abs(full_state.velocity));
  time_to_stop_ = kNever;
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    Function& function = functions_[f];
    const int i = static_cast<int>(f);
    const bool is_spatial = laws_[static_cast<std::size_t>(function.event.law)].slips > 1;
    if (function.event.kind == EventKind::kRest && is_spatial) turn_with_slip(i);
    function.armed = function.armed || begin.value(i) > zero(i);
    if (is_at_event(i)) struck_ = i;
  }
  take_aim(full_state);
}

// A slip in a plane turns: its function is the part along the direction at the beginning.
void ContactEvents::turn_with_slip(int i) {
  Function& function = functions_[static_cast<std::size_t>(i)];
  const auto j = static_cast<std::size_t>(function.event.law);
  double& value = scan_.begin().value(i);
  double& rate = scan_.begin().rate(i);
  if (function.is_driven) {
    const Vector2 slip = driven_.slip(function.event.law);
    if (slip.norm() > driven_speed_noise_) function.along = slip.normalized();
    evaluate_driven(function, value, rate);
    return;
  }
  const Vector2 slip = slip_.segment<2>(laws_[j].first_slip) - phase_->modes()[j].slip_left;
  if (slip.norm() > zero_speed_) function.along = slip.normalized();
  value = slip.dot(function.along);
  rate = function.along.dot(slip_rate_.segment<2>(laws_[j].first_slip));
  function.time_to_rest = time_to_rest(function, value, rate);
  if (function.time_to_rest < time_to_stop_) {
    time_to_stop_ = function.time_to_rest;
    stopping_ = i;
  }
}

// One that has just begun has no rate yet but rounding; one that was faster has no direction.
double ContactEvents::time_to_rest(const Function& function, double slip, double rate) const {
  const bool has_stopped =
      function.armed && (slip <= zero_speed_ || (slip <= least_slip_ && rate < 0.0));
  if (has_stopped) return 0.0;
  return slip > zero_speed_ && rate < 0.0 ? slip / -rate : kNever;
}

bool ContactEvents::is_at_event(int i) const {
  const Function& function = functions_[static_cast<std::size_t>(i)];
  const double value = begin_value(i);
  const double rate = scan_.begin().rate(i);
  if (function.is_driven && value < 0.0 && !is_held(function, value, rate, kDraggedBack))
    return true;
  return function.event.kind == EventKind::kImpact && value <= zero_length_ &&
         scan_.begin().rate(i) < -zero_gap_rate_;
}

void ContactEvents::take_aim(const State& full_state) {
  aim_ = -1;
  time_to_aim_ = std::numeric_limits<double>::infinity();
  if (!needs_gaps_) return;
  const System& system = phase_->full();
  system.constraint_acceleration(full_state, gap_acceleration_);
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Function& function = functions_[i];
    if (function.event.kind != EventKind::kImpact) continue;
    const double value = begin_value(static_cast<int>(i));
    const double rate = scan_.begin().rate(static_cast<int>(i));
    // one that has just lost its reaction has no rate yet: only the motion can tell
    if (!function.armed && rate <= zero_gap_rate_) continue;
    const double acceleration = gap_acceleration_(system.sizes().joints() + function.event.law);
    const double time = time_to_zero(std::max(0.0, value), rate, acceleration);
    if (time >= time_to_aim_) continue;
    time_to_aim_ = time;
    aim_ = static_cast<int>(i);
  }
}

// Corners of one body come to rest together.
ContactEvent ContactEvents::stop(double within) const {
  ContactEvent event = functions_[static_cast<std::size_t>(stopping_)].event;
  for (const Function& function : functions_) {
    const ContactLaw& law = laws_[static_cast<std::size_t>(function.event.law)];
    if (function.event.kind != EventKind::kRest || function.is_driven || law.slips < 2) continue;
    if (function.time_to_rest <= within)
      event.rest = std::max(event.rest, slip_.segment<2>(law.first_slip).norm() + zero_speed_);
  }
  return event;
}

// A slip that is dragged beyond its rest within the time of the event does not rest.
ContactEvent ContactEvents::event(int function, double within) const {
  const Function& it = functions_[static_cast<std::size_t>(function)];
  ContactEvent event = it.event;
  event.is_driven = it.is_driven;
  if (event.kind == EventKind::kRest) event.rest = kLeft * begin_value(function);
  if (!it.is_driven || (event.kind != EventKind::kSlide && event.kind != EventKind::kRest))
    return event;
  const Vector2 slip = driven_.slip(event.law) + within * driven_.slip_rate(event.law);
  const bool is_turned = slip.dot(it.along) < 0.0 && slip.norm() > driven_speed_noise_;
  if (event.kind == EventKind::kSlide || is_turned) {
    event.dragged = slip.stableNormalized();
    event.dragged_speed = slip.norm();
  }
  return event;
}

double ContactEvents::crossing(int function, const ScanSample& a, const ScanSample& b,
                               bool armed) const {
  const double h = b.time - a.time;
  const double before = a.value(function), behind = b.value(function);
  if (std::isnan(a.rate(function)) || std::isnan(b.rate(function))) {
    if (!armed || behind >= 0.0) return -1.0;
    return a.time + h * std::max(0.0, before) / (std::max(0.0, before) - behind);
  }
  const double part =
      part_of_crossing(functions_[static_cast<std::size_t>(function)], {function, a, b}, armed);
  return part < 0.0 ? -1.0 : a.time + h * part;
}

double ContactEvents::part_of_crossing(const Function& function, const ScanCubic& cubic,
                                       bool armed) const {
  // one that has just changed its mode may begin below zero
  const double floor = std::min(cubic.f0, 0.0);
  // and rise by rounding alone, as a contact that has just lost its reaction: if it opens at the
  // end of the step, what dips in between is the cubic
  const bool opens = function.event.kind == EventKind::kImpact && cubic.d1 > 0.0;
  // the same of a slip that has just begun, and grows faster than a cubic
  const bool begins = cubic.f1 > 0.0 && cubic.d1 > 0.0;
  const bool rises = cubic.d0 > std::max(opens ? zero_gap_rate_ * cubic.h : 0.0,
                                         begins ? kNoSlope * (cubic.f1 + cubic.d1) : 0.0);
  bool positive = armed;
  double before = 0.0;
  for (int k = 1; k <= kSamples; ++k) {
    const double x = static_cast<double>(k) / kSamples;
    const double value = cubic(x);
    if (positive && value < 0.0) return cubic.falls_below(0.0, before, x);
    // a flight shorter than a sample: up and down again between two of them
    if (!positive && k == 1 && value < floor && rises) {
      const double low = cubic.falls_below(floor, 0.0, x);
      return low > 0.0 ? low : -1.0;
    }
    positive = positive || value > 0.0;
    before = x;
  }
  return -1.0;
}

bool ContactEvents::sample(ScanSample& sample) {
  const State* state = within_->at(sample.time, needs_reactions_);
  if (state == nullptr) return false;
  evaluate(*state, sample);
  follow_ends(sample);
  return true;
}

// Interpolated states obey the equations of the phase up to the error of dense output alone, and so
// do rates that follow from these equations: the ends show what drives a row.
void ContactEvents::follow_ends(ScanSample& sample) const {
  if (!driven_.any()) return;
  const double part = sample.time / scan_.end().time;
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    if (!functions_[f].is_driven) continue;
    const int i = static_cast<int>(f);
    sample.value(i) = ScanCubic(i, scan_.begin(), scan_.end())(part);
    sample.rate(i) = (1.0 - part) * scan_.begin().rate(i) + part * scan_.end().rate(i);
  }
}

void ContactEvents::evaluate_step(const State& full_state, double h, StatesWithin* within) {
  const int count = static_cast<int>(functions_.size());
  for (int i = 0; i < count; ++i)
    scan_.arm(i, functions_[static_cast<std::size_t>(i)].armed);
  scan_.end().time = h;
  evaluate(full_state, scan_.end());
  within_ = within;
  first_ = within != nullptr && count > 0 ? scan_.find(*this) : scan_.find_between_ends(*this);
  if (within != nullptr && driven_.any()) driven_.evaluate(full_state);  // not those within
  too_long_ = -1;
  for (int i = 0; i < count; ++i)
    if (first_.function != i && !scan_.is_armed(i) &&
        !is_held(functions_[static_cast<std::size_t>(i)], value(i), rate(i), kStepBack) &&
        value(i) < functions_[static_cast<std::size_t>(i)].floor - zero(i) &&
        crossing(i, scan_.begin(), scan_.end(), functions_[static_cast<std::size_t>(i)].armed) <
            0.0)
      too_long_ = i;
}

}  // namespace picus
