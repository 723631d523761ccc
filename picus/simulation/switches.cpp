// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/switches.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

// Of the largest value of a switch so far: is zero where it was zero before.
constexpr double kNoSign = 1e-12;

constexpr double kUntold = std::numeric_limits<double>::quiet_NaN();

// Shrinks a bracket [low, high] around the first change of sign until it is shorter than `width`;
// value(x) is that of the switch and changed(x) compares all of them, so that an earlier change of
// another switch takes over. Regula falsi (Illinois), with bisection where it stalls.
template <class Value, class Changed>
double bracket(double low, double high, double width, Value&& value, Changed&& changed) {
  double at_low = value(low), at_high = value(high);
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

void Switches::start(const State& state, bool may_rest) {
  if (!any()) return;
  may_rest_ = may_rest;
  side_ = Vector::Zero(system_.switches());
  zero_ = side_;
  largest_ = Vector::Ones(system_.switches());
  scan_.start(system_.switches());
  begin(state);
}

void Switches::begin(const State& state) {
  if (!any()) return;
  system_.switch_values(state, begin_);
  for (int i = 0; i < begin_.size(); ++i) {
    const double value = begin_(i);
    if (std::isnan(value)) {
      side_(i) = zero_(i) = 0.0;
      continue;
    }
    largest_(i) = std::max(largest_(i), std::abs(value));
    const double zero = kNoSign * largest_(i);
    const bool rests = may_rest_ && std::abs(value) <= zero;
    if (side_(i) == 0.0 || !rests) side_(i) = value >= 0.0 ? 1.0 : -1.0;
    zero_(i) = rests ? zero : 0.0;
  }
}

void Switches::orient(const State& state, Vector& result) {
  system_.switch_values(state, result);
  for (int i = 0; i < result.size(); ++i)
    result(i) = side_(i) == 0.0 ? kUntold : side_(i) * result(i) + zero_(i);
}

int Switches::changed(const State& state) {
  orient(state, values_);
  for (int i = 0; i < values_.size(); ++i)
    if (values_(i) < 0.0) return i;
  return -1;
}

bool Switches::sample(ScanSample& sample) {
  scanned_->interpolate(system_, sample.time, point_);
  orient(point_, sample.value);
  return true;
}

double Switches::crossing(int function, const ScanSample& a, const ScanSample& b, bool) const {
  const double before = a.value(function), behind = b.value(function);
  if (!(before >= 0.0 && behind < 0.0)) return -1.0;
  return a.time + (b.time - a.time) * before / (before - behind);
}

double Switches::spacing(double time) {
  if (!system_.has_forcing()) return 1.0;
  scanned_->interpolate(system_, time, point_);
  return system_.forcing_time(point_) / h_;
}

double Switches::find(const StepView& step, double h, double until, const State* end,
                      double& behind) {
  scanned_ = &step;
  h_ = h;
  scan_.begin().time = 0.0;
  scan_.end().time = until;
  end != nullptr ? orient(*end, scan_.end().value) : void(sample(scan_.end()));
  for (int i = 0; i < begin_.size(); ++i) {
    // what begins on the other side by rounding is on this one
    scan_.begin().value(i) = std::max(0.0, side_(i) * begin_(i));
    scan_.arm(i, true);
  }
  const ScanCrossing found = scan_.find(*this);
  if (!found.exists()) return -1.0;
  behind = found.high;
  return locate(step, found.low, found.high);
}

double Switches::find_at_end(const StepView& step, const State& end) {
  return changed(end) < 0 ? -1.0 : locate(step, 0.0, 1.0);
}

double Switches::locate(const StepView& step, double from, double to) {
  int index = 0;
  const auto changed_at = [&](double fraction) {
    step.interpolate(system_, fraction, point_);
    const int first = changed(point_);
    if (first >= 0) index = first;
    return first >= 0;
  };
  const auto value_at = [&](double fraction) {
    step.interpolate(system_, fraction, point_);
    orient(point_, values_);
    return values_(index);
  };
  if (!changed_at(to)) return to;
  constexpr double kWidth = 1e-3;  // the step is a bad one, no reason to be exact
  return bracket(from, to, kWidth, value_at, changed_at);
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
    orient(point_, values_);
    return values_(index);
  };
  if (!changed_at(limit)) return -1.0;
  const double width = 1e-12 * limit;
  const double time = bracket(0.0, limit, width, value_at, changed_at);
  advance(state, time);
  state = point_;
  return time;
}

void Switches::nudge(State& state, double time) {
  advance(state, time);
  state = point_;
}

}  // namespace picus
