// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/constraint_rank.h"

#include <cmath>

#include "picus/dynamics/selected_constraints.h"
#include "picus/math/block_matrix.h"
#include "picus/math/rank.h"

namespace picus {
namespace {

constexpr double kSuspiciousPivots = 1e-10;  // below, the rank of the constraints is examined

// [G; k_v] at the state.
SparseMatrix all_constraint_directions(const System& system, const State& s) {
  const SystemSizes n = system.sizes();
  const Vector zero = Vector::Zero(n.velocities);
  SparseMatrix G, k_q, k_v, all;
  system.constraint_jacobian(s, G);
  system.nonholonomic_tangent(s, {s.position, zero}, k_q, k_v);
  all.begin(n.constraints + n.nonholonomic, n.velocities);
  G.for_each([&](int row, int col, double value) { all.add(row, col, value); });
  k_v.for_each([&](int row, int col, double value) { all.add(n.constraints + row, col, value); });
  all.end();
  return all;
}

bool all_finite(const SparseMatrix& A) {
  for (const double value : A.values())
    if (!std::isfinite(value)) return false;
  return true;
}

// True when [M Jᵀ; J 0] factorises well, so that no rank examination is needed.
bool clearly_regular(const System& system, const State& s, const SparseMatrix& J) {
  SparseMatrix M;
  system.mass_matrix(s, M);
  BlockMatrix A;
  A.reset({M.rows(), J.rows()});
  A.begin();
  A.add(0, 0, 1.0, M);
  A.add(0, 1, 1.0, J, Transposed::kYes);
  A.add(1, 0, 1.0, J);
  return A.factorize() && A.pivot_ratio() > kSuspiciousPivots;
}

}  // namespace

void examine_rank(const System& system, const State& s, Consistency& result) {
  const SystemSizes n = system.sizes();
  result.independent = first_rows(n.constraints);
  result.independent_nonholonomic = first_rows(n.nonholonomic);
  if (n.constraints + n.nonholonomic == 0) return;

  const SparseMatrix J = all_constraint_directions(system, s);
  if (!all_finite(J)) {
    result.status = Consistency::Status::kNotFinite;
    result.message = "the gradient of the constraints is not finite at the initial state";
    return;
  }
  if (clearly_regular(system, s, J)) return;

  const RowRank rank = find_independent_rows(J);
  const auto kind_of = [&](int row) {
    return row < n.constraints ? Equation::kConstraint : Equation::kNonholonomic;
  };
  const auto index_of = [&](int row) { return row < n.constraints ? row : row - n.constraints; };
  const auto name = [&](int row) { return system.name_of(kind_of(row), index_of(row)); };
  result.independent.clear();
  result.independent_nonholonomic.clear();
  for (const int row : rank.independent)
    (row < n.constraints ? result.independent : result.independent_nonholonomic)
        .push_back(index_of(row));
  for (const RowRank::Dependent& dependent : rank.dependent) {
    RedundantConstraint redundant{
        kind_of(dependent.row), index_of(dependent.row), name(dependent.row), {}};
    for (const int row : dependent.on)
      redundant.follows_from.push_back(name(row));
    result.redundant.push_back(std::move(redundant));
  }
}

IndependentRows choose_independent(const System& system, const State& s, int first_constraints,
                                   int first_nonholonomic) {
  const SystemSizes n = system.sizes();
  const int rows = n.constraints + n.nonholonomic;
  if (rows == 0) return {};
  const SparseMatrix J = all_constraint_directions(system, s);
  if (!all_finite(J) || clearly_regular(system, s, J))
    return {first_rows(n.constraints), first_rows(n.nonholonomic)};
  enum Stage { kMustHold, kGap, kSlip };
  std::vector<int> stages(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row)
    stages[static_cast<std::size_t>(row)] =
        row < n.constraints ? (row < first_constraints ? kMustHold : kGap)
                            : (row - n.constraints < first_nonholonomic ? kMustHold : kSlip);
  IndependentRows kept;
  for (const int row : find_independent_rows(J, stages)) {
    if (row < n.constraints)
      kept.constraints.push_back(row);
    else
      kept.nonholonomic.push_back(row - n.constraints);
  }
  return kept;
}

}  // namespace picus
