// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "picus/math/block_matrix3.h"
#include "picus/math/linear_solver.h"

namespace picus {

/// The matrix A + B (W + D) with A, B and D made of diagonal blocks, and its factors. The dead row
/// of planar contacts takes no part: it is expected to couple with nothing.
///
/// Small ones are factorised densely, which allocates nothing after the first problem of a size;
/// larger ones by KLU, which allocates for a new pattern and when it must choose new pivots; many
/// contacts in space, whose factors fill, by fronts, which allocate for a new pattern.
class NewtonMatrix {
 public:
  /// Studies the pattern of W unless it is that of the last call.
  void prepare(const BlockMatrix3& W);
  /// D = `shift` times the mean diagonal of each W_ii. False when singular.
  bool factorize(const BlockMatrix3& W, const std::vector<Matrix3>& A,
                 const std::vector<Matrix3>& B, double shift);
  /// x ← (A + B (W + D))⁻¹ x; entries of dead rows become zero.
  void solve(Vector& x) const;
  /// x ← ((W + D) Bᵀ + Aᵀ)⁻¹ x, the same with the transposed matrix.
  void solve_transposed(Vector& x) const;
  /// The sign of the determinant of the matrix factorised last.
  int determinant_sign() const { return solver_->determinant_sign(); }
  /// For matrices with A + Aᵀ positive definite or nearly so: none is called singular unless a
  /// pivot vanishes, and pivots are on the diagonal unless that is tiny. Those of a thousand
  /// spheres have a fifth of the entries then, and take a thirtieth of the time.
  void trust() { is_trusted_ = true; }

 private:
  void gather(const Vector& x) const;
  void scatter(Vector& x) const;
  bool has_pattern_of(const BlockMatrix3& W) const;
  int blocks() const { return static_cast<int>(first_.size()) - 1; }
  int rows_of(int block) const {
    return first_[static_cast<std::size_t>(block) + 1] - first_[static_cast<std::size_t>(block)];
  }
  CompressedColumns view() const { return {size_, starts_, rows_, values_}; }

  int size_ = -1;
  bool is_trusted_ = false;
  bool fills_ = false;      ///< whether solver_ works by fronts
  std::vector<int> first_;  ///< row of each block: three rows, or two in the plane
  std::vector<int> block_starts_, block_columns_;  ///< of W, to recognise its pattern
  std::vector<int> starts_, rows_;
  std::vector<double> values_;
  std::unique_ptr<LinearSolver> solver_;
  mutable Vector x_;
};

}  // namespace picus
