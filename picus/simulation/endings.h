// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/simulation/simulate.h"
#include "picus/steppers/common/step_scan.h"

namespace picus {

/// Watches the conditions that end a run, SimulateOptions::until; internal to the room.
///
/// Each is followed by its value, and by its marks: a condition such as `x < 1 and y > 0` jumps,
/// and only its marks tell where.
class Endings : private ScannedFunctions {
 public:
  Endings(const System& system, const std::vector<EndingCondition>& conditions);

  bool any() const { return !conditions_.empty(); }
  /// At the start of a run and after every step: what is compared with.
  void begin(const State& state);
  /// The first condition that holds and did not at the beginning, or -1.
  int reached(const State& state);
  /// Whether a condition or mark has changed since the beginning.
  bool changed(const State& state);
  /// How far the change that was found is, positive before it.
  double distance(const State& state);
  /// Where in the last attempt the first change is, as a fraction, or -1; `inside` looks along the
  /// dense output up to `until`, otherwise the end counts.
  double find(const StepView& step, double until, const State& end, bool inside);

  const std::string& name(int condition) const {
    return conditions_[static_cast<std::size_t>(condition)].name;
  }
  /// Names of those that hold at the beginning.
  std::vector<std::string> holding() const;

 private:
  void evaluate(const State& state, Vector& values) const;
  /// Values that are positive, or zero, until the change.
  void orient(const State& state, Vector& values) const;
  double locate(double low, double high);

  bool sample(ScanSample& sample) override;
  double crossing(int function, const ScanSample& a, const ScanSample& b,
                  bool armed) const override;
  double zero(int) const override { return 0.0; }
  double spacing(double) override;

  const System& system_;
  const std::vector<EndingCondition>& conditions_;
  Vector begin_, values_;
  Vector side_;  ///< of each value and mark, ±1; 0 where it does not exist
  StepScan scan_;
  State point_;
  int found_ = 0;
  const StepView* scanned_ = nullptr;
};

/// The size of a step that ends right behind a change, by attempts: from the estimate of the dense
/// output by growing strides until both sides are known, then by secants.
class EndingSearch {
 public:
  static constexpr int kMaxAttempts = 100;

  /// `part` of a step of size `whole` is the estimate; the change is `distance` away at its
  /// beginning.
  EndingSearch(double part, double whole, double distance);
  /// The size to attempt.
  double next() const { return next_; }
  /// How far away the change is at the end of that attempt; true when it need not be improved, or
  /// cannot.
  bool ends_at(bool is_behind, double distance);

 private:
  double whole_, next_, stride_;
  double low_ = 0.0, high_ = 0.0;  ///< sizes before and behind the change
  double at_low_, at_high_ = 0.0;
  bool has_low_ = false, has_high_ = false;
  int attempts_ = 0;
};

}  // namespace picus
