// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "picus/math/types.h"

namespace picus {

/// A square sparse matrix of 3×3 blocks in compressed rows, made for row-by-row relaxation.
///
///     W.begin(contacts);
///     W.add(row, col, value);   // scalar positions; repeated ones add up
///     W.end();
///
/// As with SparseMatrix, a fill that repeats the last sequence of positions only writes values and
/// allocates nothing; another sequence gives a new pattern. Diagonal blocks always have room.
///
/// Whoever knows the rows beforehand fills them one after the other, in linear time for any
/// pattern and without allocation unless there are more blocks than ever before:
///
///     W.begin_rows(contacts);
///     for (…) W.next_row(columns)[k] += …;   // ascending columns, the diagonal among them
///     W.end_rows();
class BlockMatrix3 {
 public:
  void begin(int blocks);
  void add(int row, int col, double value) {
    if (cursor_ < entries_.size() && entries_[cursor_].row == row && entries_[cursor_].col == col) {
      entries_[cursor_++].value = value;
    } else {
      diverge(row, col, value);
    }
  }
  void add_block(int block_row, int block_col, const Matrix3& block);
  void end();

  void begin_rows(int blocks);
  /// The blocks of the next row, all zero.
  std::span<Matrix3> next_row(std::span<const int> columns);
  void end_rows();

  int blocks() const { return blocks_; }
  int size() const { return 3 * blocks_; }
  /// Changes whenever the pattern does.
  unsigned pattern_revision() const { return revision_; }

  /// The blocks of one row, ascending by column.
  struct Row {
    std::span<const int> columns;
    std::span<const Matrix3> values;
  };
  Row row(int block_row) const {
    const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(block_row)]);
    const auto end = static_cast<std::size_t>(starts_[static_cast<std::size_t>(block_row) + 1]);
    return {std::span(columns_).subspan(begin, end - begin),
            std::span(values_).subspan(begin, end - begin)};
  }
  const Matrix3& diagonal(int block_row) const {
    return values_[static_cast<std::size_t>(diagonals_[static_cast<std::size_t>(block_row)])];
  }

  /// Three entries of A x. Columns of blocks are read four numbers at a time, of which three count,
  /// and add up column by column: sums of their own need not wait for each other.
  Vector3 row_times(int block_row, const Vector& x) const {
    using Four [[gnu::vector_size(4 * sizeof(double))]] = double;
    Four first{}, second{}, third{};
    const Row blocks = row(block_row);
    for (std::size_t k = 0; k < blocks.columns.size(); ++k) {
      const double *block = blocks.values[k].data(), *at = x.data() + 3 * blocks.columns[k];
      Four a, b, c;
      std::memcpy(&a, block, sizeof a);
      std::memcpy(&b, block + 3, sizeof b);
      std::memcpy(&c, block + 5, sizeof c);  // the last column ends with the block
      first += a * at[0];
      second += b * at[1];
      third += c * at[2];
    }
    first += second;
    return {first[0] + third[1], first[1] + third[2], first[2] + third[3]};
  }
  /// y ← A x; y has the right size.
  void multiply(const Vector& x, Vector& y) const;

  Matrix dense() const;

 private:
  struct Entry {
    int row, col;  ///< of scalars
    int slot;      ///< of its block
    double value;
  };
  void diverge(int row, int col, double value);
  void find_pattern();
  int find_slot(int block_row, int block_col) const;

  int blocks_ = 0;
  std::vector<Entry> entries_;  ///< the add() calls of the last fill, in order
  std::size_t cursor_ = 0;      ///< calls of add() or rows so far
  bool changed_ = true;
  unsigned revision_ = 0;
  std::vector<int> starts_{0}, columns_, diagonals_;
  std::vector<Matrix3> values_;
};

}  // namespace picus
