// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/averaged_alpha.h"

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

// The tracked constant may pass through zero in the first steps; never trust it below this part of
// the steady one.
constexpr double kLeastConstant = 0.5;

// How much of an error across constraints and along stiff directions counts all the same.
constexpr double kFilteredPart = 0.1;

}  // namespace

const Vector* AveragedAlpha::internal(std::string_view name) const {
  return name == "shifted_acceleration" ? &a_.at_end() : nullptr;
}

void AveragedAlpha::start_history(const State& state) {
  a_.start(state.acceleration);
  system_->mass_matrix(state, M_begin_);
  system_->mass_matrix(state, M_);
  scratch_ = Vector::Zero(sizes_.velocities);
  M_begin_.multiply_add(1.0, state.acceleration, scratch_);
  Ma_.start(scratch_);
  point_ = state;
  filtered_ = Vector::Zero(matrix_.size());
}

// A constant one is found by start_history.
void AveragedAlpha::mass_at(double fraction, SparseMatrix& M) {
  if (system_->has_constant_mass()) return;
  point_.time = from_->time + fraction * h_;
  scratch_ = fraction * h_ * from_->velocity;
  system_->retract(from_->position, scratch_, point_.position);
  system_->mass_matrix(point_, M);
}

void AveragedAlpha::begin_step() {
  const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
  if (!refining_start_) a_.begin(h_, alpha_, options_.adjustment);
  if (!refining_start_) Ma_.begin(h_, alpha_, options_.adjustment);
  const Vector& a = a_.at_begin();
  free_increment_ = h_ * from_->velocity + h_ * h_ * (0.5 - beta) * a;
  free_velocity_ = from_->velocity + h_ * (1.0 - gamma) * a;
  dq_ = h_ * h_ * beta;
  dv_ = h_ * gamma;
  gain_ = (1.0 - alpha_m) / (1.0 - alpha_f);

  system_->force(*from_, F_begin_);
  known_ = -alpha_f / (1.0 - alpha_f) * F_begin_;
  if (alpha_m != 0.0) {
    if (previous_mass_ == PreviousMass::kEvaluated) {
      mass_at(alpha_.shift(), M_begin_);
      M_begin_.multiply_add(alpha_m / (1.0 - alpha_f), a, known_);
    } else {
      known_ += alpha_m / (1.0 - alpha_f) * Ma_.at_begin();
    }
  }
  mass_at(1.0 + alpha_.shift(), M_);
}

// jay-negrut (8): M_α a_α = (1 - α) F_0 + α F_1, solved together with the first step.
bool AveragedAlpha::refine_start() {
  if (options_.initial_shift == InitialShift::kAcceleration || !a_.is_first_step()) return false;
  const double alpha = alpha_.shift();
  system_->force(now_, F_);
  mass_at(alpha, M_begin_);
  start_matrix_.reset({sizes_.velocities});
  start_matrix_.begin();
  start_matrix_.add(0, 0, 1.0, M_begin_);
  if (!start_matrix_.factorize()) return false;
  scratch_ = (1.0 - alpha) * F_begin_ + alpha * F_;
  const Vector product = scratch_;
  start_matrix_.solve(scratch_);
  const double change = max_abs(scratch_ - a_.at_begin());
  if (change <= start_tolerance() * max_abs(scratch_)) return false;
  a_.refine(scratch_, alpha_);
  Ma_.refine(product, alpha_);
  return true;
}

// With the shifted accelerations at t_0 + s_0 h and t_1 + s_1 h, their change is
// x = (1 + s_1 - s_0) h a', and the position is off by (s_0/2 + β (1 + s_1 - s_0) - 1/6) h³ a'. In
// steady running s_0 = s_1 = α: α/2 + β - 1/6. After a start with v̇_0 it is the constant of
// negrut-hht-i3 (26), β - 1/(6(1+α)) for HHT.
double AveragedAlpha::error_constant() const {
  const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
  const double paper = beta - (1.0 - alpha_m) / (6.0 * (1.0 - alpha_f));
  if (options_.error.error_constant == ErrorConstant::kPaper) return std::abs(paper);
  const double steady = 0.5 * alpha_.shift() + beta - 1.0 / 6.0;
  const double begin = a_.begin_shift(), distance = 1.0 + a_.end_shift() - begin;
  if (distance < 0.1) return std::max(std::abs(paper), std::abs(steady));
  return std::max(std::abs(0.5 * begin - 1.0 / 6.0 + beta * distance) / distance,
                  kLeastConstant * std::abs(steady));
}

// The error is then taken through the matrix of the step, A e' = (1-α_m)/(1-α_f) M e: constraints
// g = 0 hold at the end of the step whatever the accelerations across them, and the method damps
// what is stiff. What remains is the error of the motion. A part of what goes still counts, so that
// motions that constraints prescribe are resolved, too.
void AveragedAlpha::local_error(Vector& error) {
  error = error_constant() * h_ * h_ * (a_.at_end() - a_.at_begin());
  if (options_.error.error_constant == ErrorConstant::kPaper) return;
  shifted_ = error;
  filtered_.setZero();
  load_error(error, filtered_);
  solve_with_matrix(filtered_);
  position_acceleration(filtered_, error);
  error = error.cwiseAbs().cwiseMax(kFilteredPart * shifted_.cwiseAbs());
}

void AveragedAlpha::finish(const Vector& shifted) {
  a_.at_end() = shifted;
  Ma_.at_end().setZero();
  M_.multiply_add(1.0, shifted, Ma_.at_end());
}

void AveragedAlpha::accept_history() {
  a_.accept();
  Ma_.accept();
}

void AveragedAlpha::differentiate_constraints() {
  if (sizes_.constraints > 0) {
    system_->constraint_jacobian(now_, G_);
    if (!system_->is_flat()) system_->constraint_tangent(now_, chart(), G_q_);
  }
  if (sizes_.nonholonomic > 0) system_->nonholonomic_tangent(now_, chart(), k_q_, k_v_);
}

}  // namespace picus
