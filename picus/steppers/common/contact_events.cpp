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
// Bisections for a root of a cubic: of a parabolic flight it is exact.
constexpr int kBisections = 48;
constexpr int kSamples = 16;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The cubic with values and slopes at both ends of [0, 1].
struct Cubic {
  double f0, d0, f1, d1;
  double operator()(double x) const {
    const double y = 1.0 - x;
    return y * y * ((1.0 + 2.0 * x) * f0 + x * d0) + x * x * ((1.0 + 2.0 * y) * f1 - y * d1);
  }
  /// Just before it falls below a level, between one place above it and one below.
  double falls_below(double level, double above, double below) const {
    for (int i = 0; i < kBisections; ++i) {
      const double middle = 0.5 * (above + below);
      ((*this)(middle) < level ? below : above) = middle;
    }
    return above;
  }
};

// The first t > 0 with g + ġ t + g̈ t²/2 = 0 and a falling gap; infinity when there is none.
double time_to_zero(double gap, double rate, double acceleration) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double square = rate * rate - 2.0 * acceleration * gap;
  if (square <= 0.0) return kNever;
  const double root = std::sqrt(square);
  if (rate < 0.0) return 2.0 * gap / (root - rate);
  return acceleration < 0.0 ? (rate + root) / -acceleration : kNever;
}

}  // namespace

void ContactEvents::watch(const ContactPhase& phase) {
  phase_ = &phase;
  functions_.clear();
  laws_.clear();
  sees_gaps_ = sees_slips_ = sees_limits_ = false;
  const System& system = phase.full();
  const SystemSizes n = system.sizes();
  for (int j = 0; j < n.laws(); ++j) {
    laws_.push_back(system.contact_law(j));
    const PhaseMode& mode = phase.modes()[static_cast<std::size_t>(j)];
    const bool is_element = j >= n.contacts;
    const bool rubs = laws_.back().slips > 0 && (is_element || laws_.back().friction > 0.0);
    if (!mode.is_closed()) {
      functions_.push_back({{EventKind::kImpact, j}});
      sees_gaps_ = true;
      continue;
    }
    if (!is_element && phase.has_row(n.joints() + j))
      functions_.push_back({{EventKind::kRelease, j}});
    if (!rubs) continue;
    functions_.push_back({{mode.sticks() ? EventKind::kSlide : EventKind::kRest, j}});
    sees_slips_ = sees_slips_ || mode.slips();
    sees_limits_ = sees_limits_ || is_element;
  }
}

