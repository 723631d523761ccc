// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "picus/dynamics/system.h"

namespace picus {

/// Keeps steps short enough to resolve formulas of time. Where nothing moves, no error estimate
/// announces the next pulse. Internal to the room.
class ForcingLimit {
 public:
  explicit ForcingLimit(const System& system) : system_(system) {}

  /// For a run over `span` seconds.
  void start(double span) {
    is_active_ = system_.has_forcing();
    least_ = kFastest * span;
  }
  double limited(double h, const State& state) {
    if (!is_active_) return h;
    const double time = system_.forcing_time(state);
    is_too_fast_ = is_too_fast_ || time < least_;
    return std::min(h, std::max(time, least_));
  }
  void note(std::vector<std::string>& notes) const {
    if (is_too_fast_)
      notes.push_back(
          fmt::format("formulas of time change within less than {:.2g} s, a millionth of the run: "
                      "steps cannot resolve them",
                      least_));
  }

 private:
  /// Of a run: steps are not made shorter than this.
  static constexpr double kFastest = 1e-6;

  const System& system_;
  bool is_active_ = false, is_too_fast_ = false;
  double least_ = 0.0;
};

}  // namespace picus
