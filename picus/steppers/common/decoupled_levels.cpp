// SPDX-License-Identifier: BSD-3-Clause
// Algorithm 1 of bruls-acary-cardona: an iteration solves for the smooth motion, then for the
// correction of the positions, then for that of the velocities, each with the results of the ones
// before. The matrix is that of the coupled equations without what couples the three. The active
// sets are those of the beginning of the iteration. It ends when the residuals are small, which may
// be the case before the first iteration.
#include <algorithm>
#include <cmath>

#include "picus/steppers/common/nonsmooth_alpha.h"

namespace picus {

void NonsmoothAlpha::start_levels() {
  has_matrix_ = false;
  matrix_h_ = guess_force_ = 0.0;
  residual_ = correction_ = guess_ = Vector::Zero(matrix_.size());
  if (alpha_options_.solution == StepSolution::kCoupled) return;
  std::vector<int> groups(static_cast<std::size_t>(matrix_.blocks()), 0);  // controls: with motion
  for (const Part part : {kCorrection, kPositionLevel})
    groups[part] = 1;
  for (const Part part : {kJump, kVelocityLevel, kRollingLevel})
    groups[part] = 2;
  matrix_.decouple(std::move(groups));
}

NewtonReport NonsmoothAlpha::solve_decoupled(Vector& x) {
  guess(*from_, x);
  x.tail(sizes_.controls) = from_->control_rate;
  guess_ = x;
  guess_force_ = largest_force(x);
  NewtonReport report;
  if (options_.newton.jacobian_reuse != JacobianReuse::kAcrossSteps || matrix_h_ != h_)
    has_matrix_ = false;
  double last = 0.0;
  for (;;) {
    problem().residual(x, residual_);
    if (wants_restart_) {
      x = guess_;
      problem().residual(x, residual_);
    }
    const double size = residual_norm(x, report.worst_row);
    report.worst_residual = std::abs(residual_(report.worst_row));
    if (last > 0.0) report.rate = size / last;
    last = size;
    if (!std::isfinite(size)) return failed(report, NewtonReport::Status::kNotFinite);
    if (size <= 1.0) break;
    if (cycling_row() >= 0) {
      report.worst_row = cycling_row();
      return failed(report, NewtonReport::Status::kCycling);
    }
    if (report.iterations >= options_.newton.newton_max_iterations)
      return failed(report, NewtonReport::Status::kTooManyIterations);
    if (!iterate_levels(x, report)) return failed(report, NewtonReport::Status::kSingular);
  }
  return report;
}

bool NonsmoothAlpha::iterate_levels(Vector& x, NewtonReport& report) {
  const bool has_other_set = has_active_set() && is_stale();
  if (has_other_set || !has_matrix_ ||
      options_.newton.jacobian_reuse == JacobianReuse::kEveryIteration) {
    ++report.factorizations;
    ++report.refreshed[has_other_set ? Refresh::kActiveSet : Refresh::kPolicy];
    if (!problem().linearize(x)) return false;
    has_matrix_ = true;
    matrix_h_ = h_;
  }
  set_is_frozen_ = true;
  constexpr Part kFirst[] = {kMotion, kCorrection, kJump};
  const int ends[] = {kCorrection, kJump, kRollingLevel + 1};
  for (std::size_t level = 0; level < std::size(kFirst); ++level) {
    if (level > 0) problem().residual(x, residual_);
    correction_.setZero();
    for (int block = kFirst[level]; block < ends[level]; ++block)
      part(correction_, block) = part(residual_, block);
    if (level == 0) correction_.tail(sizes_.controls) = residual_.tail(sizes_.controls);
    problem().solve(correction_);
    x -= correction_;
  }
  set_is_frozen_ = false;
  ++report.iterations;
  return true;
}

NewtonReport NonsmoothAlpha::failed(NewtonReport report, NewtonReport::Status status) {
  has_matrix_ = false;
  report.status = status;
  return report;
}

// Residuals are judged as forces, relative to the largest one of the guess and of the iterate: what
// closes a gap at once is a force, too.
double NonsmoothAlpha::residual_norm(const Vector& x, int& row) {
  double largest = 0.0;
  row = 0;
  for (int block = 0; block < matrix_.blocks(); ++block) {
    for (int i = 0; i < matrix_.block_size(block); ++i) {
      const double size = mass_of(block, i) * std::abs(residual_(matrix_.offset(block) + i));
      if (size <= largest) continue;  // false for NaN
      largest = size;
      row = matrix_.offset(block) + i;
    }
  }
  double scale = alpha_options_.force_scale;
  if (scale == 0.0) scale = std::max(guess_force_, largest_force(x));
  return largest / (alpha_options_.residual_tolerance * scale + inertia() * rounding());
}

double NonsmoothAlpha::mass_of(int block, int i) const {
  switch (block) {
    case kReaction:
    case kPositionLevel:
    case kVelocityLevel:
      return is_active(static_cast<Part>(block), i) ? mass_(i) : 1.0;
    case kRolling:
    case kRollingLevel:
      if (i < sizes_.rollings()) return inertia();
      return friction_.mass_of(block == kRolling ? FrictionRows::kRateOnSmoothMotion
                                                 : FrictionRows::kSlipAtVelocityLevel,
                               i);
    default:
      return 1.0;
  }
}

double NonsmoothAlpha::largest_force(const Vector& x) const {
  double largest = 0.0;
  for (int i = 0; i < sizes_.velocities; ++i)
    largest = std::max(largest, inertia() * std::abs(part(x, kMotion)(i)));
  for (const Part force : {kReaction, kRolling, kPositionLevel, kVelocityLevel, kRollingLevel})
    for (int i = 0; i < matrix_.block_size(force); ++i)
      largest = std::max(largest, std::abs(part(x, force)(i)));
  return largest;
}

}  // namespace picus
