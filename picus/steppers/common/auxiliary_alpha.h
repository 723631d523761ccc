// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The generalized-α methods with an auxiliary acceleration, bruls-acary-cardona (65): the equations
// of motion hold exactly at t_{n+1} with v̇, and a shifted acceleration a moves the state,
//
//   q_{n+1} = q_n ⊕ (h v_n + h² (1/2 - β) a_n + h² β a_{n+1})            (65j), corrected
//   v_{n+1} = v_n + h (1 - γ) a_n + h γ a_{n+1}                          (65k)
//   (1 - α_m) a_{n+1} + α_m a_n = (1 - α_f) v̇_{n+1} + α_f v̇_n            (65l)
//
// The printed (65j) has (1 - β): a misprint that makes the index-3 form blow up.

#include "picus/steppers/common/alpha_parameters.h"
#include "picus/steppers/common/newton_stepper.h"
#include "picus/steppers/common/shifted_history.h"

namespace picus {

/// The base of methods whose unknown is the true acceleration v̇. It keeps the history of a and
/// offers the pieces that all of them have: move_by() and momentum() for residuals,
/// differentiate_momentum() and then add_momentum_row() for their matrix. What is left to a method
/// is how it enforces constraints.
class AuxiliaryAlpha : public NewtonStepper {
 public:
  AuxiliaryAlpha(const AlphaParameters& parameters, const AlphaOptions& options);

  const Vector* internal(std::string_view name) const override;

 protected:
  void start_history(const State& state) override {
    a_.start(state.acceleration);
    has_constant_mass_ = false;
  }
  void begin_step() override;
  void end_step(const Vector& x) override;
  void accept_history() override { a_.accept(); }
  bool refine_start() override;

  /// now_ from v̇ and corrections of the increment and the velocity (may be empty).
  template <class Acceleration>
  void move_by(const Acceleration& acceleration) {
    now_.acceleration = acceleration;
    increment_ = free_increment_ + dq_ * now_.acceleration;
    now_.velocity = free_velocity_ + dv_ * now_.acceleration;
  }
  void place() { system_->retract(from_->position, increment_, now_.position); }

  /// r = M v̇ - F at now_.
  void momentum(Vector& r);

  /// Evaluates M, K, D, G, k_q, k_v at now_, and the pieces below use them.
  void differentiate_momentum();
  /// Row of momentum: M + dq K + dv D along v̇, and the reactions.
  void add_momentum_row(int row, int acceleration, int multiplier, int rolling);
  /// Reaction directions -∂F/∂λ and -∂F/∂ψ.
  void add_reactions(int row, int multiplier, int rolling);

  AlphaParameters alpha_;
  ShiftedHistory a_;
  double dq_ = 0.0, dv_ = 0.0;  ///< derivatives of the increment and the velocity by v̇
  SparseMatrix M_, K_, D_, G_, G_q_, Gv_q_, Ga_q_, Ga_v_, k_q_, k_v_, kd_q_, kd_v_;
  bool has_constant_mass_ = false;  ///< M_ stays as it is
  Vector F_, g_, k_, scratch_;

  /// ∂g/∂increment: G itself on a vector space.
  const SparseMatrix& constraint_tangent() const { return system_->is_flat() ? G_ : G_q_; }

 private:
  Vector free_increment_, free_velocity_, free_a_;
  SparseMatrix F_lambda_, F_psi_;
};

}  // namespace picus
