// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <Eigen/LU>

#include "picus/math/types.h"

namespace picus {

/// Lemke's method for linear complementarity problems: find z ≥ 0 with w = M z + q ≥ 0, w·z = 0.
///
/// A dense tableau with the lexicographic rule, which cannot cycle: at most some hundred unknowns.
/// For positive semidefinite M a ray proves that there is no solution.
class LemkeMethod {
 public:
  enum class Ending { kSolution, kRay, kPivotLimit };

  /// Allocates when the problem is larger than those before. `cover` > 0 weighs the artificial
  /// variable in each row: another one leads along another path.
  Ending solve(const Matrix& M, const Vector& q, const Vector& cover, int max_pivots);

  /// The solution, or, after kRay, a direction along which the unknowns grow without end.
  const Vector& z() const { return z_; }
  int pivots() const { return pivots_; }

 private:
  // variables are numbered w, z and the artificial one
  int artificial() const { return 2 * size_; }
  int complement(int variable) const {
    return variable < size_ ? variable + size_ : variable - size_;
  }
  void start(const Matrix& M, const Vector& q, const Vector& cover);
  int first_row(const Vector& cover) const;
  int leaving_row(int entering) const;
  bool precedes(int row, int other, int entering) const;
  void pivot(int row, int entering);
  void read_solution(const Matrix& M, const Vector& q);
  void read_ray(int entering);

  int size_ = 0, pivots_ = 0;
  Matrix tableau_;          ///< transposed: a row of the tableau is a column here, close in memory
  std::vector<int> basis_;  ///< variable of each row
  Vector z_, values_;
  Matrix basis_matrix_;
  Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace picus
