// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/three_levels.h"

namespace picus {

std::vector<NewtonStepper::Block> ThreeLevels::blocks() const {
  return {{Equation::kMomentum, "momentum balance"},
          {Equation::kConstraint, "constraint at acceleration level"},
          {Equation::kNonholonomic, "rate of the nonholonomic constraint"},
          {Equation::kMomentum, "position correction"},
          {Equation::kConstraint, "constraint at position level"},
          {Equation::kMomentum, "velocity correction"},
          {Equation::kConstraint, "constraint at velocity level"},
          {Equation::kNonholonomic, "nonholonomic constraint"}};
}

void ThreeLevels::guess(const State& state, Vector& x) const {
  x.setZero();
  part(x, kMotion) = state.acceleration;
  part(x, kReaction) = state.multiplier;
  part(x, kRolling) = state.nonholonomic_multiplier;
}

void ThreeLevels::move(const Vector& x) {
  move_by(part(x, kMotion));
  increment_ += dq_ * part(x, kCorrection);
  now_.velocity += dv_ * part(x, kJump);
  place();
  now_.multiplier = part(x, kReaction);
  now_.nonholonomic_multiplier = part(x, kRolling);
}

void ThreeLevels::equations(const Vector& x, Vector& r) {
  momentum(scratch_);
  part(r, kMotion) = scratch_;
  smooth_constraint(x, r);
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
  sum_slip_impulses(x);
  correction_residual(x, r, kCorrection, kPositionLevel,
                      sizes_.slips > 0 ? &slip_impulses_ : nullptr);
  correction_residual(x, r, kJump, kVelocityLevel,
                      sizes_.nonholonomic > 0 ? &rolling_impulses_ : nullptr);
  replace_residuals(x, r);
}

void ThreeLevels::smooth_constraint(const Vector&, Vector& r) {
  system_->constraint_acceleration(now_, g_);
  part(r, kReaction) = g_;
}

void ThreeLevels::sum_slip_impulses(const Vector& x) {
  rolling_impulses_ = part(x, kRollingLevel);
  slip_impulses_ = slip_share() * rolling_impulses_;
  slip_impulses_.head(sizes_.rollings()).setZero();
}

void ThreeLevels::correction_residual(const Vector& x, Vector& r, Part motion, Part level,
                                      const Vector* p) {
  u_ = part(x, motion);
  scratch_.setZero();
  M_.multiply_add(1.0, u_, scratch_);
  if (sizes_.constraints > 0) {
    nu_ = part(x, level);
    G_.multiply_transposed_add(-1.0, nu_, scratch_);
  }
  if (p != nullptr) k_v_.multiply_transposed_add(-1.0, *p, scratch_);
  part(r, motion) = scratch_;
}

void ThreeLevels::add_through_motion(int row, double factor, const SparseMatrix* along_position,
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

void ThreeLevels::add_smooth_rows() {
  system_->constraint_acceleration_tangent(now_, chart(), Ga_q_, Ga_v_);
  matrix_.add(kReaction, kMotion, 1.0, in_force(kReaction, G_));
  add_through_motion(kReaction, 1.0, &in_force(kReaction, Ga_q_), &in_force(kReaction, Ga_v_));
}

void ThreeLevels::assemble(const Vector& x) {
  differentiate_momentum();
  matrix_.add(kMotion, kMotion, 1.0, M_);
  add_through_motion(kMotion, 1.0, &K_, &D_);
  add_reactions(kMotion, kReaction, kRolling);
  add_control_force(kMotion);

  if (sizes_.constraints > 0) {
    add_smooth_rows();
    system_->constraint_velocity_tangent(now_, chart(), Gv_q_);
    add_through_motion(kPositionLevel, 1.0 / dq_, &in_force(kPositionLevel, constraint_tangent()),
                       nullptr);
    add_through_motion(kVelocityLevel, 1.0 / dv_, &in_force(kVelocityLevel, Gv_q_),
                       &in_force(kVelocityLevel, G_));
  }
  if (sizes_.nonholonomic > 0) {
    system_->nonholonomic_rate_tangent(now_, chart(), kd_q_, kd_v_);
    matrix_.add(kRolling, kMotion, 1.0, in_force(kRolling, k_v_));
    add_through_motion(kRolling, 1.0, &in_force(kRolling, kd_q_), &in_force(kRolling, kd_v_));
    add_through_motion(kRollingLevel, 1.0 / dv_, &in_force(kRollingLevel, k_q_),
                       &in_force(kRollingLevel, k_v_));
  }
  sum_slip_impulses(x);
  add_correction_row(x, kCorrection, kPositionLevel, sizes_.slips > 0 ? &slip_impulses_ : nullptr,
                     U_q_, U_v_);
  add_correction_row(x, kJump, kVelocityLevel,
                     sizes_.nonholonomic > 0 ? &rolling_impulses_ : nullptr, W_q_, W_v_);
  if (sizes_.nonholonomic > 0) matrix_.add(kJump, kRollingLevel, -1.0, k_v_, Transposed::kYes);
  if (sizes_.slips > 0) {
    slip_rows_.begin(k_v_.rows(), k_v_.cols());
    k_v_.for_each([&](int row, int col, double value) {
      slip_rows_.add(row, col, row < sizes_.rollings() ? 0.0 : value);
    });
    slip_rows_.end();
    matrix_.add(kCorrection, kRollingLevel, -slip_share(), slip_rows_, Transposed::kYes);
  }
  add_replaced_rows();

  add_control_rows(kMotion, dq_, dv_, 1.0);
  add_control_rows(kCorrection, dq_, 0.0, 0.0);
  add_control_rows(kJump, 0.0, dv_, 0.0);
  add_control_rates(kReaction);
}

// M(q) u - G(q)ᵀ ν - k_v(q,v)ᵀ p, but for the derivatives by p
void ThreeLevels::add_correction_row(const Vector& x, Part motion, Part level, const Vector* p,
                                     SparseMatrix& along_position, SparseMatrix& along_velocity) {
  point_ = now_;
  point_.acceleration = part(x, motion);
  point_.multiplier = part(x, level);
  if (p != nullptr) {
    point_.nonholonomic_multiplier = *p;
  } else {
    point_.nonholonomic_multiplier.setZero();
  }
  system_->correction_tangent(point_, chart(), along_position, along_velocity);
  matrix_.add(motion, motion, 1.0, M_);
  add_through_motion(motion, 1.0, &along_position, &along_velocity);
  if (sizes_.constraints > 0) matrix_.add(motion, level, -1.0, G_, Transposed::kYes);
}

}  // namespace picus
