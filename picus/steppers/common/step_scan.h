// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/state.h"

namespace picus {

/// Several functions at one time of a step.
struct ScanSample {
  double time = 0.0;   ///< since the beginning of the step
  Vector value, rate;  ///< rates that are not known are NaN
};

/// The first event of a step: a function that was positive at `low` is negative at `high`.
struct ScanCrossing {
  int function = -1;
  double low = 0.0, high = 0.0;
  double time = 0.0;       ///< estimated, within them
  double low_value = 0.0;  ///< of the function

  bool exists() const { return function >= 0; }
};

/// Functions that are positive until an event.
class ScannedFunctions {
 public:
  virtual ~ScannedFunctions() = default;
  /// Values and rates at sample.time, by dense output; false when they are not known there.
  virtual bool sample(ScanSample& sample) = 0;
  /// Where a function, `armed` when it has been positive, passes from positive to negative between
  /// two samples, or -1.
  virtual double crossing(int function, const ScanSample& a, const ScanSample& b,
                          bool armed) const = 0;
  /// Below this it is zero.
  virtual double zero(int function) const = 0;
  /// How long after `time` they are smooth: nothing shorter happens in them.
  virtual double spacing(double time) = 0;
};

/// Looks along a step for the first event, also for one that is over before the step ends.
///
/// A function may dip below zero between two places at which it is positive. How far, its curvature
/// tells: where the lowest of three values is not above what the curve may fall below them, halves
/// are looked at in the same way. No stretch is longer than the functions are smooth.
class StepScan {
 public:
  /// Allocates only when the number of functions has changed.
  void start(int functions);
  ScanSample& begin() { return begin_; }
  ScanSample& end() { return end_; }
  const ScanSample& begin() const { return begin_; }
  const ScanSample& end() const { return end_; }
  /// Whether a function has been positive before the step.
  void arm(int function, bool armed) { armed_[static_cast<std::size_t>(function)] = armed; }
  /// The same before the event that was found.
  bool is_armed(int function) const { return armed_[static_cast<std::size_t>(function)] != 0; }

  ScanCrossing find(ScannedFunctions& functions);
  /// By the two ends alone.
  ScanCrossing find_between_ends(const ScannedFunctions& functions);

 private:
  bool search(ScannedFunctions& functions, const ScanSample& a, const ScanSample& b,
              std::size_t depth);
  bool look(const ScannedFunctions& functions, const ScanSample& a, const ScanSample& b);
  bool may_dip(const ScannedFunctions& functions, const ScanSample& a, const ScanSample& m,
               const ScanSample& b) const;

  static constexpr std::size_t kDepth = 10;
  ScanSample begin_, end_, left_, right_;
  std::vector<ScanSample> middle_;  ///< by depth
  std::vector<char> armed_;
  int budget_ = 0;
  ScanCrossing found_;
};

/// The cubic with values and slopes at both ends of [0, 1].
struct ScanCubic {
  double h;
  double f0, d0, f1, d1;
  ScanCubic(int function, const ScanSample& a, const ScanSample& b)
      : h(b.time - a.time),
        f0(a.value(function)),
        d0(h * a.rate(function)),
        f1(b.value(function)),
        d1(h * b.rate(function)) {}
  double operator()(double x) const {
    const double y = 1.0 - x;
    return y * y * ((1.0 + 2.0 * x) * f0 + x * d0) + x * x * ((1.0 + 2.0 * y) * f1 - y * d1);
  }
  /// Just before it falls below a level, between one place above it and one below.
  double falls_below(double level, double above, double below) const;
};

}  // namespace picus
