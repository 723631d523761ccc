// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/block_matrix3.h"

#include <algorithm>
#include <utility>

#include "picus/base/contract.h"

namespace picus {

void BlockMatrix3::begin(int blocks) {
  if (blocks != blocks_ || entries_.empty()) {
    blocks_ = blocks;
    entries_.clear();
    changed_ = true;
  }
  cursor_ = 0;
}

void BlockMatrix3::diverge(int row, int col, double value) {
  expects(row >= 0 && row < size() && col >= 0 && col < size(), "an entry inside the matrix");
  entries_.resize(cursor_);
  entries_.push_back({row, col, 0, value});
  ++cursor_;
  changed_ = true;
}

void BlockMatrix3::add_block(int block_row, int block_col, const Matrix3& block) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      add(3 * block_row + i, 3 * block_col + j, block(i, j));
}

void BlockMatrix3::end() {
  if (cursor_ != entries_.size()) {
    entries_.resize(cursor_);
    changed_ = true;
  }
  if (changed_) find_pattern();
  changed_ = false;
  for (Matrix3& block : values_)
    block.setZero();
  for (const Entry& entry : entries_)
    values_[static_cast<std::size_t>(entry.slot)](entry.row % 3, entry.col % 3) += entry.value;
}

void BlockMatrix3::begin_rows(int blocks) {
  entries_.clear();
  cursor_ = 0;
  changed_ = blocks != blocks_;
  blocks_ = blocks;
  starts_.resize(static_cast<std::size_t>(blocks) + 1);
  diagonals_.resize(static_cast<std::size_t>(blocks));
  starts_[0] = 0;
}

std::span<Matrix3> BlockMatrix3::next_row(std::span<const int> columns) {
  const auto first = static_cast<std::size_t>(starts_[cursor_]), last = first + columns.size();
  const int row = static_cast<int>(cursor_++);
  if (starts_[cursor_] != static_cast<int>(last)) changed_ = true;
  starts_[cursor_] = static_cast<int>(last);
  if (columns_.size() < last) columns_.resize(last);
  if (values_.size() < last) values_.resize(last);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns_[first + k] != columns[k]) changed_ = true;
    columns_[first + k] = columns[k];
    values_[first + k].setZero();
    if (columns[k] == row) diagonals_[static_cast<std::size_t>(row)] = static_cast<int>(first + k);
  }
  return std::span(values_).subspan(first, columns.size());
}

void BlockMatrix3::end_rows() {
  expects(static_cast<int>(cursor_) == blocks_, "as many rows as blocks");
  if (changed_) ++revision_;
  changed_ = false;
}

void BlockMatrix3::find_pattern() {
  std::vector<std::pair<int, int>> places;
  places.reserve(entries_.size() + static_cast<std::size_t>(blocks_));
  for (int i = 0; i < blocks_; ++i)
    places.emplace_back(i, i);
  for (const Entry& entry : entries_) {
    const std::pair place(entry.row / 3, entry.col / 3);
    if (place != places.back()) places.push_back(place);  // blocks are mostly added whole
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());

  starts_.assign(static_cast<std::size_t>(blocks_) + 1, 0);
  columns_.resize(places.size());
  diagonals_.resize(static_cast<std::size_t>(blocks_));
  values_.resize(places.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto [row, col] = places[k];
    ++starts_[static_cast<std::size_t>(row) + 1];
    columns_[k] = col;
    if (row == col) diagonals_[static_cast<std::size_t>(row)] = static_cast<int>(k);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(blocks_); ++i)
    starts_[i + 1] += starts_[i];
  for (Entry& entry : entries_)
    entry.slot = find_slot(entry.row / 3, entry.col / 3);
  ++revision_;
}

int BlockMatrix3::find_slot(int block_row, int block_col) const {
  const auto begin = columns_.begin() + starts_[static_cast<std::size_t>(block_row)];
  const auto end = columns_.begin() + starts_[static_cast<std::size_t>(block_row) + 1];
  return static_cast<int>(std::lower_bound(begin, end, block_col) - columns_.begin());
}

void BlockMatrix3::multiply(const Vector& x, Vector& y) const {
  for (int i = 0; i < blocks_; ++i)
    y.segment<3>(3 * i) = row_times(i, x);
}

Matrix BlockMatrix3::dense() const {
  Matrix A = Matrix::Zero(size(), size());
  for (int i = 0; i < blocks_; ++i) {
    const Row blocks = row(i);
    for (std::size_t k = 0; k < blocks.columns.size(); ++k)
      A.block<3, 3>(3 * i, 3 * blocks.columns[k]) = blocks.values[k];
  }
  return A;
}

}  // namespace picus
