// SPDX-License-Identifier: BSD-3-Clause
// Generalized-α on the stabilized index-1 form: the constraints hold at position, velocity and
// acceleration level at once. bruls-acary-cardona (70) with (65j) corrected, "PVA-constrained".
//
//   M v̇ - Gᵀ λ - k_vᵀ ψ = f        G v̇ + … = 0,  k̇ = 0
//   M U - Gᵀ ν = 0                  g(q_{n+1}) = 0
//   M W - Gᵀ Λ - k_vᵀ Ψ = 0         G v_{n+1} + g_t = 0,  k = 0
//
// Unknowns are scaled to accelerations and forces: U = dq Û, ν = dq ν̂, W = dv Ŵ, Λ = dv Λ̂, Ψ = dv
// Ψ̂, with dq and dv the derivatives of positions and velocities by the accelerations.
#include "picus/steppers/common/auxiliary_alpha.h"

namespace picus {
namespace {

class StabilizedIndex1 final : public AuxiliaryAlpha {
 public:
  using AuxiliaryAlpha::AuxiliaryAlpha;

  StepperTraits traits() const override {
    return {.order = 2, .holonomic = true, .nonholonomic = true, .general_reactions = true};
  }

 private:
  enum Part {
    kMotion,         // v̇
    kReaction,       // λ
    kRolling,        // ψ
    kCorrection,     // Û
    kPositionLevel,  // ν̂
    kJump,           // Ŵ
    kVelocityLevel,  // Λ̂
    kRollingLevel    // Ψ̂
  };

  const char* name() const override { return "stabilized_index1"; }

  std::vector<Block> blocks() const override {
    return {{Equation::kMomentum, "momentum balance"},
            {Equation::kConstraint, "constraint at acceleration level"},
            {Equation::kNonholonomic, "rate of the nonholonomic constraint"},
            {Equation::kMomentum, "position correction"},
            {Equation::kConstraint, "constraint at position level"},
            {Equation::kMomentum, "velocity correction"},
            {Equation::kConstraint, "constraint at velocity level"},
            {Equation::kNonholonomic, "nonholonomic constraint"}};
  }

  void guess(const State& state, Vector& x) const override {
    x.setZero();
    part(x, kMotion) = state.acceleration;
    part(x, kReaction) = state.multiplier;
    part(x, kRolling) = state.nonholonomic_multiplier;
  }

  void move(const Vector& x) override {
    move_by(part(x, kMotion));
    increment_ += dq_ * part(x, kCorrection);
    now_.velocity += dv_ * part(x, kJump);
    place();
    now_.multiplier = part(x, kReaction);
    now_.nonholonomic_multiplier = part(x, kRolling);
  }

  void equations(const Vector& x, Vector& r) override {
    momentum(scratch_);
    part(r, kMotion) = scratch_;
    system_->constraint_acceleration(now_, g_);
    part(r, kReaction) = g_;
    system_->constraint(now_, g_);
    part(r, kPositionLevel) = g_ / dq_;
    system_->constraint_velocity(now_, g_);
    part(r, kVelocityLevel) = g_ / dv_;
    system_->nonholonomic_rate(now_, k_);
    part(r, kRolling) = k_;
    system_->nonholonomic(now_, k_);
    part(r, kRollingLevel) = k_ / dv_;

    if (sizes_.constraints > 0) system_->constraint_jacobian(now_, G_);
    if (sizes_.nonholonomic > 0) system_->nonholonomic_tangent(now_, chart(), k_q_, k_v_);
    const auto correction = [&](int motion, int level, int rolling) {
      u_ = part(x, motion);
      scratch_.setZero();
      M_.multiply_add(1.0, u_, scratch_);
      if (sizes_.constraints > 0) {
        nu_ = part(x, level);
        G_.multiply_transposed_add(-1.0, nu_, scratch_);
      }
      if (rolling >= 0 && sizes_.nonholonomic > 0) {
        nu_ = part(x, rolling);
        k_v_.multiply_transposed_add(-1.0, nu_, scratch_);
      }
      part(r, motion) = scratch_;
    };
    correction(kCorrection, kPositionLevel, -1);
    correction(kJump, kVelocityLevel, kRollingLevel);
  }

