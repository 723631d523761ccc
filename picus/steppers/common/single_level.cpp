// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/single_level.h"

namespace picus {

void SingleLevel::guess(const State& state, Vector& x) const {
  part(x, kMotion) = state.acceleration;
  part(x, kReaction) = state.multiplier;
  part(x, kRolling) = state.nonholonomic_multiplier;
}

void SingleLevel::move(const Vector& x) {
  move_by(part(x, kMotion));
  place();
  now_.multiplier = part(x, kReaction);
  now_.nonholonomic_multiplier = part(x, kRolling);
}

void SingleLevel::equations(const Vector&, Vector& r) {
  const LevelWeights w = weights(dq_, dv_);
  momentum(scratch_);
  part(r, kMotion) = scratch_;
  if (sizes_.constraints > 0) {
    part(r, kReaction).setZero();
    const auto add = [&](double weight, auto form) {
      if (weight == 0.0) return;
      (system_->*form)(now_, g_);
      part(r, kReaction) += weight * g_;
    };
    add(w.position, &System::constraint);
    add(w.velocity, &System::constraint_velocity);
    add(w.acceleration, &System::constraint_acceleration);
  }
  if (sizes_.nonholonomic > 0) {
    part(r, kRolling).setZero();
    if (w.rolling != 0.0) {
      system_->nonholonomic(now_, k_);
      part(r, kRolling) += w.rolling * k_;
    }
    if (w.rolling_rate != 0.0) {
      system_->nonholonomic_rate(now_, k_);
      part(r, kRolling) += w.rolling_rate * k_;
    }
  }
}

void SingleLevel::assemble(const Vector&) {
  const LevelWeights w = weights(dq_, dv_);
  differentiate_momentum();
  add_momentum_row(kMotion, kMotion, kReaction, kRolling);
  if (sizes_.constraints > 0) add_constraint_rows(w);
  if (sizes_.nonholonomic > 0) add_rolling_rows(w);
  add_control_rows(kMotion, dq_, dv_, 1.0);
  add_control_rates(kReaction);
}

void SingleLevel::add_constraint_rows(const LevelWeights& w) {
  // d(increment)/dv̇ = dq, dv/dv̇ = dv
  matrix_.add(kReaction, kMotion, w.velocity * dv_ + w.acceleration, G_);
  matrix_.add(kReaction, kMotion, w.position * dq_, constraint_tangent());
  if (w.velocity != 0.0) {
    system_->constraint_velocity_tangent(now_, chart(), Gv_q_);
    matrix_.add(kReaction, kMotion, w.velocity * dq_, Gv_q_);
  }
  if (w.acceleration != 0.0) {
    system_->constraint_acceleration_tangent(now_, chart(), Ga_q_, Ga_v_);
    matrix_.add(kReaction, kMotion, w.acceleration * dq_, Ga_q_);
    matrix_.add(kReaction, kMotion, w.acceleration * dv_, Ga_v_);
  }
}

void SingleLevel::add_rolling_rows(const LevelWeights& w) {
  matrix_.add(kRolling, kMotion, w.rolling * dv_ + w.rolling_rate, k_v_);
  matrix_.add(kRolling, kMotion, w.rolling * dq_, k_q_);
  if (w.rolling_rate != 0.0) {
    system_->nonholonomic_rate_tangent(now_, chart(), kd_q_, kd_v_);
    matrix_.add(kRolling, kMotion, w.rolling_rate * dq_, kd_q_);
    matrix_.add(kRolling, kMotion, w.rolling_rate * dv_, kd_v_);
  }
}

}  // namespace picus
