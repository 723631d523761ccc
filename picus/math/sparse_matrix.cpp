// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/sparse_matrix.h"

#include <algorithm>
#include <numeric>

#include "picus/base/contract.h"

namespace picus {

void SparseMatrix::begin(int rows, int cols) {
  if (is_sink_) return;
  if (rows != rows_ || cols != cols_) {
    rows_ = rows;
    cols_ = cols;
    changed_ = true;
  }
  next_ = entries_.data();
  last_ = next_ + entries_.size();
  alike_cursor_ = 0;
  std::fill(values_.begin(), values_.end(), 0.0);
}

void SparseMatrix::begin_alike(int entries_each) {
  if (is_sink_) return;
  const Alike here{cursor(), static_cast<std::size_t>(entries_each), cursor()};
  if (alike_cursor_ == alike_.size()) alike_.push_back(here);
  Alike& known = alike_[alike_cursor_];
  if (known.begin != here.begin || known.each != here.each) {
    known = here;
    changed_ = true;
  }
}

void SparseMatrix::end_alike() {
  if (is_sink_) return;
  Alike& known = alike_[alike_cursor_++];
  if (known.end == cursor()) return;
  known.end = cursor();
  changed_ = true;
}

void SparseMatrix::diverge(int row, int col, double value) {
  if (is_sink_) return;
  expects(row >= 0 && row < rows_ && col >= 0 && col < cols_, "entry inside the matrix");
  entries_.resize(cursor());
  entries_.push_back({row, col, -1, value});
  next_ = last_ = entries_.data() + entries_.size();
  changed_ = true;
}

void SparseMatrix::end() {
  if (is_sink_) return;
  if (next_ != last_) {  // fewer calls than last time
    entries_.resize(cursor());
    changed_ = true;
  }
  alike_.resize(alike_cursor_);
  if (!changed_) return;
  find_pattern();
  std::fill(values_.begin(), values_.end(), 0.0);
  for (const Entry& entry : entries_)
    if (entry.slot >= 0) values_[static_cast<std::size_t>(entry.slot)] += entry.value;
}

void SparseMatrix::give_room_to_alike() {
  for (const Alike& blocks : alike_) {
    in_one_.assign(blocks.each, 0);
    for (std::size_t k = blocks.begin; k < blocks.end; ++k)
      if (entries_[k].slot >= 0 || entries_[k].value != 0.0)
        in_one_[(k - blocks.begin) % blocks.each] = 1;
    for (std::size_t k = blocks.begin; k < blocks.end; ++k)
      if (in_one_[(k - blocks.begin) % blocks.each] != 0) entries_[k].slot = 0;
  }
}

// The entries that take room, column by column and row by row, by two counting sorts.
void SparseMatrix::sort_entries() {
  const auto sort_by = [this](const std::vector<std::size_t>& from, int keys, auto key,
                              std::vector<std::size_t>& to) {
    places_.assign(static_cast<std::size_t>(keys) + 1, 0);
    for (const std::size_t k : from)
      ++places_[static_cast<std::size_t>(key(entries_[k])) + 1];
    std::partial_sum(places_.begin(), places_.end(), places_.begin());
    to.resize(from.size());
    for (const std::size_t k : from)
      to[places_[static_cast<std::size_t>(key(entries_[k]))]++] = k;
  };
  order_.clear();
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (is_small() || entries_[k].slot >= 0 || entries_[k].value != 0.0) order_.push_back(k);
  sort_by(
      order_, rows_, [](const Entry& e) { return e.row; }, by_row_);
  sort_by(
      by_row_, cols_, [](const Entry& e) { return e.col; }, order_);
}

void SparseMatrix::find_pattern() {
  // those of diagonal matrices, for one, come sorted
  const auto precedes = [](const Entry& a, const Entry& b) {
    return a.col < b.col || (a.col == b.col && a.row < b.row);
  };
  const bool sorted = is_small() && std::is_sorted(entries_.begin(), entries_.end(), precedes);
  if (!sorted) {
    give_room_to_alike();
    sort_entries();
  }
  const std::size_t count = sorted ? entries_.size() : order_.size();
  const auto at = [&](std::size_t n) -> Entry& { return entries_[sorted ? n : order_[n]]; };
  new_rows_of_.clear();
  new_starts_.assign(static_cast<std::size_t>(cols_) + 1, 0);
  for (std::size_t n = 0; n < count; ++n) {
    Entry& entry = at(n);
    if (n == 0 || entry.col != at(n - 1).col || entry.row != at(n - 1).row) {
      new_rows_of_.push_back(entry.row);
      ++new_starts_[static_cast<std::size_t>(entry.col) + 1];
    }
    entry.slot = static_cast<int>(new_rows_of_.size()) - 1;
  }
  std::partial_sum(new_starts_.begin(), new_starts_.end(), new_starts_.begin());
  changed_ = false;
  if (revision_ > 0 && new_starts_ == starts_ && new_rows_of_ == rows_of_) return;
  starts_.swap(new_starts_);
  rows_of_.swap(new_rows_of_);
  values_.resize(rows_of_.size());
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

SparseMatrix SparseMatrix::sink() {
  SparseMatrix result;
  result.is_sink_ = true;
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
