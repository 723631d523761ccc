// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/math/types.h"
#include "picus/steppers/alpha_methods.h"
#include "picus/steppers/common/alpha_parameters.h"

namespace picus {

/// A quantity known at shifted times t_n + α h, carried from step to step: the acceleration a and
/// the product M a of the generalized-α methods, jay-negrut §7.
///
/// It also knows where its values really lie, as multiples of h: at α in steady running, elsewhere
/// after a start with v̇_0 and for some steps after it. That follows from (2c) alone, which averages
/// times as it averages accelerations: (1-α_m)(1 + s_1) + α_m s_0 = 1 - α_f.
class ShiftedHistory {
 public:
  /// Begins with a value that is not shifted, and knows nothing of the past.
  void start(const Vector& value) {
    value_ = before_ = begin_ = end_ = value;
    value_shift_ = before_shift_ = begin_shift_ = end_shift_ = 0.0;
    last_h_ = 0.0;
  }

  /// Prepares the value at t_n + α h for a step of size h from t_n.
  void begin(double h, const AlphaParameters& alpha, StepAdjustment adjustment) {
    h_ = h;
    begin_ = value_;
    double shift = value_shift_ * last_h_;  // as a time
    if (adjustment == StepAdjustment::kAdjusted && last_h_ != 0.0 && h != last_h_) {
      const double factor = alpha.shift() * (h / last_h_ - 1.0);
      begin_ += factor * (value_ - before_);  // (14a), (14b)
      shift += factor * (1.0 + value_shift_ - before_shift_) * last_h_;
    }
    place(shift / h, alpha);
  }

  /// Replaces the value at the beginning of the first step, for this attempt only.
  void refine(const Vector& value, const AlphaParameters& alpha) {
    begin_ = value;
    place(alpha.shift(), alpha);
  }

  void accept() {
    before_.swap(begin_);
    value_ = end_;
    before_shift_ = begin_shift_;
    value_shift_ = end_shift_;
    last_h_ = h_;
  }

  const Vector& at_begin() const { return begin_; }
  Vector& at_end() { return end_; }
  const Vector& at_end() const { return end_; }
  bool is_first_step() const { return last_h_ == 0.0; }

  /// The values of the step under way lie at t_n + begin_shift() h and t_{n+1} + end_shift() h.
  double begin_shift() const { return begin_shift_; }
  double end_shift() const { return end_shift_; }

 private:
  void place(double shift, const AlphaParameters& alpha) {
    begin_shift_ = shift;
    end_shift_ = (alpha.shift() - alpha.alpha_m * shift) / (1.0 - alpha.alpha_m);
  }

  Vector value_;   ///< at t_n + α h_{n-1}
  Vector before_;  ///< the value used at the beginning of the previous step
  Vector begin_;   ///< for the step under way
  Vector end_;
  double value_shift_ = 0.0, before_shift_ = 0.0, begin_shift_ = 0.0, end_shift_ = 0.0;
  double last_h_ = 0.0, h_ = 0.0;
};

}  // namespace picus
