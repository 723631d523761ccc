// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace picus {

/// The search for the time at which a function falls to zero, by values at times of its choice:
/// Newton's method where the rate of the function is known, the secant method where it is not, both
/// within a bracket. Times are those since the beginning of a step [s].
struct EventBracket {
  enum class Found { kYes, kNothing, kNotYet };

  int function;
  double low, high;    ///< not negative at `low`
  double time;         ///< at which a value is wanted
  bool has_passed;     ///< the function is negative at `high`
  double begin_value;  ///< at time 0

  double last_time = 0.0;
  double last_value = begin_value;

  /// Moves `time` into the bracket; false when the event is not within it.
  bool confine() {
    if (time > low && time < high) return true;
    time = 0.5 * (low + high);
    return has_passed;
  }

  /// Takes value and rate, or NaN, at `time`, which `close` is near enough to the event; chooses
  /// the next time.
  Found take(double value, double rate, double close) {
    (value < 0.0 ? high : low) = time;
    has_passed = has_passed || value < 0.0;
    if (!has_passed && rate >= 0.0) return Found::kNothing;  // it turns around before
    const bool is_secant = std::isnan(rate) && value != last_value;
    const double slope = is_secant ? (value - last_value) / (time - last_time) : rate;
    last_time = time;
    last_value = value;
    if (high - low <= close) return Found::kYes;
    if (!is_secant && !(slope < 0.0)) {
      time = 0.5 * (low + high);
      return Found::kNotYet;
    }
    if (std::abs(value) <= std::abs(slope) * close) return Found::kYes;
    time -= value / slope + (is_secant ? 0.0 : 0.5 * close);
    return Found::kNotYet;
  }
};

}  // namespace picus
