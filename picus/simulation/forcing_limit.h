// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "picus/dynamics/system.h"

namespace picus {

/// Keeps steps short enough to resolve formulas of time, and to pass nothing narrow in space. Where
/// nothing moves, or nothing acts, no error estimate announces what is to come. Internal to the
/// room.
///
/// Methods that step across events evaluate forces at a few points of a step, about h/4 apart, and
/// laws nowhere else. Between two of them a force may exceed friction by a fraction e of its size,
/// for T√e at its peak: h is up to four times as long then. It moves by e² of what the force does
/// in T, which must be below the tolerance.
class ForcingLimit {
 public:
  explicit ForcingLimit(const System& system) : system_(system) {}

  /// For a run over `span` seconds.
  void start(double span) {
    is_active_ = system_.has_forcing() || system_.has_passages();
    least_ = kFastest * span;
  }
  /// The method does not look for events within its steps.
  void step_across_events(double tolerance) {
    if (system_.sizes().laws() > 0 || system_.finds_contacts())
      part_ = std::min(1.0, kUnseen * std::pow(tolerance, 0.25));
  }
  double limited(double h, const State& state) {
    if (!is_active_) return h;
    const double time = system_.forcing_time(state), passing = system_.passing_time(state, part_);
    is_too_fast_ = is_too_fast_ || time < least_;
    is_too_narrow_ = is_too_narrow_ || passing < least_;
    return std::min(h, std::max(std::min(part_ * time, passing), least_));
  }
  void note(std::vector<std::string>& notes) const {
    if (is_too_fast_)
      notes.push_back(
          fmt::format("formulas of time change within less than {:.2g} s, a millionth of the run: "
                      "steps cannot resolve them",
                      least_));
    if (is_too_narrow_)
      notes.push_back(
          fmt::format("the motion passes round bodies or formulas of positions within less than "
                      "{:.2g} s, a millionth of the run: steps cannot resolve them",
                      least_));
  }

 private:
  /// Of a run: steps are not made shorter than this.
  static constexpr double kFastest = 1e-6;
  static constexpr double kUnseen = 4.0;

  const System& system_;
  bool is_active_ = false, is_too_fast_ = false, is_too_narrow_ = false;
  double least_ = 0.0;
  double part_ = 1.0;  ///< of the time ahead that a step may take
};

}  // namespace picus
