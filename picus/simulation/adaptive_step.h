// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/base/fields.h"
#include "picus/simulation/controller.h"

namespace picus {

struct AdaptiveOptions {
  double tolerance = 1e-5;  ///< ε: local error of a step, relative to the scale of each coordinate
  double h_initial = 0.0;   ///< [s]; 0 lets the first attempts find it
  double h_min = 0.0;       ///< [s]; 0: 1e-10 of the duration
  double h_max = 0.0;       ///< [s]; 0: a tenth of the duration
  double safety = 0.9;      ///< s of negrut-hht-i3 (38b)
  double max_growth = 4.0;  ///< from one step to the next
  double max_shrink = 0.1;  ///< from one attempt to the next
  double dead_band = 1.2;   ///< a step that could grow by less is kept, and its matrix with it
  double after_jump = 0.1;  ///< of the last step, after a discontinuity
  double on_failure = 0.25;  ///< of the step, when its equations could not be solved

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance,
          "local error of a step, relative to the scale of each coordinate");
    visit("h_initial", self.h_initial, "first step [s]; 0: automatic");
    visit("h_min", self.h_min, "smallest step [s]; 0: 1e-10 of the duration");
    visit("h_max", self.h_max, "largest step [s]; 0: a tenth of the duration");
    visit("safety", self.safety, "safety factor on the step that would just meet the tolerance");
    visit("max_growth", self.max_growth, "largest ratio of a step to the one before");
    visit("max_shrink", self.max_shrink, "smallest ratio of an attempt to the one before");
    visit("dead_band", self.dead_band, "ratio below which the step stays the same");
    visit("after_jump", self.after_jump,
          "ratio of the first step after a discontinuity to the last one before");
    visit("on_failure", self.on_failure,
          "ratio of the retried step if the equations cannot be solved");
  }
};

/// Keeps the estimated local error of every step below a tolerance, negrut-hht-i3 (36)–(39): a step
/// is accepted when its error is at most the tolerance, and the next one is `safety` times the size
/// that would just meet it. For steppers with traits().estimates_error.
class AdaptiveStep final : public Controller {
 public:
  /// Throws InputError when an option is out of its range.
  explicit AdaptiveStep(const AdaptiveOptions& options = {});

  double tolerance() const override { return options_.tolerance; }
  double first_step(const StepperTraits& traits, double span) override;
  Verdict judge(const StepReport& report, double h) override;
  double restart(double h) override;

 private:
  Verdict retry(double h, double factor, const char* what);
  double limited(double h) const;

  AdaptiveOptions options_;
  double h_min_ = 0.0, h_max_ = 0.0;
  double wanted_ = 0.0;    ///< last step size chosen; the loop may have taken a shorter one
  bool searching_ = true;  ///< for the right order of magnitude, after a start
  bool rejected_ = false;  ///< the last attempt
};

}  // namespace picus
