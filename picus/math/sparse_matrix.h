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
///
/// Blocks that are alike, as those of the elements of a beam, may be announced: an entry that has
/// been nonzero in one of them takes room in all. A motion that reaches one element after the other
/// then does not change the pattern again and again.
///
///     A.begin_alike(144);   // every 144 calls are a block
///     …
///     A.end_alike();
class SparseMatrix {
 public:
  void begin(int rows, int cols);
  void add(int row, int col, double value) {
    if (next_ != last_ && next_->row == row && next_->col == col) {
      Entry& entry = *next_++;
      entry.value = value;
      if (entry.slot >= 0)
        values_[static_cast<std::size_t>(entry.slot)] += value;
      else if (value != 0.0)
        changed_ = true;
    } else {
      diverge(row, col, value);
    }
  }
  void end();

  void begin_alike(int entries_each);
  void end_alike();

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

  /// Calls begin … end − 1, in blocks.
  struct Alike {
    std::size_t begin = 0, each = 1, end = 0;
    bool operator==(const Alike&) const = default;
  };

  void diverge(int row, int col, double value);
  std::size_t cursor() const { return static_cast<std::size_t>(next_ - entries_.data()); }
  /// Small matrices keep every entry: rounding must not change their pattern.
  bool is_small() const { return static_cast<long>(rows_) * cols_ <= 256; }
  void find_pattern();
  void give_room_to_alike();
  void sort_entries();

  int rows_ = 0, cols_ = 0;
  bool is_sink_ = false;
  std::vector<Entry> entries_;               ///< the add() calls of the last fill, in order
  Entry *next_ = nullptr, *last_ = nullptr;  ///< during a fill: the call that is expected, the end
  std::vector<Alike> alike_;                 ///< of the last fill
  std::size_t alike_cursor_ = 0;
  bool changed_ = true;
  unsigned revision_ = 0;
  std::vector<int> starts_, rows_of_;
  std::vector<double> values_;
  // scratch of find_pattern
  std::vector<std::size_t> order_, by_row_, places_;
  std::vector<int> new_starts_, new_rows_of_;
  std::vector<char> in_one_;
};

}  // namespace picus
