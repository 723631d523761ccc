// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/steppers/common/impulse_stepper.h"
#include "picus/steppers/common/position_projection.h"

namespace picus {

/// Moreau's way: joints and contacts obey laws between impulses and velocities at the end of the
/// step, seen from one place q_m within it:
///
///   joints    G(q_m) v_{k+1} + g_t = 0,   k(q_m, v_{k+1}) = 0
///   contacts  that may act:  0 ≤ ġ_{k+1} + e ġ_k ⊥ p ≥ 0, and Coulomb friction
///   friction  elements: ‖p‖ ≤ h limit, against k(q_m, v_{k+1}), with the limit at t_k + θ h,
///             q_k ⊕ θ h v_k and v_k: known before the velocity is
///   q_{k+1} = q_k ⊕ h ((1-θ) v_k + θ v_{k+1})       and what PositionCorrection adds
class MoreauStepper : public ImpulseStepper {
 public:
  StepperTraits traits() const override {
    return {.order = 1,
            .holonomic = true,
            .nonholonomic = true,
            .controls = false,
            .handles_impacts = true,
            .friction = true};
  }
  void start(const System& system, const State& state) override;

 protected:
  MoreauStepper(std::string_view name, double theta, PositionCorrection correction,
                const ContactOptions& contact, Limits limits);

  void begin_step(const System& system) override;
  void state_equations(const System& system) override;
  void see_contacts(const System& system) override;
  bool is_settled(const System& system, double change) override;
  bool end_step(const System& system) override;

  /// Lets contacts act, after before_ has been seen.
  virtual void forecast(const System& system) = 0;
  void activate_friction(const System& system);
  /// Contacts whose gap g + lead ġ is not open.
  void activate(const Vector& gaps, double lead);
  /// Adds joints and rolling at middle_ to the matrix.
  void border_joints(const System& system);

  /// Largest |k(q_m, v)| of rolling for the present velocity_.
  double rolling_left(const System& system);
  /// increment_ of the present velocity_: h ((1-θ) v_k + θ v_{k+1}), plus Gᵀτ of acary (19b).
  void advance();
  /// Finds Gᵀτ of (19b), if it is wanted.
  bool find_shift(const System& system);
  /// middle_ = q_m with another velocity.
  template <class Velocity>
  const State& middle_with(const Velocity& velocity) {
    placed_ = middle_;
    placed_.velocity = velocity;
    return placed_;
  }
  Chart middle_chart() const { return {begin_.position, middle_increment_}; }

  double theta_;
  State middle_;             ///< q_m, its time, and velocity and reactions by which forces are seen
  Vector middle_increment_;  ///< from q_k to q_m
  Vector gap_;
  SparseMatrix M_;

 private:
  PositionCorrection correction_;
  PositionProjection projection_;
  State placed_;
  SparseMatrix G_, joints_, k_q_, k_v_, rollings_;
  Vector F_, rate_, rolling_rate_;
  Vector shift_, shift_change_;  ///< Gᵀτ of (19b)
};

}  // namespace picus
