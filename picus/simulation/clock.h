// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace picus {

/// Sums of many step sizes without accumulation of rounding (Kahan), so that no sliver of a step is
/// left before the end time. Internal to the room.
class Clock {
 public:
  explicit Clock(double time) : time_(time) {}
  double advance(double h) {
    const double increment = h - lost_;
    const double next = time_ + increment;
    lost_ = (next - time_) - increment;
    return time_ = next;
  }

 private:
  double time_, lost_ = 0.0;
};

}  // namespace picus
