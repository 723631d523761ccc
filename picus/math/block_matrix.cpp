// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/block_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "picus/base/contract.h"

namespace picus {

void BlockMatrix::reset(const std::vector<int>& block_sizes) {
  offsets_.assign(1, 0);
  for (const int size : block_sizes)
    offsets_.push_back(offsets_.back() + size);
  groups_.clear();
  pieces_.clear();
  cursor_ = 0;
  changed_ = true;
}

void BlockMatrix::decouple(std::vector<int> groups) {
  expects(static_cast<int>(groups.size()) == blocks(), "a group for every block");
  groups_ = std::move(groups);
  pieces_.clear();
  changed_ = true;
}

void BlockMatrix::add(int row_block, int col_block, double factor, const SparseMatrix& piece,
                      Transposed transposed) {
  const bool flipped = transposed == Transposed::kYes;
  expects((flipped ? piece.cols() : piece.rows()) == block_size(row_block) &&
              (flipped ? piece.rows() : piece.cols()) == block_size(col_block),
          "a piece of the size of its block");
  if (!groups_.empty() &&
      groups_[static_cast<std::size_t>(row_block)] != groups_[static_cast<std::size_t>(col_block)])
    return;
  if (cursor_ < pieces_.size()) {
    Piece& known = pieces_[cursor_];
    if (known.row_block == row_block && known.col_block == col_block && known.matrix == &piece &&
        known.transposed == transposed && known.revision == piece.pattern_revision()) {
      known.factor = factor;
      ++cursor_;
      return;
    }
    changed_ = true;
    known = {row_block, col_block, &piece, transposed, factor, piece.pattern_revision(), {}};
  } else {
    changed_ = true;
    pieces_.push_back(
        {row_block, col_block, &piece, transposed, factor, piece.pattern_revision(), {}});
  }
  ++cursor_;
}

bool BlockMatrix::factorize() {
  if (cursor_ < pieces_.size()) {
    pieces_.resize(cursor_);
    changed_ = true;
  }
  if (changed_) find_pattern();
  scatter();
  return solver_.factorize(view());
}

void BlockMatrix::find_pattern() {
  struct PatternEntry {
    int col, row;
    std::size_t piece, index;  // of a value in its piece
  };
  std::vector<PatternEntry> entries;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    Piece& piece = pieces_[p];
    const SparseMatrix& A = *piece.matrix;
    piece.slots.assign(static_cast<std::size_t>(A.nonzeros()), 0);
    const bool flipped = piece.transposed == Transposed::kYes;
    for (int col = 0; col < A.cols(); ++col) {
      const auto first = static_cast<std::size_t>(A.column_starts()[static_cast<std::size_t>(col)]);
      const auto last =
          static_cast<std::size_t>(A.column_starts()[static_cast<std::size_t>(col) + 1]);
      for (std::size_t k = first; k < last; ++k) {
        const int row = A.row_indices()[k];
        entries.push_back({offset(piece.col_block) + (flipped ? row : col),
                           offset(piece.row_block) + (flipped ? col : row), p, k});
      }
    }
  }
  std::sort(entries.begin(), entries.end(), [](const PatternEntry& a, const PatternEntry& b) {
    return std::tie(a.col, a.row) < std::tie(b.col, b.row);
  });

  rows_.clear();
  starts_.assign(static_cast<std::size_t>(size()) + 1, 0);
  for (std::size_t n = 0; n < entries.size(); ++n) {
    const PatternEntry& entry = entries[n];
    if (n == 0 || entry.col != entries[n - 1].col || entry.row != entries[n - 1].row) {
      rows_.push_back(entry.row);
      ++starts_[static_cast<std::size_t>(entry.col) + 1];
    }
    pieces_[entry.piece].slots[entry.index] = static_cast<int>(rows_.size()) - 1;
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  values_.resize(rows_.size());
  solver_.analyze(view());
  changed_ = false;
}

void BlockMatrix::scatter() {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (const Piece& piece : pieces_) {
    const std::span<const double> from = piece.matrix->values();
    for (std::size_t k = 0; k < from.size(); ++k)
      values_[static_cast<std::size_t>(piece.slots[k])] += piece.factor * from[k];
  }
}

bool BlockMatrix::is_finite() const {
  return std::all_of(values_.begin(), values_.end(), [](double x) { return std::isfinite(x); });
}

double BlockMatrix::diagonal(int unknown) const {
  const auto begin = rows_.begin() + starts_[static_cast<std::size_t>(unknown)];
  const auto end = rows_.begin() + starts_[static_cast<std::size_t>(unknown) + 1];
  const auto it = std::lower_bound(begin, end, unknown);
  return it != end && *it == unknown ? values_[static_cast<std::size_t>(it - rows_.begin())] : 0.0;
}

Matrix BlockMatrix::dense() const {
  Matrix result = Matrix::Zero(size(), size());
  for (int col = 0; col < size(); ++col)
    for (int k = starts_[static_cast<std::size_t>(col)];
         k < starts_[static_cast<std::size_t>(col) + 1]; ++k)
      result(rows_[static_cast<std::size_t>(k)], col) = values_[static_cast<std::size_t>(k)];
  return result;
}

}  // namespace picus
