// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/math/types.h"
#include "picus/steppers/alpha_methods.h"

namespace picus {

/// A quantity known at shifted times t_n + α h, carried from step to step: the acceleration a and
/// the product M a of the generalized-α methods, jay-negrut §7.
class ShiftedHistory {
 public:
  void start(const Vector& value) {
    value_ = before_ = begin_ = end_ = value;
    last_h_ = 0.0;
  }

  /// Prepares the value at t_n + α h for a step of size h from t_n.
  void begin(double h, double alpha, StepAdjustment adjustment) {
    h_ = h;
    begin_ = value_;
    if (adjustment == StepAdjustment::kNone || last_h_ == 0.0 || h == last_h_) return;
    begin_ += alpha * (h / last_h_ - 1.0) * (value_ - before_);  // (14a), (14b)
  }

  /// Replaces the value at the beginning of the first step, for this attempt only.
  void refine(const Vector& value) { begin_ = value; }

  void accept() {
    before_.swap(begin_);
    value_ = end_;
    last_h_ = h_;
  }

  const Vector& at_begin() const { return begin_; }
  Vector& at_end() { return end_; }
  const Vector& at_end() const { return end_; }
  bool is_first_step() const { return last_h_ == 0.0; }

 private:
  Vector value_;   ///< at t_n + α h_{n-1}
  Vector before_;  ///< the value used at the beginning of the previous step
  Vector begin_;   ///< for the step under way
  Vector end_;
  double last_h_ = 0.0, h_ = 0.0;
};

}  // namespace picus
