// SPDX-License-Identifier: BSD-3-Clause
// HHT-SOI2: HHT with position and velocity constraints, the former met by an acceleration
// correction δ that only the positions see. jay-negrut (17), holonomic constraints and mechanical
// forces f + Gᵀλ (the paper's sign of λ is the opposite).
//
//   y_1 = y_0 ⊕ (… + h² β (a_{1+α} + δ))        (17a)
//   M_{1+α} δ = G(y_1)ᵀ μ                       (17c)
//   g(y_1) = 0,  G z_1 + g_t = 0                (17e), (17f)
#include "picus/steppers/common/averaged_alpha.h"

namespace picus {
namespace {

class HhtSoi2 final : public AveragedAlpha {
 public:
  HhtSoi2(const AlphaParameters& parameters, const AlphaOptions& options)
      : AveragedAlpha(parameters, PreviousMass::kPreviousStep, options) {}

  StepperTraits traits() const override {
    return {.order = 2, .holonomic = true, .estimates_error = true};
  }

 private:
  enum Part { kMotion, kVelocityLevel, kCorrection, kPositionLevel };

  const char* name() const override { return "hht_soi2"; }

  std::vector<Block> blocks() const override {
    return {{Equation::kMomentum, "averaged momentum balance"},
            {Equation::kConstraint, "constraint at velocity level"},
            {Equation::kMomentum, "acceleration correction"},
            {Equation::kConstraint, "constraint at position level"}};
  }

  void guess(const State& state, Vector& x) const override {
    x.setZero();
    part(x, kMotion) = state.acceleration;
    part(x, kVelocityLevel) = state.multiplier;
  }

  void move(const Vector& x) override {
    set_acceleration(part(x, kMotion));
    move_by(part(x, kMotion) + part(x, kCorrection), part(x, kMotion));
    now_.multiplier = part(x, kVelocityLevel);
  }

  void equations(const Vector& x, Vector& r) override {
    system_->force(now_, F_);
    momentum(part(x, kMotion), F_, scratch_);
    part(r, kMotion) = scratch_;
    system_->constraint_velocity(now_, g_);
    part(r, kVelocityLevel) = g_ / dv_;
    system_->constraint(now_, g_);
    part(r, kPositionLevel) = g_ / dq_;

    scratch_.setZero();
    delta_ = part(x, kCorrection);
    M_.multiply_add(1.0, delta_, scratch_);
    if (sizes_.constraints > 0) {
      system_->constraint_jacobian(now_, G_);
      mu_ = part(x, kPositionLevel);
      G_.multiply_transposed_add(-1.0, mu_, scratch_);
    }
    part(r, kCorrection) = scratch_;
  }

  void assemble(const Vector& x) override {
    point_ = now_;
    point_.acceleration.setZero();
    system_->momentum_tangent(point_, chart(), K_, D_);
    differentiate_constraints();
    matrix_.add(kMotion, kMotion, gain_, M_);
    matrix_.add(kMotion, kMotion, dq_, K_);
    matrix_.add(kMotion, kMotion, dv_, D_);
    matrix_.add(kMotion, kCorrection, dq_, K_);
    matrix_.add(kCorrection, kCorrection, 1.0, M_);
    if (sizes_.constraints > 0) {
      matrix_.add(kMotion, kVelocityLevel, -1.0, G_, Transposed::kYes);
      system_->constraint_velocity_tangent(now_, chart(), Gv_q_);
      matrix_.add(kVelocityLevel, kMotion, 1.0, G_);
      matrix_.add(kVelocityLevel, kMotion, dq_ / dv_, Gv_q_);
      matrix_.add(kVelocityLevel, kCorrection, dq_ / dv_, Gv_q_);
      matrix_.add(kPositionLevel, kMotion, 1.0, constraint_tangent());
      matrix_.add(kPositionLevel, kCorrection, 1.0, constraint_tangent());

      point_.multiplier = part(x, kPositionLevel);  // -∂(Gᵀμ)/∂q
      system_->correction_tangent(point_, chart(), C_q_, C_v_);
      matrix_.add(kCorrection, kMotion, dq_, C_q_);
      matrix_.add(kCorrection, kCorrection, dq_, C_q_);
      matrix_.add(kCorrection, kPositionLevel, -1.0, G_, Transposed::kYes);
    }
    add_control_force(kMotion);
    add_control_rows(kMotion, dq_, dv_, da());
    add_control_rows(kCorrection, dq_, 0.0, 0.0);
    add_control_rates(kVelocityLevel);
  }

  void end_step(const Vector& x) override {
    delta_ = part(x, kMotion);
    finish(delta_);
  }

  void load_error(const Vector& error, Vector& r) override {
    multiply_mass(error, scratch_);
    part(r, kMotion) = scratch_;
  }
  void position_acceleration(const Vector& x, Vector& a) const override {
    a = part(x, kMotion) + part(x, kCorrection);
  }

  SparseMatrix Gv_q_, C_q_, C_v_;
  Vector delta_, mu_;
};

}  // namespace

std::unique_ptr<Stepper> make_hht_soi2(const HhtOptions& options) {
  return std::make_unique<HhtSoi2>(hht_parameters(options.alpha), options.common);
}

}  // namespace picus
