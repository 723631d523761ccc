// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/switches.h"

#include <cmath>

namespace picus {
namespace {

bool is_positive(double value) {
  return value >= 0.0;
}

// Shrinks a bracket [low, high] around the first change of sign until it is shorter than `width`;
// value(x) is that of the switch and changed(x) compares all of them, so that an earlier change of
// another switch takes over. Regula falsi (Illinois), with bisection where it stalls.
template <class Value, class Changed>
double bracket(double high, double width, Value&& value, Changed&& changed) {
  double low = 0.0, at_low = value(low), at_high = value(high);
  bool halve = false;
  for (int i = 0; i < 100 && high - low > width; ++i) {
    double x = high - at_high * (high - low) / (at_high - at_low);
    if (halve || !(x > low && x < high)) x = 0.5 * (low + high);
    const double before = high - low;
    if (changed(x)) {
      high = x;
      at_high = value(x);
      at_low *= 0.5;
    } else {
      low = x;
      at_low = value(x);
      at_high *= 0.5;
    }
    halve = high - low > 0.5 * before;
  }
  return high;
}

}  // namespace

void Switches::begin(const State& state) {
  if (any()) system_.switch_values(state, before_);
}

int Switches::changed(const State& state) {
  system_.switch_values(state, values_);
  for (int i = 0; i < values_.size(); ++i)
    if (is_positive(values_(i)) != is_positive(before_(i))) return i;
  return -1;
}

double Switches::locate(const Stepper& stepper) {
  int index = 0;
  const auto changed_at = [&](double fraction) {
    stepper.interpolate(system_, fraction, point_);
    const int first = changed(point_);
    if (first >= 0) index = first;
    return first >= 0;
  };
  const auto value_at = [&](double fraction) {
    stepper.interpolate(system_, fraction, point_);
    system_.switch_values(point_, values_);
    return values_(index);
  };
  if (!changed_at(1.0)) return 1.0;
  constexpr double kWidth = 1e-3;  // the step is a bad one, no reason to be exact
  return bracket(1.0, kWidth, value_at, changed_at);
}

void Switches::advance(const State& from, double time) {
  point_ = from;
  increment_ = time * from.velocity + 0.5 * time * time * from.acceleration;
  system_.retract(from.position, increment_, point_.position);
  point_.velocity += time * from.acceleration;
  const int states = system_.sizes().controls - system_.sizes().variables;
  point_.control.head(states) += time * from.control_rate.head(states);
  point_.time = from.time + time;
}

double Switches::cross(State& state, double limit) {
  int index = 0;
  const auto changed_at = [&](double time) {
    advance(state, time);
    const int first = changed(point_);
    if (first >= 0) index = first;
    return first >= 0;
  };
  const auto value_at = [&](double time) {
    advance(state, time);
    system_.switch_values(point_, values_);
    return values_(index);
  };
  if (!changed_at(limit)) return -1.0;
  const double width = 1e-12 * limit;
  const double time = bracket(limit, width, value_at, changed_at);
  advance(state, time);
  state = point_;
  return time;
}

void Switches::nudge(State& state, double time) {
  advance(state, time);
  state = point_;
}

}  // namespace picus
