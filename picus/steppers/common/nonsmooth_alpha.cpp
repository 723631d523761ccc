// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/nonsmooth_alpha.h"

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {

NonsmoothAlpha::NonsmoothAlpha(const NonsmoothAlphaOptions& options)
    : ThreeLevels(chung_hulbert_parameters(options.rho), options.common),
      smooth_set_(options.smooth_set),
      open_contacts_(options.open_contacts),
      r_(options.r) {
  if (!(options.r > 0.0)) throw InputError("option 'r': expected a positive number");
}

const Vector* NonsmoothAlpha::internal(std::string_view name) const {
  if (name == "impulse") return &impulse_;
  return ThreeLevels::internal(name);
}

void NonsmoothAlpha::start_history(const State& state) {
  ThreeLevels::start_history(state);
  eta_.start(state.multiplier);
  impulse_ = Vector::Zero(sizes_.constraints);
  gap_rate_before_ = star_position_ = star_velocity_ = impulse_;
  levels_.assign(static_cast<std::size_t>(sizes_.contacts), kOpen);
  linearized_.assign(levels_.size(), kStale);
  mass_ = Vector::Ones(sizes_.contacts);
  laws_.clear();
  for (int j = 0; j < sizes_.contacts; ++j)
    laws_.push_back(system_->contact_law(j));
  for (const ContactLaw& contact : laws_)
    if (contact.friction > 0.0)
      throw InputError(fmt::format("{} does not know friction; use moreau_jean", name()));
}

void NonsmoothAlpha::begin_step() {
  ThreeLevels::begin_step();
  if (!refining_start_) eta_.begin(h_, alpha_, options_.adjustment);
  const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
  const Vector& eta = eta_.at_begin();
  free_eta_ = (alpha_f * from_->multiplier - alpha_m * eta) / (1.0 - alpha_m);
  // what the past contributes to ν* and Λ*, over dq and dv
  star_position_ = h_ * h_ * ((0.5 - beta) * eta + beta * free_eta_) / dq_;
  star_velocity_ = h_ * ((1.0 - gamma) * eta + gamma * free_eta_) / dv_;
  if (sizes_.contacts > 0) {
    system_->constraint_velocity(*from_, gap_rate_before_);
    estimate_masses();
  }
}

void NonsmoothAlpha::replace_residuals(const Vector& x, Vector& r) {
  decide(x, r);
  for (int row = 0; row < sizes_.constraints; ++row) {
    if (!is_active(kReaction, row)) part(r, kReaction)(row) = part(x, kReaction)(row);
    if (row < sizes_.joints()) continue;
    const int j = row - sizes_.joints();
    // (65f), (65i); in A both are equations of motion
    if (!is_active(kPositionLevel, row))
      part(r, kPositionLevel)(row) = part(x, kPositionLevel)(row) + past(kPositionLevel, x, row);
    if (is_active(kVelocityLevel, row)) {
      part(r, kVelocityLevel)(row) += law(j).restitution * gap_rate_before_(row) / dv_;  // (65h)
    } else {
      part(r, kVelocityLevel)(row) = part(x, kVelocityLevel)(row) + past(kVelocityLevel, x, row);
    }
  }
  for (int row = sizes_.rollings(); row < sizes_.nonholonomic; ++row) {
    part(r, kRolling)(row) = part(x, kRolling)(row);  // without friction
    part(r, kRollingLevel)(row) = part(x, kRollingLevel)(row);
  }
}

const SparseMatrix& NonsmoothAlpha::in_force(Part level, const SparseMatrix& rows) {
  if (is_plain()) return rows;
  SparseMatrix& kept = masked_[{level, &rows}];
  kept.begin(rows.rows(), rows.cols());
  rows.for_each([&](int row, int col, double value) {
    kept.add(row, col, is_active(level, row) ? value : 0.0);
  });
  kept.end();
  return kept;
}

void NonsmoothAlpha::add_replaced_rows() {
  linearized_ = levels_;
  if (is_plain()) return;
  for (const Part level : {kReaction, kPositionLevel, kVelocityLevel}) {
    fill_inactive(level, sizes_.constraints);
    matrix_.add(level, level, 1.0, inactive_[level]);
    if (level != kReaction && open_contacts_ == OpenContacts::kComplementary)
      matrix_.add(level, kReaction, 1.0, inactive_[level]);
  }
  for (const Part level : {kRolling, kRollingLevel}) {
    fill_inactive(level, sizes_.nonholonomic);
    matrix_.add(level, level, 1.0, inactive_[level]);
  }
}

void NonsmoothAlpha::end_step(const Vector& x) {
  ThreeLevels::end_step(x);
  const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
  eta_.at_end() = free_eta_ + (1.0 - alpha_f) / (1.0 - alpha_m) * now_.multiplier;
  impulse_ = dv_ * part(x, kVelocityLevel) + h_ * (1.0 - gamma) * eta_.at_begin() +
             h_ * gamma * eta_.at_end();  // (65m)
}

void NonsmoothAlpha::accept_history() {
  ThreeLevels::accept_history();
  eta_.accept();
}

bool NonsmoothAlpha::is_active(Part level, int row) const {
  if (level == kRolling || level == kRollingLevel) return row < sizes_.rollings();
  if (row < sizes_.joints()) return level != kReaction || smooth_set_ != SmoothSet::kNone;
  const Activity activity = levels_[static_cast<std::size_t>(row - sizes_.joints())];
  return activity >= (level == kPositionLevel ? kInA : level == kVelocityLevel ? kInB : kInS);
}

double NonsmoothAlpha::star(Part level, const Vector& x, int row) const {
  return (level == kPositionLevel ? star_position_ : star_velocity_)(row) + part(x, kReaction)(row);
}

double NonsmoothAlpha::past(Part level, const Vector& x, int row) const {
  return open_contacts_ == OpenContacts::kPaper ? 0.0 : star(level, x, row);
}

void NonsmoothAlpha::decide(const Vector& x, const Vector& r) {
  for (int j = 0; j < sizes_.contacts; ++j) {
    const int row = sizes_.joints() + j;
    const double mass = r_ * mass_(j);
    Activity& activity = levels_[static_cast<std::size_t>(j)];
    activity = kOpen;
    const double nu = part(x, kPositionLevel)(row) + star(kPositionLevel, x, row);
    if (nu - mass * part(r, kPositionLevel)(row) < 0.0) continue;
    activity = kInA;
    const double lambda = part(x, kVelocityLevel)(row) + star(kVelocityLevel, x, row);
    const double rate =
        part(r, kVelocityLevel)(row) + law(j).restitution * gap_rate_before_(row) / dv_;
    if (lambda - mass * rate < 0.0) continue;
    activity = kInB;
    if (smooth_set_ != SmoothSet::kJointsAndContacts) continue;
    if (part(x, kReaction)(row) - mass * part(r, kReaction)(row) < 0.0) continue;
    activity = kInS;
  }
}

// 1 / Σ G²/M: the mass that a contact sees, had M only its diagonal.
void NonsmoothAlpha::estimate_masses() {
  system_->constraint_jacobian(*from_, G_);
  if (!has_constant_mass_) system_->mass_matrix(*from_, M_);
  diagonal_.setZero(sizes_.velocities);
  M_.for_each([&](int row, int col, double value) {
    if (row == col) diagonal_(row) = value;
  });
  mass_.setZero();
  G_.for_each([&](int row, int col, double value) {
    const int j = row - sizes_.joints();
    if (j >= 0 && diagonal_(col) > 0.0) mass_(j) += value * value / diagonal_(col);
  });
  for (int j = 0; j < sizes_.contacts; ++j)
    mass_(j) = mass_(j) > 0.0 ? 1.0 / mass_(j) : 1.0;
}

void NonsmoothAlpha::fill_inactive(Part level, int size) {
  SparseMatrix& diagonal = inactive_[level];
  diagonal.begin(size, size);
  for (int row = 0; row < size; ++row)
    diagonal.add(row, row, is_active(level, row) ? 0.0 : 1.0);
  diagonal.end();
}

}  // namespace picus
