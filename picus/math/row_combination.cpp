// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/row_combination.h"

namespace picus {

bool RowCombination::factorize(const SparseMatrix& directions) {
  const int length = directions.rows(), count = directions.cols();
  if (matrix_.blocks() != 2 || matrix_.block_size(0) != length || matrix_.block_size(1) != count) {
    identity_ = SparseMatrix::identity(length);
    matrix_.reset({length, count});
    x_.resize(length + count);
  }
  matrix_.begin();
  matrix_.add(0, 0, 1.0, identity_);
  matrix_.add(0, 1, 1.0, directions);
  matrix_.add(1, 0, 1.0, directions, Transposed::kYes);
  return matrix_.factorize();
}

double RowCombination::solve(const Vector& row) {
  x_.head(row.size()) = row;
  x_.tail(x_.size() - row.size()).setZero();
  matrix_.solve(x_);
  return x_.head(row.size()).norm();
}

}  // namespace picus
