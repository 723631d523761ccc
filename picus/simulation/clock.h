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
    standing_ = next > time_ ? 0 : standing_ + 1;
    return time_ = next;
  }
  /// Many steps in a row were shorter than it can tell; events may need a few of those.
  bool stands_still() const { return standing_ >= kStandstill; }

 private:
  static constexpr int kStandstill = 1000;

  double time_, lost_ = 0.0;
  int standing_ = 0;  ///< steps since it has moved
};

}  // namespace picus
