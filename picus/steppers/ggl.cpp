// SPDX-License-Identifier: BSD-3-Clause
// Generalized-α on the Gear–Gupta–Leimkuhler form: positions and velocities both obey the
// constraints, by a small position correction U along the constraint gradients.
//
//   q_{n+1} = q_n ⊕ (… + U)
//   classical      U = G(q_n)ᵀ ν                         bruls-acary-cardona (73)
//   mass weighted  M(q_{n+1}) U = G(q_{n+1})ᵀ ν          bruls-acary-cardona (74)
//
// Unknowns are scaled to the level of accelerations and forces: U = dq Û and ν = dq ν̂, where dq is
// the derivative of the positions by the accelerations.
#include "picus/steppers/common/auxiliary_alpha.h"

namespace picus {
namespace {

class Ggl final : public AuxiliaryAlpha {
 public:
  Ggl(const AlphaParameters& parameters, const GglOptions& options)
      : AuxiliaryAlpha(parameters, options.common), variant_(options.variant) {}

  StepperTraits traits() const override {
    return {.order = 2, .holonomic = true, .nonholonomic = true, .general_reactions = true};
  }

 private:
  enum Part { kMotion, kVelocityLevel, kRolling, kCorrection, kPositionLevel };

  const char* name() const override { return "ggl"; }

  std::vector<Block> blocks() const override {
    return {{Equation::kMomentum, "momentum balance"},
            {Equation::kConstraint, "constraint at velocity level"},
            {Equation::kNonholonomic, "nonholonomic constraint"},
            {Equation::kMomentum, "position correction"},
            {Equation::kConstraint, "constraint at position level"}};
  }

  void guess(const State& state, Vector& x) const override {
    x.setZero();
    part(x, kMotion) = state.acceleration;
    part(x, kVelocityLevel) = state.multiplier;
    part(x, kRolling) = state.nonholonomic_multiplier;
  }

  void begin_step() override {
    AuxiliaryAlpha::begin_step();
    if (variant_ == GglVariant::kClassical) {
      system_->constraint_jacobian(*from_, G_begin_);
      if (identity_.rows() != sizes_.velocities)
        identity_ = SparseMatrix::identity(sizes_.velocities);
    }
  }

  void move(const Vector& x) override {
    move_by(part(x, kMotion));
    increment_ += dq_ * part(x, kCorrection);
    place();
    now_.multiplier = part(x, kVelocityLevel);
    now_.nonholonomic_multiplier = part(x, kRolling);
  }

  void equations(const Vector& x, Vector& r) override {
    momentum(scratch_);
    part(r, kMotion) = scratch_;
    system_->constraint_velocity(now_, g_);
    part(r, kVelocityLevel) = g_ / dv_;
    system_->nonholonomic(now_, k_);
    part(r, kRolling) = k_ / dv_;
    system_->constraint(now_, g_);
    part(r, kPositionLevel) = g_ / dq_;

    correction_ = part(x, kCorrection);
    nu_ = part(x, kPositionLevel);
    if (variant_ == GglVariant::kClassical) {
      scratch_ = correction_;
      G_begin_.multiply_transposed_add(-1.0, nu_, scratch_);
    } else {
      system_->constraint_jacobian(now_, G_);
      scratch_.setZero();
      M_.multiply_add(1.0, correction_, scratch_);
      G_.multiply_transposed_add(-1.0, nu_, scratch_);
    }
    part(r, kCorrection) = scratch_;
  }

  void assemble(const Vector& x) override {
    differentiate_momentum();
    system_->constraint_velocity_tangent(now_, chart(), Gv_q_);
    add_momentum_row(kMotion, kMotion, kVelocityLevel, kRolling);
    matrix_.add(kMotion, kCorrection, dq_, K_);

    matrix_.add(kVelocityLevel, kMotion, 1.0, G_);
    matrix_.add(kVelocityLevel, kMotion, dq_ / dv_, Gv_q_);
    matrix_.add(kVelocityLevel, kCorrection, dq_ / dv_, Gv_q_);
    if (sizes_.nonholonomic > 0) {
      matrix_.add(kRolling, kMotion, 1.0, k_v_);
      matrix_.add(kRolling, kMotion, dq_ / dv_, k_q_);
      matrix_.add(kRolling, kCorrection, dq_ / dv_, k_q_);
    }
    matrix_.add(kPositionLevel, kMotion, 1.0, constraint_tangent());
    matrix_.add(kPositionLevel, kCorrection, 1.0, constraint_tangent());

    if (variant_ == GglVariant::kClassical) {
      matrix_.add(kCorrection, kCorrection, 1.0, identity_);
      matrix_.add(kCorrection, kPositionLevel, -1.0, G_begin_, Transposed::kYes);
    } else {
      add_weighted_correction(x);
    }
    add_control_rows(kMotion, dq_, dv_, 1.0);
    add_control_rows(kCorrection, dq_, 0.0, 0.0);
    add_control_rates(kVelocityLevel);
  }

  // M(q) Û - G(q)ᵀ ν̂, whose own tangent is that of the momentum without forces
  void add_weighted_correction(const Vector& x) {
    point_ = now_;
    point_.acceleration = part(x, kCorrection);
    point_.multiplier = part(x, kPositionLevel);
    point_.nonholonomic_multiplier.setZero();
    system_->correction_tangent(point_, chart(), C_q_, C_v_);
    matrix_.add(kCorrection, kMotion, dq_, C_q_);
    matrix_.add(kCorrection, kCorrection, dq_, C_q_);
    matrix_.add(kCorrection, kCorrection, 1.0, M_);
    matrix_.add(kCorrection, kPositionLevel, -1.0, G_, Transposed::kYes);
  }

  GglVariant variant_;
  SparseMatrix G_begin_, identity_, C_q_, C_v_;
  State point_;
  Vector correction_, nu_;
};

}  // namespace

std::unique_ptr<Stepper> make_ggl(const GglOptions& options) {
  return std::make_unique<Ggl>(chung_hulbert_parameters(options.rho), options);
}

}  // namespace picus
