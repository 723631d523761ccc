// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "picus/steppers/common/base_scheme.h"
#include "picus/steppers/common/control_rounding.h"
#include "picus/steppers/common/impulse_stepper.h"
#include "picus/steppers/common/position_projection.h"

namespace picus {

/// Moreau's way: joints and contacts obey laws between impulses and velocities at the end of the
/// step, contacts seen from one place q_m within it:
///
///   joints    G v_{k+1} + g_t = 0,   k(v_{k+1}) = 0   at q_j, which is q_m or q_{k+1}
///   contacts  that may act:  0 ≤ ġ_{k+1} + e ġ_k ⊥ p ≥ 0, and Coulomb friction, with
///             ġ_{k+1} = G(q_m) v_{k+1} + g_t(q_m, t_{k+1})
///   friction  elements: ‖p‖ ≤ h limit, against k(q_m, v_{k+1}), with the limit at t_k + θ h,
///             q_k ⊕ θ h v_k and v_k: known before the velocity is. Where reactions of joints add
///             to it, those of the same step do: limits and impulses are found together
///   q_{k+1} = q_k ⊕ h ((1-θ) v_k + θ v_{k+1})       and what PositionCorrection adds
///
/// Impulses of joints act along G(q_m)ᵀ.
///
/// States x and variables of controls obey d(ẋ, x_m, …) = 0 at q_m with x_m = x_k + θh ẋ, and
/// x_{k+1} = x_k + h ẋ; variables keep their value of q_m.
class MoreauStepper : public ImpulseStepper, public BaseScheme {
 public:
  StepperTraits traits() const override {
    return {.order = 1,
            .holonomic = true,
            .nonholonomic = true,
            .handles_impacts = true,
            .friction = true,
            .reaction_limits = true,
            .poisson = true,
            .position_drift = correction_ == PositionCorrection::kNone,
            .velocity_drift = true,  // ġ = 0 with the directions of the middle of a step
            .penetration = true,
            .contact_tolerance = limits().contact_tolerance};
  }
  void start(const System& system, const State& state) override;
  void follow_contacts(const System& system, const State& state,
                       const ContactChange& change) override;
  int error_powers(const System&) const override { return 1; }
  void raise_restitution(double exponent) override { contacts_.raise_restitution(exponent); }
  void limit_division(double h_min) override { smallest_step_ = h_min; }

  /// Lets these contacts act in all steps to come, ascending, whatever their gaps are.
  void let_act(std::span<const int> contacts) {
    acting_.assign(contacts.begin(), contacts.end());
    gaps_decide_ = false;
  }
  /// The restitution of one contact in all steps to come, whatever its law says.
  void set_restitution(int contact, double e) { contacts_.set_restitution(contact, e); }

 protected:
  MoreauStepper(std::string_view name, double theta, PositionCorrection correction,
                std::unique_ptr<ContactSolver> solver, Limits limits);

  void begin_step(const System& system) override;
  void state_equations(const System& system) override;
  void see_contacts(const System& system) override;
  /// free_ with a velocity of the end of the step: directions of contacts as they are seen,
  /// surfaces that formulas of time move as they move at its end.
  void see_rates(const System& system, const Vector& velocity);
  bool is_exact() const override { return is_linear() && !shifts_positions(); }
  bool is_settled(const System& system, double change) override;
  bool end_step(const System& system) override;

  /// Lets contacts act, after before_ has been seen.
  virtual void forecast(const System& system) = 0;
  /// Sees directions of contacts that do not depend on the velocity sought.
  virtual void look_ahead(const System&) {}
  void activate_friction(const System& system);
  /// Contacts whose gap g + lead ġ is not open, and those that pushed, or separate more slowly than
  /// the contact solver resolves, and have hardly opened.
  void activate(const Vector& gaps, double lead);
  /// In the smallest steps, contacts that move less than rounding of their gaps have no rate
  /// before.
  void stop_motionless();
  /// Adds joints, rolling and controls at middle_ to the matrix; along an acceleration its
  /// positions change by `dq`, its velocities by `dv`.
  void border_joints(const System& system);
  void border_controls(const System& system, double dq, double dv);
  /// Where joints and rolling obey their laws.
  virtual const State& place_of_joints() const { return middle_; }
  /// Velocities, reactions and controls of the step at middle_, whose positions are set.
  void fill_middle(const Vector& velocity);

  /// Whether the equations hold where the last iteration has led, with the impulses found: what a
  /// further iteration would change is below the tolerance.
  bool is_balanced(const System& system);
  /// Whether rounding explains what is left.
  bool is_rounding(const System& system);
  bool shifts_positions() const { return correction_ == PositionCorrection::kMultiplier; }
  /// increment_ of the present velocity_: h ((1-θ) v_k + θ v_{k+1}), plus Gᵀτ of acary (19b).
  void advance();
  /// Moves end_ onto the joints with the matrix of the step: a few solutions with it, no other.
  bool close_joints(const System& system);
  /// Finds Gᵀτ of (19b), if it is wanted.
  bool find_shift(const System& system);
  Chart middle_chart() const { return {begin_.position, middle_increment_}; }

  double theta_;
  State middle_;  ///< q_m, its time, and velocity and reactions by which forces are seen
  const State* seen_from_ = &middle_;  ///< where contacts are looked at
  Vector middle_increment_;            ///< from q_k to q_m
  Vector gap_;
  SparseMatrix M_;

 private:
  /// A place with another velocity.
  template <class Velocity>
  const State& with_velocity(const State& place, const Velocity& velocity) {
    placed_ = place;
    placed_.velocity = velocity;
    return placed_;
  }

  /// By the last iteration, as is_balanced() has found it.
  struct Left {
    double velocity = std::numeric_limits<double>::infinity();
    double control = std::numeric_limits<double>::infinity();
  };

  PositionCorrection correction_;
  bool surfaces_move_ = false;
  ContactMotion surface_;
  Vector velocity_seen_;
  double first_time_ = std::numeric_limits<double>::infinity();  ///< of all starts
  Left left_;
  ControlRounding control_rounding_;
  double smallest_step_ = 0.0;  ///< if steps are divided
  bool gaps_decide_ = true;
  std::vector<int> acting_;
  PositionProjection projection_;
  State placed_;
  SparseMatrix G_, joints_, k_v_, rollings_, control_joints_;
  Vector violation_;
  ControlTangent control_;
  Vector F_, rate_, rolling_rate_, control_residual_, velocity_left_, control_left_, speed_;
  Vector shift_, shift_change_;  ///< Gᵀτ of (19b)
};

/// Moreau's midpoint rule, for callers who say which contacts act.
std::unique_ptr<MoreauStepper> make_midpoint_step(const MoreauMidpointOptions& options);

}  // namespace picus
