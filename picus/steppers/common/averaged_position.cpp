// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/averaged_position.h"

namespace picus {

std::vector<NewtonStepper::Block> AveragedPosition::blocks() const {
  return {{Equation::kMomentum, "averaged momentum balance"},
          {Equation::kConstraint, "constraint at position level"},
          {Equation::kNonholonomic, "nonholonomic constraint"}};
}

void AveragedPosition::guess(const State& state, Vector& x) const {
  part(x, kMotion) = state.acceleration;
  part(x, kReaction) = state.multiplier;
  part(x, kRolling) = state.nonholonomic_multiplier;
}

void AveragedPosition::move(const Vector& x) {
  set_acceleration(part(x, kMotion));
  move_by(part(x, kMotion), part(x, kMotion));
  now_.multiplier = part(x, kReaction);
  now_.nonholonomic_multiplier = part(x, kRolling);
}

void AveragedPosition::equations(const Vector& x, Vector& r) {
  if (mass_point_ == MassPoint::kEnd && !system_->has_constant_mass())
    system_->mass_matrix(now_, M_);
  system_->force(now_, F_);
  momentum(part(x, kMotion), F_, scratch_);
  part(r, kMotion) = scratch_;
  if (sizes_.constraints > 0) {
    system_->constraint(now_, g_);
    part(r, kReaction) = g_ / dq_;
  }
  if (sizes_.nonholonomic > 0) {
    system_->nonholonomic(now_, k_);
    part(r, kRolling) = k_ / dv_;
  }
}

void AveragedPosition::assemble(const Vector& x) {
  // M_{1+α} does not move with the unknowns; M(q_1) does: (14) with its misprint mended
  point_ = now_;
  if (mass_point_ == MassPoint::kEnd) {
    point_.acceleration = gain_ * part(x, kMotion);
  } else {
    point_.acceleration.setZero();
  }
  system_->momentum_tangent(point_, chart(), K_, D_);
  differentiate_constraints();
  matrix_.add(kMotion, kMotion, gain_, M_);
  matrix_.add(kMotion, kMotion, dq_, K_);
  matrix_.add(kMotion, kMotion, dv_, D_);
  if (sizes_.constraints + sizes_.nonholonomic > 0) {
    system_->multiplier_tangent(now_, F_lambda_, F_psi_);
    matrix_.add(kMotion, kReaction, -1.0, F_lambda_);
    matrix_.add(kMotion, kRolling, -1.0, F_psi_);
  }
  if (sizes_.constraints > 0) matrix_.add(kReaction, kMotion, 1.0, constraint_tangent());
  if (sizes_.nonholonomic > 0) {
    matrix_.add(kRolling, kMotion, 1.0, k_v_);
    matrix_.add(kRolling, kMotion, dq_ / dv_, k_q_);
  }
  add_control_force(kMotion);
  add_control_rows(kMotion, dq_, dv_, da());
  add_control_rates(kReaction);
}

void AveragedPosition::load_error(const Vector& error, Vector& r) {
  multiply_mass(error, scratch_);
  part(r, kMotion) = scratch_;
  if (sizes_.nonholonomic == 0) return;
  multiply_rolling(k_q_, k_v_, error, k_);
  part(r, kRolling) = k_;
}

void AveragedPosition::end_step(const Vector& x) {
  scratch_ = part(x, kMotion);
  finish(scratch_);
}

}  // namespace picus