double ContactEvents::zero(int function) const {
  switch (event(function).kind) {
    case EventKind::kImpact:
      return near_;
    case EventKind::kRest:
      return slow_;
    default:
      return weak_;
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

void ContactEvents::evaluate(const State& full_state) {
  const System& system = phase_->full();
  const SystemSizes n = system.sizes();
  if (sees_gaps_) {
    system.constraint(full_state, gap_);
    system.constraint_velocity(full_state, gap_rate_);
  }
  if (sees_slips_) {
    system.nonholonomic(full_state, slip_);
    system.nonholonomic_rate(full_state, slip_rate_);
  }
  if (sees_limits_) system.friction_limits(full_state, limits_);
  near_ = kZero * (1.0 + max_abs(full_state.position));
  slow_ = kZero * (1.0 + max_abs(full_state.velocity));
  weak_ = std::max(weak_, kZero * max_abs(full_state.multiplier));
  for (Function& function : functions_) {
    const int j = function.event.law;
    const ContactLaw& law = laws_[static_cast<std::size_t>(j)];
    const int row = n.joints() + j;
    function.rate = kUnknown;
    switch (function.event.kind) {
      case EventKind::kImpact:
        function.value = gap_(row);
        function.rate = gap_rate_(row);
        break;
      case EventKind::kRelease:
        function.value = full_state.multiplier(row);
        break;
      case EventKind::kSlide:
        function.value = friction_left(function, law, full_state);
        break;
      case EventKind::kRest: {
        function.value = function.rate = 0.0;
        const Vector2& left = phase_->modes()[static_cast<std::size_t>(j)].slip_left;
        for (int i = 0; i < law.slips; ++i) {
          function.value += function.along(i) * (slip_(law.first_slip + i) - left(i));
          function.rate += function.along(i) * slip_rate_(law.first_slip + i);
        }
        break;
      }
      case EventKind::kParadox:
        break;  // has no function
    }
  }
}

void ContactEvents::begin_phase(const State& full_state) {
  weak_ = 0.0;
  for (Function& function : functions_) {
    function.armed = false;
    function.along = phase_->modes()[static_cast<std::size_t>(function.event.law)].direction;
  }
  begin_step(full_state);
}

void ContactEvents::begin_step(const State& full_state) {
  evaluate(full_state);
  struck_ = stopping_ = -1;
  still_ = kApproaching * (1.0 + max_abs(full_state.velocity));
  time_to_stop_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    Function& function = functions_[i];
    const ContactLaw& law = laws_[static_cast<std::size_t>(function.event.law)];
    if (function.event.kind == EventKind::kRest && law.slips > 1) {
      const PhaseMode& mode = phase_->modes()[static_cast<std::size_t>(function.event.law)];
      const Vector2 slip = slip_.segment<2>(law.first_slip) - mode.slip_left;
      if (slip.norm() > slow_) function.along = slip.normalized();
      function.value = slip.dot(function.along);
      function.rate = function.along.dot(slip_rate_.segment<2>(law.first_slip));
      // one that has just begun has no rate yet but rounding
      if (function.value > slow_ && function.rate < 0.0 &&
          function.value < -function.rate * time_to_stop_) {
        time_to_stop_ = function.value / -function.rate;
        stopping_ = static_cast<int>(i);
      }
    }
    function.begin = function.value;
    function.begin_rate = function.rate;
    function.armed = function.armed || function.value > zero(static_cast<int>(i));
    if (function.event.kind == EventKind::kImpact && function.value <= near_ &&
        function.rate < -still_)
      struck_ = static_cast<int>(i);
  }
  take_aim(full_state);
}

void ContactEvents::take_aim(const State& full_state) {
  aim_ = -1;
  time_to_aim_ = std::numeric_limits<double>::infinity();
  if (!sees_gaps_) return;
  const System& system = phase_->full();
  system.constraint_acceleration(full_state, gap_acceleration_);
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Function& function = functions_[i];
    if (function.event.kind != EventKind::kImpact) continue;
    // one that has just lost its reaction has no rate yet: only the motion can tell
    if (!function.armed && function.rate <= still_) continue;
    const double acceleration = gap_acceleration_(system.sizes().joints() + function.event.law);
    const double time = time_to_zero(std::max(0.0, function.value), function.rate, acceleration);
    if (time >= time_to_aim_) continue;
    time_to_aim_ = time;
    aim_ = static_cast<int>(i);
  }
}

ContactEvent ContactEvents::stop() const {
  ContactEvent event = functions_[static_cast<std::size_t>(stopping_)].event;
  event.before = std::numeric_limits<double>::infinity();
  return event;
}

double ContactEvents::crossing(const Function& function, double h) const {
  if (std::isnan(function.rate) || std::isnan(function.begin_rate)) {
    if (!function.armed || function.value >= 0.0) return -1.0;
    return h * function.begin / (function.begin - function.value);
  }
  // one that has just changed its mode may begin below zero
  const double floor = std::min(function.begin, 0.0);
  // and rise by rounding alone, as a contact that has just lost its reaction: if it opens at the
  // end of the step, what dips in between is the cubic
  const bool opens = function.event.kind == EventKind::kImpact && function.rate > 0.0;
  const bool rises = function.begin_rate > (opens ? still_ : 0.0);
  const Cubic cubic{function.begin, h * function.begin_rate, function.value, h * function.rate};
  bool positive = function.armed;
  double before = 0.0;
  for (int k = 1; k <= kSamples; ++k) {
    const double x = static_cast<double>(k) / kSamples;
    const double value = cubic(x);
    if (positive && value < 0.0) return h * cubic.falls_below(0.0, before, x);
    // a flight shorter than a sample: up and down again between two of them
    if (!positive && k == 1 && value < floor && rises) {
      const double low = cubic.falls_below(floor, 0.0, x);
      return low > 0.0 ? low * h : -1.0;
    }
    positive = positive || value > 0.0;
    before = x;
  }
  return -1.0;
}

void ContactEvents::see(const State& full_state, double h) {
  evaluate(full_state);
  first_ = -1;
  first_time_ = h;
  too_long_ = -1;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Function& function = functions_[i];
    const double time = crossing(function, h);
    if (time >= 0.0 && (first_ < 0 || time < first_time_)) {
      first_ = static_cast<int>(i);
      first_time_ = time;
    } else if (time < 0.0 &&
               function.value < std::min(function.begin, 0.0) - zero(static_cast<int>(i))) {
      too_long_ = static_cast<int>(i);
    }
  }
}

}  // namespace picus
