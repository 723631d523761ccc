// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/position_projection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace picus {
namespace {

constexpr double kProjected = 1e-12;  // violation that is left, relative to 1 + positions
constexpr int kMaxProjections = 50;

}  // namespace

bool PositionProjection::project(const System& system, std::span<const int> contacts,
                                 State& state) {
  tau_.setZero(system.sizes().constraints);
  for (int iteration = 0; iteration < kMaxProjections; ++iteration) {
    system.constraint(state, g_);
    choose(system, contacts, iteration == 0);
    if (is_closed(state)) return true;
    system.mass_matrix(state, M_);
    system.constraint_jacobian(state, G_);
    if (!find_step(M_, G_)) return false;
    system.retract(state.position, step_, moved_);
    state.position = moved_;
  }
  return false;
}

bool PositionProjection::shift_along(const System& system, const SparseMatrix& directions,
                                     const Chart& chart, State& state, Vector& shift) {
  const SystemSizes n = system.sizes();
  tau_.setZero(n.constraints);
  shift.setZero(n.velocities);
  if (M_.rows() != n.velocities) M_ = SparseMatrix::identity(n.velocities);
  all_contacts_.resize(static_cast<std::size_t>(n.contacts));
  std::iota(all_contacts_.begin(), all_contacts_.end(), 0);
  for (int iteration = 0; iteration < kMaxProjections; ++iteration) {
    moved_ = chart.increment + shift;
    system.retract(chart.base, moved_, state.position);
    system.constraint(state, g_);
    choose(system, all_contacts_, iteration == 0);
    if (is_closed(state)) return true;
    system.constraint_tangent(state, {chart.base, moved_}, G_);
    if (!find_step(M_, directions)) return false;
    shift += step_;
  }
  return false;
}

void PositionProjection::choose(const System& system, std::span<const int> contacts,
                                bool is_first) {
  const SystemSizes n = system.sizes();
  rows_.clear();
  for (int row = 0; row < n.joints(); ++row)
    rows_.push_back(row);
  for (const int contact : contacts) {
    const int row = n.joints() + contact;
    const bool presses = !is_first && tau_(row) > 0.0;
    if (g_(row) < 0.0 || presses) rows_.push_back(row);
  }
  place_.assign(static_cast<std::size_t>(n.constraints), -1);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    place_[static_cast<std::size_t>(rows_[i])] = static_cast<int>(i);
}

bool PositionProjection::is_closed(const State& state) const {
  double worst = 0.0;
  for (const int row : rows_)
    worst = std::max(worst, std::abs(g_(row)));
  return worst <= kProjected * (1.0 + max_abs(state.position));
}

bool PositionProjection::find_step(const SparseMatrix& metric, const SparseMatrix& directions) {
  const int nv = metric.rows(), count = static_cast<int>(rows_.size());
  keep_rows(G_, kept_rows_);
  keep_rows(directions, kept_directions_);
  if (matrix_.blocks() != 2 || matrix_.size() != nv + count || matrix_.block_size(0) != nv)
    matrix_.reset({nv, count});
  matrix_.begin();
  matrix_.add(0, 0, 1.0, metric);
  matrix_.add(0, 1, -1.0, kept_directions_, Transposed::kYes);
  matrix_.add(1, 0, 1.0, kept_rows_);
  if (!matrix_.factorize()) return false;
  x_.setZero(nv + count);
  for (int i = 0; i < count; ++i)
    x_(nv + i) = -g_(rows_[static_cast<std::size_t>(i)]);
  matrix_.solve(x_);
  if (!x_.allFinite()) return false;
  step_ = x_.head(nv);
  for (int i = 0; i < count; ++i)
    tau_(rows_[static_cast<std::size_t>(i)]) += x_(nv + i);
  return true;
}

void PositionProjection::keep_rows(const SparseMatrix& all, SparseMatrix& kept) const {
  kept.begin(static_cast<int>(rows_.size()), all.cols());
  all.for_each([&](int row, int col, double value) {
    const int at = place_[static_cast<std::size_t>(row)];
    if (at >= 0) kept.add(at, col, value);
  });
  kept.end();
}

}  // namespace picus
