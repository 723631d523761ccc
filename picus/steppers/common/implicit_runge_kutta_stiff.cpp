// SPDX-License-Identifier: BSD-3-Clause
// Steps that are long against the motions of stiff parts: in which sense they are projected, and
// what lies within them.
#include <algorithm>

#include "picus/steppers/common/implicit_runge_kutta.h"

namespace picus {

// Whether forces of stiff parts outweigh the masses in M + γh D + (γh)² K, and whether
// accelerations at the beginning are of a transient that is over before the first stage: then they
// are not those of the stages, continued.
void ImplicitRungeKutta::find_stiffness() {
  const Stage& last = stages_.back();
  const double t = gamma_ * h_;
  mass_diagonal_.setZero(velocities());
  last.M.for_each([&](int row, int col, double value) {
    if (row == col) mass_diagonal_(row) = value;
  });
  is_stiff_ = is_transient_ = false;
  const auto look = [&](const SparseMatrix& A, double factor) {
    A.for_each([&](int row, int col, double value) {
      is_stiff_ = is_stiff_ || (row == col && factor * value > mass_diagonal_(row));
    });
  };
  look(last.D, t);
  look(last.K, t * t);
  is_stiff_ = is_stiff_ && !knows_first_;
  if (!is_stiff_) return;
  double largest = 0.0;
  F_ = begin_.acceleration;
  for (int i = 0; i < stages(); ++i) {
    F_ -= at_beginning_(i) * stage(i).s.acceleration;
    largest = std::max(largest, max_abs(stage(i).s.acceleration));
  }
  is_transient_ = max_abs(F_) > largest;
}

// A joint that has drifted would be closed by the lightest body near it in the sense of kinetic
// energy; its small way strains what is stiff, and the reactions at the end would be those of that
// strain.
StiffMetric ImplicitRungeKutta::metric() const {
  if (!is_stiff_) return {};
  return {&stages_.back().K, &stages_.back().D, gamma_ * h_};
}

void ImplicitRungeKutta::weigh_stages(double fraction, Vector& value, Vector& integral) const {
  value.setZero(stages());
  integral.setZero(stages());
  double power = 1.0;
  for (int k = 0; k < stages(); ++k, power *= fraction) {
    value += power * coefficients_.row(k).transpose();
    integral += power * fraction / (k + 1) * coefficients_.row(k).transpose();
  }
}

void ImplicitRungeKutta::reactions_within(double fraction, State& result) const {
  weigh_stages(fraction, value_weights_, integral_weights_);
  result.multiplier.setZero();
  result.nonholonomic_multiplier.setZero();
  for (int i = 0; i < stages(); ++i) {
    const State& s = stages_[static_cast<std::size_t>(i)].s;
    result.multiplier += value_weights_(i) * s.multiplier;
    result.nonholonomic_multiplier += value_weights_(i) * s.nonholonomic_multiplier;
  }
}

// By the polynomial of collocation; what the projection has moved at the end comes in evenly.
bool ImplicitRungeKutta::motion_within(double fraction, Vector& increment, State& result) const {
  if (!is_transient_) return false;
  weigh_stages(fraction, value_weights_, integral_weights_);
  increment = (is_flat_ ? h_ * fraction : 0.0) * begin_.velocity;
  result.velocity = begin_.velocity;
  result.acceleration.setZero();
  for (int i = 0; i < stages(); ++i) {
    const Stage& at = stages_[static_cast<std::size_t>(i)];
    result.acceleration += value_weights_(i) * at.s.acceleration;
    result.velocity += h_ * integral_weights_(i) * at.s.acceleration;
    if (is_flat_)
      increment += h_ * integral_weights_(i) * (at.s.velocity - begin_.velocity);
    else
      increment += h_ * integral_weights_(i) * at.increment_rate;
  }
  const Stage& last = stages_.back();
  result.velocity += fraction * (end_.velocity - last.s.velocity);
  increment += fraction * (increment_ - last.increment);
  return true;
}

}  // namespace picus
