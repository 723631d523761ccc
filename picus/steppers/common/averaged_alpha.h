// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The generalized-α methods that average forces, jay-negrut (2) and §3:
//
//   (1 - α_m) M_{1+α} a_{1+α} + α_m M_α a_α = (1 - α_f) F_1 + α_f F_0
//   y_1 = y_0 ⊕ (h z_0 + h² (1/2 - β) a_α + h² β a_{1+α})
//   z_1 = z_0 + h (1 - γ) a_α + h γ a_{1+α}
//
// with M_{1+α} = M(t_0 + (1+α) h, y_0 ⊕ (1+α) h z_0). Rows are divided by 1 - α_f, so that the
// multipliers enter with weight one: negrut-hht-i3 (11a).

#include "picus/steppers/common/alpha_parameters.h"
#include "picus/steppers/common/newton_stepper.h"
#include "picus/steppers/common/shifted_history.h"

namespace picus {

/// The base of methods whose unknown is the shifted acceleration a, for which forces are averaged.
/// A method calls move_by() and momentum() in its residuals and finish() at the end of a step, and
/// adds its constraints.
class AveragedAlpha : public NewtonStepper {
 public:
  AveragedAlpha(const AlphaParameters& parameters, PreviousMass previous_mass,
                const AlphaOptions& options)
      : NewtonStepper(options), alpha_(parameters), previous_mass_(previous_mass) {}

  const Vector* internal(std::string_view name) const override;

 protected:
  void start_history(const State& state) override;
  void begin_step() override;
  void accept_history() override;
  bool refine_start() override;
  double unknown_shift() const override { return alpha_.shift(); }
  double error_constant() const override;
  void local_error(Vector& error) override;

  /// The error of positions through the matrix of the step: the right-hand side for which it would
  /// be the solution were there only masses and nonholonomic constraints, and the acceleration of a
  /// solution that moves the positions.
  virtual void load_error(const Vector& error, Vector& r) = 0;
  virtual void position_acceleration(const Vector& x, Vector& a) const = 0;
  /// r = (1-α_m)/(1-α_f) M a.
  void multiply_mass(const Vector& a, Vector& r) {
    r.setZero(a.size());
    M_.multiply_add(gain_, a, r);
  }
  /// r = derivative of k along a, as in its row of the matrix.
  void multiply_rolling(const SparseMatrix& k_q, const SparseMatrix& k_v, const Vector& a,
                        Vector& r) {
    r.setZero(sizes_.nonholonomic);
    k_v.multiply_add(1.0, a, r);
    k_q.multiply_add(dq_ / dv_, a, r);
  }

  /// Ends the step with the shifted acceleration a_{1+α}.
  void finish(const Vector& shifted);

  /// now_.acceleration: back from t_1 + αh to t_1 along the line through the two shifted values.
  template <class A>
  void set_acceleration(const A& shifted) {
    now_.acceleration = shifted - alpha_.shift() * (shifted - a_.at_begin());
  }
  /// Its derivative by a_{1+α}.
  double da() const { return 1.0 - alpha_.shift(); }

  /// increment_ and now_.velocity from shifted accelerations (which may differ).
  template <class A, class B>
  void move_by(const A& for_position, const B& for_velocity) {
    increment_ = free_increment_ + dq_ * for_position;
    now_.velocity = free_velocity_ + dv_ * for_velocity;
    system_->retract(from_->position, increment_, now_.position);
  }

  /// gain M_{1+α} a + what is known - F: the averaged balance of momentum.
  template <class A>
  void momentum(const A& shifted, const Vector& F, Vector& r) {
    r = known_ - F;
    shifted_ = gain_ * shifted;
    M_.multiply_add(1.0, shifted_, r);
  }

  const SparseMatrix& constraint_tangent() const { return system_->is_flat() ? G_ : G_q_; }
  void differentiate_constraints();

  AlphaParameters alpha_;
  PreviousMass previous_mass_;
  ShiftedHistory a_, Ma_;
  double dq_ = 0.0, dv_ = 0.0;  ///< derivatives of increment and velocity by a_{1+α}
  double gain_ = 1.0;           ///< (1 - α_m) / (1 - α_f)
  Vector known_;                ///< (α_m M_α a_α - α_f F_0) / (1 - α_f)
  Vector free_velocity_;
  SparseMatrix M_;  ///< M_{1+α}
  SparseMatrix K_, D_, G_, G_q_, k_q_, k_v_;
  State point_;  ///< scratch: now_ with other accelerations or multipliers
  Vector F_, g_, k_, scratch_;

 private:
  /// M at t_0 + fraction h along the initial velocity.
  void mass_at(double fraction, SparseMatrix& M);

  Vector free_increment_, F_begin_, shifted_, filtered_;
  SparseMatrix M_begin_;
  BlockMatrix start_matrix_;
};

}  // namespace picus
