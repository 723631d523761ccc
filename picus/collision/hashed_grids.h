// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "picus/math/types.h"

namespace picus {

/// Which of many things are close, in time linear in their number.
///
/// Things are put into the cells of grids, each into one whose cells are at most twice as wide as
/// the thing, so that a cell holds few of them however different their sizes are, and neighbours
/// are in adjacent cells. Cells are found by hashing: empty space costs nothing.
class HashedGrids {
 public:
  using Pair = std::pair<int, int>;

  /// Collects all pairs i < j of things that are close along each axis, |c_i − c_j| ≤ h_i + h_j,
  /// and for which meet(i, j) is true. Things that are not finite have none. Allocates only when
  /// there are more things or pairs than ever before.
  template <class Meet>
  void collect(std::span<const Vector3> centres, std::span<const double> halves, Meet&& meet) {
    place(centres, halves);
    for (std::size_t i = 0; i < centres_.size(); ++i)
      if (cells_[i].grid >= 0) look_around(static_cast<int>(i), meet);
  }
  /// One more pair.
  void add(int i, int j) { found_.emplace_back(std::min(i, j), std::max(i, j)); }
  /// Puts the pairs in order.
  void sort();

  /// Ascending.
  std::span<const Pair> pairs() const { return pairs_; }
  /// Pairs that meet() has looked at.
  long tests() const { return tests_; }

 private:
  static constexpr int kGrids = 32;  ///< each twice as coarse as the one before

  struct Cell {
    std::int32_t x, y, z;
    std::int32_t grid = -1;  ///< -1 for a thing that takes no part
    bool operator==(const Cell&) const = default;
  };

  void place(std::span<const Vector3> centres, std::span<const double> halves);
  void choose_grids();
  void fill_table();
  Cell cell_at(const Vector3& centre, int grid) const;
  std::size_t slot_of(const Cell& cell) const;
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  // Things of the same grid are in adjacent cells; so are larger ones, seen from their own grid.
  // Smaller ones find this thing themselves.
  template <class Meet>
  void look_around(int thing, Meet&& meet) {
    for (int grid = cells_[index(thing)].grid; grid < kGrids; ++grid) {
      if (!is_used_[grid]) continue;
      const Cell here = cell_at(centres_[index(thing)], grid);
      const int depth = is_flat_ ? 0 : 1;
      for (int dz = -depth; dz <= depth; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            look_into(thing, {here.x + dx, here.y + dy, here.z + dz, grid}, meet);
    }
  }
  template <class Meet>
  void look_into(int thing, const Cell& cell, Meet&& meet) {
    std::size_t slot = slot_of(cell);
    while (table_[slot] >= 0 && !(cells_[index(table_[slot])] == cell))
      slot = (slot + 1) & (table_.size() - 1);
    const bool is_own_grid = cell.grid == cells_[index(thing)].grid;
    for (int other = table_[slot]; other >= 0; other = next_[index(other)]) {
      if (is_own_grid && other <= thing) continue;  // seen from the other side, too
      ++tests_;
      if (meet(thing, other)) add(thing, other);
    }
  }

  std::span<const Vector3> centres_;
  std::span<const double> halves_;
  Vector3 corner_ = Vector3::Zero();
  bool is_flat_ = false;       ///< all at one height
  double width_[kGrids] = {};  ///< of the cells
  bool is_used_[kGrids] = {};
  std::vector<Cell> cells_;        ///< of the things
  std::vector<int> table_, next_;  ///< first thing of a cell, next one in the same cell
  std::vector<Pair> found_, pairs_;
  std::vector<int> starts_;
  long tests_ = 0;
};

}  // namespace picus