  // Adds the derivatives of a row by everything that moves q and v: by v̇, Û and Ŵ.
  void add_through_motion(int row, double factor, const SparseMatrix* along_position,
                          const SparseMatrix* along_velocity) {
    if (along_position != nullptr) {
      matrix_.add(row, kMotion, factor * dq_, *along_position);
      matrix_.add(row, kCorrection, factor * dq_, *along_position);
    }
    if (along_velocity != nullptr) {
      matrix_.add(row, kMotion, factor * dv_, *along_velocity);
      matrix_.add(row, kJump, factor * dv_, *along_velocity);
    }
  }

  void assemble(const Vector& x) override {
    differentiate_momentum();
    matrix_.add(kMotion, kMotion, 1.0, M_);
    add_through_motion(kMotion, 1.0, &K_, &D_);
    add_reactions(kMotion, kReaction, kRolling);
    add_control_force(kMotion);

    if (sizes_.constraints > 0) {
      system_->constraint_velocity_tangent(now_, chart(), Gv_q_);
      system_->constraint_acceleration_tangent(now_, chart(), Ga_q_, Ga_v_);
      matrix_.add(kReaction, kMotion, 1.0, G_);
      add_through_motion(kReaction, 1.0, &Ga_q_, &Ga_v_);
      add_through_motion(kPositionLevel, 1.0 / dq_, &constraint_tangent(), nullptr);
      add_through_motion(kVelocityLevel, 1.0 / dv_, &Gv_q_, &G_);
    }
    if (sizes_.nonholonomic > 0) {
      system_->nonholonomic_rate_tangent(now_, chart(), kd_q_, kd_v_);
      matrix_.add(kRolling, kMotion, 1.0, k_v_);
      add_through_motion(kRolling, 1.0, &kd_q_, &kd_v_);
      add_through_motion(kRollingLevel, 1.0 / dv_, &k_q_, &k_v_);
    }
    add_correction_row(x, kCorrection, kPositionLevel, -1, U_q_, U_v_);
    add_correction_row(x, kJump, kVelocityLevel, kRollingLevel, W_q_, W_v_);

    add_control_rows(kMotion, dq_, dv_, 1.0);
    add_control_rows(kCorrection, dq_, 0.0, 0.0);
    add_control_rows(kJump, 0.0, dv_, 0.0);
    add_control_rates(kReaction);
  }

  // M(q) u - G(q)ᵀ ν - k_v(q,v)ᵀ Ψ
  void add_correction_row(const Vector& x, int motion, int level, int rolling,
                          SparseMatrix& along_position, SparseMatrix& along_velocity) {
    point_ = now_;
    point_.acceleration = part(x, motion);
    point_.multiplier = part(x, level);
    if (rolling >= 0) {
      point_.nonholonomic_multiplier = part(x, rolling);
    } else {
      point_.nonholonomic_multiplier.setZero();
    }
    system_->correction_tangent(point_, chart(), along_position, along_velocity);
    matrix_.add(motion, motion, 1.0, M_);
    add_through_motion(motion, 1.0, &along_position, &along_velocity);
    if (sizes_.constraints > 0) matrix_.add(motion, level, -1.0, G_, Transposed::kYes);
    if (rolling >= 0 && sizes_.nonholonomic > 0)
      matrix_.add(motion, rolling, -1.0, k_v_, Transposed::kYes);
  }

  SparseMatrix U_q_, U_v_, W_q_, W_v_;
  State point_;
  Vector u_, nu_;
};

}  // namespace

std::unique_ptr<Stepper> make_stabilized_index1(const GeneralizedAlphaOptions& options) {
  return std::make_unique<StabilizedIndex1>(chung_hulbert_parameters(options.rho), options.common);
}

}  // namespace picus
