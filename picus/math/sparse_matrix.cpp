// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/sparse_matrix.h"

#include <algorithm>
#include <numeric>

#include "picus/base/contract.h"

namespace picus {

void SparseMatrix::begin(int rows, int cols) {
  if (rows != rows_ || cols != cols_) {
    rows_ = rows;
    cols_ = cols;
    changed_ = true;
  }
  cursor_ = 0;
}

void SparseMatrix::diverge(int row, int col, double value) {
  expects(row >= 0 && row < rows_ && col >= 0 && col < cols_, "entry inside the matrix");
  if (cursor_ < entries_.size()) entries_.resize(cursor_);
  entries_.push_back({row, col, -1, value});
  ++cursor_;
  changed_ = true;
}

void SparseMatrix::end() {
  if (cursor_ < entries_.size()) {  // fewer calls than last time
    entries_.resize(cursor_);
    changed_ = true;
  }
  for (const Entry& entry : entries_)
    changed_ |= entry.slot < 0 && entry.value != 0.0;
  if (changed_) find_pattern();
  std::fill(values_.begin(), values_.end(), 0.0);
  for (const Entry& entry : entries_)
    if (entry.slot >= 0) values_[static_cast<std::size_t>(entry.slot)] += entry.value;
}

void SparseMatrix::find_pattern() {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (is_small() || entries_[k].slot >= 0 || entries_[k].value != 0.0) order.push_back(k);
  const auto place = [&](std::size_t k) { return std::pair(entries_[k].col, entries_[k].row); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });

  rows_of_.clear();
  starts_.assign(static_cast<std::size_t>(cols_) + 1, 0);
  for (std::size_t n = 0; n < order.size(); ++n) {
    Entry& entry = entries_[order[n]];
    if (n == 0 || place(order[n]) != place(order[n - 1])) {
      rows_of_.push_back(entry.row);
      ++starts_[static_cast<std::size_t>(entry.col) + 1];
    }
    entry.slot = static_cast<int>(rows_of_.size()) - 1;
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  values_.resize(rows_of_.size());
  changed_ = false;
  ++revision_;
}

void SparseMatrix::multiply_add(double factor, const Vector& x, Vector& y) const {
  for (int col = 0; col < cols_; ++col) {
    const double scaled = factor * x(col);
    for (int k = starts_[static_cast<std::size_t>(col)];
         k < starts_[static_cast<std::size_t>(col) + 1]; ++k)
      y(rows_of_[static_cast<std::size_t>(k)]) += values_[static_cast<std::size_t>(k)] * scaled;
  }
}

void SparseMatrix::multiply_transposed_add(double factor, const Vector& x, Vector& y) const {
  for (int col = 0; col < cols_; ++col) {
    double sum = 0.0;
    for (int k = starts_[static_cast<std::size_t>(col)];
         k < starts_[static_cast<std::size_t>(col) + 1]; ++k)
      sum += values_[static_cast<std::size_t>(k)] * x(rows_of_[static_cast<std::size_t>(k)]);
    y(col) += factor * sum;
  }
}

Matrix SparseMatrix::dense() const {
  Matrix result = Matrix::Zero(rows_, cols_);
  for_each([&](int row, int col, double value) { result(row, col) = value; });
  return result;
}

SparseMatrix SparseMatrix::identity(int size) {
  SparseMatrix result;
  result.begin(size, size);
  for (int i = 0; i < size; ++i)
    result.add(i, i, 1.0);
  result.end();
  return result;
}

}  // namespace picus
