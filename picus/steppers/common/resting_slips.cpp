// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/resting_slips.h"

#include <algorithm>

#include <Eigen/QR>

namespace picus {
namespace {

constexpr double kHeldRow = 1e-9;            // of a row, what others leave of it
constexpr double kRestingSlip = 1e-11;       // of 1 + velocities
constexpr double kRestingSlipRate = 1e-9;    // of 1 + accelerations
constexpr Eigen::Index kMostHeldRows = 400;  // that are looked at: dense factors

void put_as_columns(const SparseMatrix& rows, Eigen::Index first, Matrix& columns) {
  rows.for_each([&](int row, int col, double value) { columns(col, first + row) = value; });
}

}  // namespace

void RestingSlips::watch(const ContactPhase& phase, const State& reduced_state) {
  const System& full = phase.full();
  const SystemSizes all = full.sizes(), n = phase.sizes();
  sliding_.clear();
  rests_.assign(static_cast<std::size_t>(all.laws()), 0);
  bool any_sticks = false;
  for (int j = 0; j < all.laws(); ++j) {
    const ContactLaw law = full.contact_law(j);
    const PhaseMode& mode = phase.modes()[static_cast<std::size_t>(j)];
    const bool rubs = law.slips > 0 && (law.friction > 0.0 || j >= all.contacts);
    any_sticks = any_sticks || mode.sticks();
    if (mode.slips() && rubs) sliding_.push_back({j, law.first_slip, law.slips, false});
  }
  const Eigen::Index held = n.constraints + n.nonholonomic;
  if (sliding_.empty() || !any_sticks || held > kMostHeldRows) return;
  Matrix columns = Matrix::Zero(n.velocities, held), slips = Matrix::Zero(n.velocities, all.slips);
  SparseMatrix rows;
  if (n.constraints > 0) {
    phase.constraint_jacobian(reduced_state, rows);
    put_as_columns(rows, 0, columns);
  }
  if (n.nonholonomic > 0) {
    phase.nonholonomic_jacobian(reduced_state, rows);
    put_as_columns(rows, n.constraints, columns);
  }
  State state;
  phase.expand(reduced_state, state);
  full.nonholonomic_jacobian(state, rows);
  rows.for_each([&](int row, int col, double value) {
    if (row >= all.rollings()) slips(col, row - all.rollings()) = value;
  });
  const Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  for (Sliding& law : sliding_) {
    const Matrix own = slips.middleCols(law.first_slip - all.rollings(), law.slips);
    Matrix left = qr.householderQ().adjoint() * own;
    law.is_held = left.bottomRows(left.rows() - qr.rank()).norm() <= kHeldRow * own.norm();
  }
}

void RestingSlips::see(const ContactPhase& phase, const State& state, int begins) {
  if (sliding_.empty()) return;
  phase.full().nonholonomic(state, slip_);
  phase.full().nonholonomic_rate(state, rate_);
  const double slow = kRestingSlip * (1.0 + max_abs(state.velocity));
  const double steady = kRestingSlipRate * (1.0 + max_abs(state.acceleration));
  for (const Sliding& law : sliding_) {
    const bool moves = law.law == begins ||
                       slip_.segment(law.first_slip, law.slips).norm() > slow ||
                       rate_.segment(law.first_slip, law.slips).norm() > steady;
    rests_[static_cast<std::size_t>(law.law)] = law.is_held || !moves;
  }
}

}  // namespace picus
