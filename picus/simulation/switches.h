// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/steppers/common/step_scan.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// Watches the values of a system whose sign changes mark jumps, System::switch_values.
///
/// A step that ends behind a jump has averaged forces of both sides, so it is only good for finding
/// the jump. The step that counts ends a little before it; the rest of the way is short enough for
/// Taylor's series.
///
/// A value that rests at zero, as the slip of a block that sticks, has no sign but that of
/// rounding: it keeps the one it had.
class Switches : private ScannedFunctions {
 public:
  explicit Switches(const System& system) : system_(system) {}

  bool any() const { return system_.switches() > 0; }
  /// Takes the signs at the start of a run as those to compare with. Values rest at zero where a
  /// method holds them there, as those that know stick do.
  void start(const State& state, bool may_rest);
  /// The same at the end of a step; values that rest at zero keep the sign they had.
  void begin(const State& state);
  /// The same right behind a change.
  void begin_behind(const State& state) {
    if (any()) side_.setZero();
    begin(state);
  }
  /// The first switch with another sign at this state, or -1.
  int changed(const State& state);
  /// Where in the last attempt the first sign changes, as a fraction, or -1. Looks along the dense
  /// output up to `until`, which is 1 unless an impact ends the step; `behind` is a fraction at
  /// which the sign has changed. The step takes h.
  /// `end` is its state there, when it is at hand.
  double find(const StepView& step, double h, double until, const State* end, double& behind);
  /// The same for methods without dense output that serves: by the end alone.
  double find_at_end(const StepView& step, const State& end);
  /// Advances the state along its velocities and accelerations, at most by `limit` seconds, until
  /// just behind the next change; returns the time it took, or -1 when there is no change.
  double cross(State& state, double limit);

  /// Advances the state a little.
  void nudge(State& state, double time);

  std::string name(int index) const { return system_.name_of_switch(index); }

 private:
  void advance(const State& from, double time);
  /// Values that are positive until the sign changes.
  void orient(const State& state, Vector& result);
  double locate(const StepView& step, double low, double high);

  bool sample(ScanSample& sample) override;
  double crossing(int function, const ScanSample& a, const ScanSample& b,
                  bool armed) const override;
  double zero(int) const override { return 0.0; }
  double spacing(double time) override;

  const System& system_;
  Vector begin_, values_, increment_;
  Vector side_;     ///< the sign of each, ±1; 0 where it does not exist
  Vector largest_;  ///< of each, so far; at least one
  Vector zero_;     ///< below which a value that was zero at the beginning of the step still is
  State point_;
  StepScan scan_;
  bool may_rest_ = false;
  const StepView* scanned_ = nullptr;
  double h_ = 0.0;  ///< of it
};

}  // namespace picus
