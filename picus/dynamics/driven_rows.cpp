// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/driven_rows.h"

#include <algorithm>

namespace picus {
namespace {

// Part of a gradient that may be new, up to rounding, where its row follows from others.
constexpr double kFollows = 1e-8;

}  // namespace

void DrivenRows::find(const ContactPhase& phase, const State& full_state) {
  phase_ = &phase;
  rows_.clear();
  list_candidates();
  if (rows_.empty()) return;
  const SystemSizes n = phase.sizes();
  if (n.constraints + n.nonholonomic == 0 || !combine(full_state)) {
    rows_.clear();
    return;
  }
  std::erase_if(rows_, [&](const Driven& driven) {
    gather_gradient(driven);
    const double length = gradient_.norm();
    return length == 0.0 || combination_.solve(gradient_) > kFollows * length;
  });
  // a slip that slides in a plane is driven in both directions or not at all
  std::erase_if(rows_, [&](const Driven& driven) {
    const auto law = static_cast<std::size_t>(driven.law);
    if (driven.direction == 0 || !phase.modes()[law].slips()) return false;
    const auto count = std::count_if(rows_.begin(), rows_.end(), [&](const Driven& other) {
      return other.law == driven.law && other.direction > 0;
    });
    return count < phase.full().contact_law(driven.law).slips;
  });
}

void DrivenRows::list_candidates() {
  const System& full = phase_->full();
  const SystemSizes n = full.sizes();
  for (int j = 0; j < n.laws(); ++j) {
    const PhaseMode& mode = phase_->modes()[static_cast<std::size_t>(j)];
    if (!mode.is_closed()) continue;
    if (j < n.contacts && !phase_->has_row(n.joints() + j)) rows_.push_back({j, 0, n.joints() + j});
    const ContactLaw law = full.contact_law(j);
    if (j < n.contacts && law.friction == 0.0) continue;
    for (int i = 0; i < law.slips; ++i)
      if (mode.slips() || !phase_->has_slip_row(law.first_slip + i))
        rows_.push_back({j, 1 + i, law.first_slip + i});
  }
}

bool DrivenRows::combine(const State& full_state) {
  const System& full = phase_->full();
  const SystemSizes n = phase_->sizes();
  if (full.sizes().constraints > 0) full.constraint_jacobian(full_state, G_);
  if (full.sizes().nonholonomic > 0) full.nonholonomic_jacobian(full_state, k_v_);
  directions_.begin(n.velocities, n.constraints + n.nonholonomic);
  if (full.sizes().constraints > 0)
    G_.for_each([&](int row, int col, double value) {
      if (phase_->has_row(row)) directions_.add(col, phase_->place_of(row), value);
    });
  if (full.sizes().nonholonomic > 0)
    k_v_.for_each([&](int row, int col, double value) {
      if (phase_->has_slip_row(row))
        directions_.add(col, n.constraints + phase_->place_of_slip(row), value);
    });
  directions_.end();
  return combination_.factorize(directions_);
}

void DrivenRows::gather_gradient(const Driven& driven) {
  gradient_.setZero(phase_->sizes().velocities);
  (driven.direction == 0 ? G_ : k_v_).for_each([&](int row, int col, double value) {
    if (row == driven.row) gradient_(col) = value;
  });
}

bool DrivenRows::evaluate(const State& full_state) {
  if (rows_.empty()) return true;
  if (!combine(full_state)) return false;
  const System& full = phase_->full();
  const int constraints = phase_->sizes().constraints;
  full.constraint_velocity(full_state, gap_rate_);
  full.constraint_acceleration(full_state, gap_acceleration_);
  full.nonholonomic(full_state, slip_);
  full.nonholonomic_rate(full_state, slip_rate_);
  for (Driven& driven : rows_) {
    gather_gradient(driven);
    combination_.solve(gradient_);
    const auto c = combination_.coefficients();
    const auto rest = [&](const Vector& g, const Vector& k) {
      double rate = (driven.direction == 0 ? g : k)(driven.row);
      for (int row = 0; row < g.size(); ++row)
        if (phase_->has_row(row)) rate -= c(phase_->place_of(row)) * g(row);
      for (int row = 0; row < k.size(); ++row)
        if (phase_->has_slip_row(row)) rate -= c(constraints + phase_->place_of_slip(row)) * k(row);
      return rate;
    };
    driven.rate = rest(gap_rate_, slip_);
    driven.acceleration = rest(gap_acceleration_, slip_rate_);
  }
  return true;
}

const DrivenRows::Driven* DrivenRows::find_law(int law, bool gap) const {
  for (const Driven& driven : rows_)
    if (driven.law == law && (driven.direction == 0) == gap) return &driven;
  return nullptr;
}

Vector2 DrivenRows::slip(int law) const {
  Vector2 rate = Vector2::Zero();
  for (const Driven& driven : rows_)
    if (driven.law == law && driven.direction > 0) rate(driven.direction - 1) = driven.rate;
  return rate;
}

Vector2 DrivenRows::slip_rate(int law) const {
  Vector2 rate = Vector2::Zero();
  for (const Driven& driven : rows_)
    if (driven.law == law && driven.direction > 0) rate(driven.direction - 1) = driven.acceleration;
  return rate;
}

}  // namespace picus
