// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/math/block_matrix.h"

namespace picus {

/// How rows follow from others: the c of least squares with Jᵀ c ≈ j, by the saddle point
/// [I Jᵀ; J 0]. Keeps its memory: the next J of the same pattern allocates nothing.
class RowCombination {
 public:
  /// `directions` is Jᵀ, on loan; false when the rows of J are dependent.
  bool factorize(const SparseMatrix& directions);
  /// Finds the c of `row`; returns the length of what is left of it.
  double solve(const Vector& row);
  auto coefficients() const { return x_.tail(matrix_.block_size(1)); }

 private:
  SparseMatrix identity_;
  BlockMatrix matrix_;
  Vector x_;
};

}  // namespace picus
