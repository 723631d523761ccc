// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/newton_matrix.h"

#include <algorithm>

namespace picus {
namespace {

// Unknowns up to which the dense factorisation is taken for its constant memory.
constexpr int kDenseContactLimit = 48;

// Unknowns from which the factors of contacts in space fill so much that fronts are faster.
constexpr int kFrontLimit = 1500;

// Part of the largest entry of its column below which a pivot of a trusted matrix is refused.
constexpr double kTinyPivot = 1e-6;

int live_rows(const Matrix3& W) {
  return W(2, 2) == 0.0 ? 2 : 3;
}

}  // namespace

bool NewtonMatrix::has_pattern_of(const BlockMatrix3& W) const {
  if (size_ < 0 || static_cast<int>(first_.size()) != W.blocks() + 1) return false;
  for (int i = 0; i < W.blocks(); ++i) {
    const auto columns = W.row(i).columns;
    const auto begin = static_cast<std::size_t>(block_starts_[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(block_starts_[static_cast<std::size_t>(i) + 1]);
    if (end - begin != columns.size() || rows_of(i) != live_rows(W.diagonal(i)) ||
        !std::equal(columns.begin(), columns.end(),
                    block_columns_.begin() + static_cast<std::ptrdiff_t>(begin)))
      return false;
  }
  return true;
}

// W is symmetric, so the rows of its column j are the columns of its row j.
void NewtonMatrix::prepare(const BlockMatrix3& W) {
  if (has_pattern_of(W)) return;
  first_.assign(1, 0);
  for (int i = 0; i < W.blocks(); ++i)
    first_.push_back(first_.back() + live_rows(W.diagonal(i)));
  const bool same_size = size_ == first_.back();
  size_ = first_.back();
  x_.resize(size_);
  block_starts_.assign(1, 0);
  block_columns_.clear();
  starts_.assign(1, 0);
  rows_.clear();
  for (int j = 0; j < W.blocks(); ++j) {
    const auto blocks = W.row(j).columns;
    block_columns_.insert(block_columns_.end(), blocks.begin(), blocks.end());
    block_starts_.push_back(static_cast<int>(block_columns_.size()));
    for (int k = 0; k < rows_of(j); ++k) {
      for (const int i : blocks)
        for (int row = 0; row < rows_of(i); ++row)
          rows_.push_back(first_[static_cast<std::size_t>(i)] + row);
      starts_.push_back(static_cast<int>(rows_.size()));
    }
  }
  values_.resize(rows_.size());
  const bool dense = size_ <= kDenseContactLimit;
  if (dense && same_size) return;  // the dense solver has no pattern
  const bool fills = size_ > kFrontLimit && size_ == 3 * W.blocks();
  if (!same_size || fills != fills_)
    solver_ = dense ? make_dense_solver() : fills ? make_frontal_solver() : make_sparse_solver();
  fills_ = fills;
  if (is_trusted_) {
    solver_->set_least_ratio(0.0);
    solver_->set_pivot_tolerance(kTinyPivot);
  }
  solver_->analyze(view());
}

bool NewtonMatrix::factorize(const BlockMatrix3& W, const std::vector<Matrix3>& A,
                             const std::vector<Matrix3>& B, double shift) {
  for (int j = 0; j < W.blocks(); ++j) {
    const BlockMatrix3::Row row = W.row(j);
    auto slot = static_cast<std::size_t>(
        starts_[static_cast<std::size_t>(first_[static_cast<std::size_t>(j)])]);
    const auto height =
        static_cast<std::size_t>(
            starts_[static_cast<std::size_t>(first_[static_cast<std::size_t>(j)]) + 1]) -
        slot;
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      const int i = row.columns[k];
      const Matrix3& left = B[static_cast<std::size_t>(i)];
      Matrix3 block = left * row.values[k].transpose();  // W_ij = W_jiᵀ
      if (i == j)
        block += A[static_cast<std::size_t>(i)] + left * (shift * row.values[k].trace() / 3);
      for (int c = 0; c < rows_of(j); ++c)
        for (int r = 0; r < rows_of(i); ++r)
          values_[slot + static_cast<std::size_t>(c) * height + static_cast<std::size_t>(r)] =
              block(r, c);
      slot += static_cast<std::size_t>(rows_of(i));
    }
  }
  return solver_->factorize(view());
}

void NewtonMatrix::solve(Vector& x) const {
  gather(x);
  solver_->solve(x_);
  scatter(x);
}

void NewtonMatrix::solve_transposed(Vector& x) const {
  gather(x);
  solver_->solve_transposed(x_);
  scatter(x);
}

void NewtonMatrix::gather(const Vector& x) const {
  for (int i = 0; i < blocks(); ++i)
    x_.segment(first_[static_cast<std::size_t>(i)], rows_of(i)) = x.segment(3 * i, rows_of(i));
}

void NewtonMatrix::scatter(Vector& x) const {
  x.setZero();
  for (int i = 0; i < blocks(); ++i)
    x.segment(3 * i, rows_of(i)) = x_.segment(first_[static_cast<std::size_t>(i)], rows_of(i));
}

}  // namespace picus
