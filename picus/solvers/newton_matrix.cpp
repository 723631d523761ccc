// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/newton_matrix.h"

#include <algorithm>

namespace picus {
namespace {

// Unknowns up to which the dense factorisation is taken for its constant memory.
constexpr int kDenseContactLimit = 48;

}  // namespace

bool NewtonMatrix::has_pattern_of(const BlockMatrix3& W) const {
  if (size_ != W.size()) return false;
  for (int i = 0; i < W.blocks(); ++i) {
    const auto columns = W.row(i).columns;
    const auto begin = static_cast<std::size_t>(block_starts_[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(block_starts_[static_cast<std::size_t>(i) + 1]);
    if (end - begin != columns.size() ||
        !std::equal(columns.begin(), columns.end(),
                    block_columns_.begin() + static_cast<std::ptrdiff_t>(begin)))
      return false;
  }
  return true;
}

// W is symmetric, so the rows of its column j are the columns of its row j.
void NewtonMatrix::prepare(const BlockMatrix3& W) {
  if (has_pattern_of(W)) return;
  const bool same_size = size_ == W.size();
  size_ = W.size();
  block_starts_.assign(1, 0);
  block_columns_.clear();
  starts_.assign(1, 0);
  rows_.clear();
  for (int j = 0; j < W.blocks(); ++j) {
    const auto blocks = W.row(j).columns;
    block_columns_.insert(block_columns_.end(), blocks.begin(), blocks.end());
    block_starts_.push_back(static_cast<int>(block_columns_.size()));
    for (int k = 0; k < 3; ++k) {
      for (const int i : blocks)
        rows_.insert(rows_.end(), {3 * i, 3 * i + 1, 3 * i + 2});
      starts_.push_back(static_cast<int>(rows_.size()));
    }
  }
  values_.resize(rows_.size());
  const bool dense = size_ <= kDenseContactLimit;
  if (dense && same_size) return;  // the dense solver has no pattern
  if (!same_size) solver_ = dense ? make_dense_solver() : make_sparse_solver();
  solver_->analyze(view());
}

bool NewtonMatrix::factorize(const BlockMatrix3& W, const std::vector<Matrix3>& A,
                             const std::vector<Matrix3>& B, double shift) {
  for (int j = 0; j < W.blocks(); ++j) {
    const BlockMatrix3::Row row = W.row(j);
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      const int i = row.columns[k];
      const Matrix3& left = B[static_cast<std::size_t>(i)];
      Matrix3 block = left * row.values[k].transpose();  // W_ij = W_jiᵀ
      if (i == j)
        block += A[static_cast<std::size_t>(i)] + left * (shift * row.values[k].trace() / 3);
      for (int c = 0; c < 3; ++c) {
        const auto start = static_cast<std::size_t>(starts_[static_cast<std::size_t>(3 * j + c)]);
        for (int r = 0; r < 3; ++r)
          values_[start + 3 * k + static_cast<std::size_t>(r)] = block(r, c);
      }
    }
  }
  return solver_->factorize(view());
}

}  // namespace picus
