// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "picus/math/types.h"

namespace picus {

/// Which balls (or disks, all at one height) of many are close, in time linear in their number.
///
/// Balls are put into the cells of grids, each into one whose cells are at most twice as wide as
/// the ball, so that a cell holds few of them however different their radii are, and neighbours are
/// in adjacent cells. Cells are found by hashing: empty space costs nothing.
class BallPairs {
 public:
  using Pair = std::pair<int, int>;

  /// Finds all pairs with |c_i − c_j| ≤ r_i + r_j, i < j. Balls with a centre that is not finite
  /// have none. Allocates only when there are more balls or pairs than ever before.
  void find(std::span<const Vector3> centres, std::span<const double> radii);

  /// Ascending.
  std::span<const Pair> pairs() const { return pairs_; }
  /// Distances that find() has looked at.
  long tests() const { return tests_; }

 private:
  static constexpr int kGrids = 32;  ///< each twice as coarse as the one before

  struct Cell {
    std::int32_t x, y, z;
    std::int32_t grid = -1;  ///< -1 for a ball that takes no part
    bool operator==(const Cell&) const = default;
  };

  void choose_grids();
  void fill_table();
  void look_around(int ball);
  void look_into(int ball, const Cell& cell);
  void sort_pairs();
  Cell cell_at(const Vector3& centre, int grid) const;
  std::size_t slot_of(const Cell& cell) const;

  std::span<const Vector3> centres_;
  std::span<const double> radii_;
  Vector3 corner_ = Vector3::Zero();
  bool is_flat_ = false;       ///< all at one height
  double width_[kGrids] = {};  ///< of the cells
  bool is_used_[kGrids] = {};
  std::vector<Cell> cells_;        ///< of the balls
  std::vector<int> table_, next_;  ///< first ball of a cell, next one in the same cell
  std::vector<Pair> found_, pairs_;
  std::vector<int> starts_;
  long tests_ = 0;
};

}  // namespace picus
