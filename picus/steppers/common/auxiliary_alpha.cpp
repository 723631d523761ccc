// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/auxiliary_alpha.h"

namespace picus {

AuxiliaryAlpha::AuxiliaryAlpha(const AlphaParameters& parameters, const AlphaOptions& options)
    : NewtonStepper(options), alpha_(parameters) {}

const Vector* AuxiliaryAlpha::internal(std::string_view name) const {
  return name == "shifted_acceleration" ? &a_.at_end() : nullptr;
}

void AuxiliaryAlpha::begin_step() {
  const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
  if (!refining_start_) a_.begin(h_, alpha_, options_.adjustment);
  const Vector& a = a_.at_begin();
  // a_{n+1} = free_a + (1 - α_f)/(1 - α_m) v̇_{n+1}
  free_a_ = (alpha_f * from_->acceleration - alpha_m * a) / (1.0 - alpha_m);
  free_increment_ = h_ * from_->velocity + h_ * h_ * (0.5 - beta) * a + h_ * h_ * beta * free_a_;
  free_velocity_ = from_->velocity + h_ * (1.0 - gamma) * a + h_ * gamma * free_a_;
  const double gain = (1.0 - alpha_f) / (1.0 - alpha_m);
  dq_ = h_ * h_ * beta * gain;
  dv_ = h_ * gamma * gain;
}

void AuxiliaryAlpha::end_step(const Vector&) {
  a_.at_end() = free_a_ + (1.0 - alpha_.alpha_f) / (1.0 - alpha_.alpha_m) * now_.acceleration;
}

// With v̇ known at both ends of the first step, a at t0 + αh follows by interpolation; as (8).
bool AuxiliaryAlpha::refine_start() {
  if (options_.initial_shift == InitialShift::kAcceleration || !a_.is_first_step()) return false;
  const double alpha = alpha_.shift();
  scratch_ = (1.0 - alpha) * from_->acceleration + alpha * now_.acceleration;
  const double change = max_abs(scratch_ - a_.at_begin());
  if (change <= start_tolerance() * max_abs(scratch_)) return false;
  a_.refine(scratch_, alpha_);
  return true;
}

void AuxiliaryAlpha::momentum(Vector& r) {
  system_->force(now_, F_);
  if (!has_constant_mass_) system_->mass_matrix(now_, M_);
  has_constant_mass_ = system_->has_constant_mass();
  r = -F_;
  M_.multiply_add(1.0, now_.acceleration, r);
}

void AuxiliaryAlpha::differentiate_momentum() {
  system_->momentum_tangent(now_, chart(), K_, D_);
  system_->constraint_jacobian(now_, G_);  // sized also when there are none
  if (!system_->is_flat()) system_->constraint_tangent(now_, chart(), G_q_);
  if (sizes_.nonholonomic > 0) system_->nonholonomic_tangent(now_, chart(), k_q_, k_v_);
}

void AuxiliaryAlpha::add_reactions(int row, int multiplier, int rolling) {
  if (sizes_.constraints + sizes_.nonholonomic == 0) return;
  if (system_->has_linear_reactions()) {
    if (sizes_.constraints > 0) matrix_.add(row, multiplier, -1.0, G_, Transposed::kYes);
    if (sizes_.nonholonomic > 0) matrix_.add(row, rolling, -1.0, k_v_, Transposed::kYes);
  } else {
    system_->multiplier_tangent(now_, F_lambda_, F_psi_);
    matrix_.add(row, multiplier, -1.0, F_lambda_);
    matrix_.add(row, rolling, -1.0, F_psi_);
  }
}

void AuxiliaryAlpha::add_momentum_row(int row, int acceleration, int multiplier, int rolling) {
  matrix_.add(row, acceleration, 1.0, M_);
  matrix_.add(row, acceleration, dq_, K_);
  matrix_.add(row, acceleration, dv_, D_);
  add_reactions(row, multiplier, rolling);
  add_control_force(row);
}

}  // namespace picus
