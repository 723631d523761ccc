// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/base/fields.h"
#include "picus/simulation/controller.h"

namespace picus {

struct SwitchingOptions {
  double tolerance = 1e-5;  ///< of the smooth steps, see Stepper::control_error
  double h_min = 0.0;       ///< [s]; 0: 1e-9 of the duration
  double h_max = 0.0;       ///< [s]; 0: a hundredth of the duration

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, "local error of a step without switching points");
    visit("h_min", self.h_min,
          "step across switching points [s], the delay with which they are detected; 0: 1e-9 of "
          "the duration");
    visit("h_max", self.h_max, "largest step [s]; 0: a hundredth of the duration");
  }
};

/// Finds switching points, where contacts open and close, stick and slip, by halving steps until
/// they are as small as h_min; then steps double again. studer-leine-glocker §9.3, Tables IV–VI.
///
/// A switching point that shows in a step may lie at the end of the step before, which therefore
/// is final only when its successor is accepted, or when it is as small as h_min.
///
/// For steppers with traits().finds_switches.
class SwitchingSearch final : public Controller {
 public:
  /// Throws InputError when an option is out of its range.
  explicit SwitchingSearch(const SwitchingOptions& options = {});

  double tolerance() const override { return options_.tolerance; }
  double smallest_step() const override { return h_min_; }
  double first_step(const StepperTraits& traits, double span) override;
  Verdict judge(const StepReport& report, double h) override;
  double restart(double h) override;

  /// Switching points resolved so far.
  long resolved() const { return resolved_; }

 private:
  /// Since the start of the run [s].
  struct Interval {
    double begin = 0.0, end = 0.0;
  };

  bool is_smallest(double h) const;
  double larger(double h) const;
  double smaller(double h) const;
  Verdict accept(double h);
  Verdict retry(double h);
  Verdict go_back(double h);
  void begin_watch();
  bool crawls();

  SwitchingOptions options_;
  double h_min_ = 0.0, h_max_ = 0.0;
  Interval accepted_, previous_;
  double no_increase_ = 0.0;  ///< t_noInc: steps do not grow before this time
  long resolved_ = 0;
  double crawl_ = 0.0;         ///< mean step below which the run crawls
  double watched_from_ = 0.0;  ///< where the attempts that are watched for it began
  long watched_ = 0;
};

}  // namespace picus
