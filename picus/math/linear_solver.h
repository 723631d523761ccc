// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "picus/math/types.h"

namespace picus {

/// A square matrix in compressed columns; the arrays are on loan.
struct CompressedColumns {
  int size = 0;
  std::span<const int> column_starts;
  std::span<const int> row_indices;
  std::span<const double> values;
};

/// A pivot ratio below this counts as singular: nothing of the solution would be left.
inline constexpr double kSingularPivotRatio = 1e-14;

/// LU factorisation that is repeated on one pattern: analyse once, factorise often.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Studies a pattern. The only function that may allocate, with the first factorisation.
  virtual void analyze(const CompressedColumns& A) = 0;

  /// False when the matrix is singular or not finite; weakest() then names a culprit.
  virtual bool factorize(const CompressedColumns& A) = 0;

  /// x ← A⁻¹ x
  virtual void solve(Vector& x) const = 0;
  /// x ← A⁻ᵀ x
  virtual void solve_transposed(Vector& x) const = 0;

  /// Smallest over largest pivot of the last factorisation, with rows scaled to largest entry one,
  /// or, when that is small, the smallest pivot over its column, so that light bodies beside heavy
  /// ones do not look singular. A hint of near-singularity, not a condition number.
  virtual double pivot_ratio() const = 0;

  /// The sign of the determinant of the last matrix factorised: 1 or -1.
  virtual int determinant_sign() const = 0;

  /// A pivot ratio below this counts as singular; kSingularPivotRatio unless something else is set.
  void set_least_ratio(double ratio) { least_ratio_ = ratio; }

  /// Pivots stay on the diagonal unless they are this part of the largest entry of their column or
  /// less: for matrices with large diagonals, whose factors other pivots would fill. A dense solver
  /// takes the largest all the same.
  virtual void set_pivot_tolerance(double) {}

  /// After a failure: the unknown (or equation) where the elimination broke down.
  virtual int weakest() const = 0;

 protected:
  double least_ratio() const { return least_ratio_; }

 private:
  double least_ratio_ = kSingularPivotRatio;
};

/// Dense LU with partial pivoting on rows scaled to largest entry one.
std::unique_ptr<LinearSolver> make_dense_solver();

/// SuiteSparse KLU: pivots are found once and reused while they stay good.
std::unique_ptr<LinearSolver> make_sparse_solver();

/// Dense fronts in an order that SuiteSparse CHOLMOD finds, for symmetric patterns whose factors
/// fill. Rows are exchanged inside of fronts only: for matrices with large diagonals. All memory is
/// known from the pattern, and no BLAS is needed.
std::unique_ptr<LinearSolver> make_frontal_solver();

/// Up to this many unknowns the dense solver is the faster one (bench/linear_solver).
inline constexpr int kDenseLimit = 6;

/// Below this the columns are looked at before a verdict.
inline constexpr double kSmallPivotRatio = 1e-8;

}  // namespace picus
