// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/math/types.h"

namespace picus {

/// A sparse matrix that is filled again and again by the same sequence of add() calls.
///
///     A.begin(rows, cols);
///     A.add(i, j, value);   // repeated positions add up
///     A.end();
///
/// The first fill finds the pattern (compressed columns) and the slot of every call; later fills
/// only write values and allocate nothing. A fill that differs is noticed and gives a new pattern,
/// in time linear in the entries and without allocation unless they are more than ever before. In
/// all but small matrices, entries that have only ever been exactly zero take no room, so that a
/// local block may be added whole.
class SparseMatrix {
 public:
  void begin(int rows, int cols);
  void add(int row, int col, double value) {
    if (cursor_ < entries_.size() && entries_[cursor_].row == row && entries_[cursor_].col == col) {
      entries_[cursor_++].value = value;
    } else {
      diverge(row, col, value);
    }
  }
  void end();

  /// Adds a dense block with its rows and columns scattered.
  template <class Block>
  void add_block(std::span<const int> rows, std::span<const int> cols, const Block& block,
                 double factor = 1.0) {
    for (std::size_t j = 0; j < cols.size(); ++j)
      for (std::size_t i = 0; i < rows.size(); ++i)
        add(rows[i], cols[j], factor * block(static_cast<int>(i), static_cast<int>(j)));
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int nonzeros() const { return static_cast<int>(values_.size()); }
  std::span<const int> column_starts() const { return starts_; }
  std::span<const int> row_indices() const { return rows_of_; }
  std::span<const double> values() const { return values_; }

  /// Changes whenever the pattern does.
  unsigned pattern_revision() const { return revision_; }

  /// y += factor A x
  void multiply_add(double factor, const Vector& x, Vector& y) const;
  /// y += factor Aᵀ x
  void multiply_transposed_add(double factor, const Vector& x, Vector& y) const;

  Matrix dense() const;

  /// Calls visit(row, col, value) for every stored entry, column by column.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int col = 0; col < cols_; ++col)
      for (auto k = static_cast<std::size_t>(starts_[static_cast<std::size_t>(col)]);
           k < static_cast<std::size_t>(starts_[static_cast<std::size_t>(col) + 1]); ++k)
        visit(rows_of_[k], col, values_[k]);
  }

  /// Calls visit(row, value) for every stored entry of a column.
  template <class Visit>
  void for_each_in(int col, Visit&& visit) const {
    for (auto k = static_cast<std::size_t>(starts_[static_cast<std::size_t>(col)]);
         k < static_cast<std::size_t>(starts_[static_cast<std::size_t>(col) + 1]); ++k)
      visit(rows_of_[k], values_[k]);
  }

  /// An identity matrix.
  static SparseMatrix identity(int size);
  /// Takes every entry and keeps none: for a result that nobody wants. Never allocates.
  static SparseMatrix sink();

 private:
  struct Entry {
    int row, col;
    int slot;  ///< place in values_, or -1 for an entry that has always been zero
    double value;
  };

  void diverge(int row, int col, double value);
  /// Small matrices keep every entry: rounding must not change their pattern.
  bool is_small() const { return static_cast<long>(rows_) * cols_ <= 256; }
  void find_pattern();
  void sort_entries();

  int rows_ = 0, cols_ = 0;
  bool is_sink_ = false;
  std::vector<Entry> entries_;  ///< the add() calls of the last fill, in order
  std::size_t cursor_ = 0;
  bool changed_ = true;
  unsigned revision_ = 0;
  std::vector<int> starts_, rows_of_;
  std::vector<double> values_;
  // scratch of find_pattern
  std::vector<std::size_t> order_, by_row_, places_;
  std::vector<int> new_starts_, new_rows_of_;
};

}  // namespace picus
