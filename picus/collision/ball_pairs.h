// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "picus/collision/hashed_grids.h"

namespace picus {

/// Which balls (or disks, all at one height) of many are close, in time linear in their number.
class BallPairs {
 public:
  using Pair = HashedGrids::Pair;

  /// Finds all pairs with |c_i − c_j| ≤ r_i + r_j, i < j. Balls with a centre that is not finite
  /// have none. Allocates only when there are more balls or pairs than ever before.
  void find(std::span<const Vector3> centres, std::span<const double> radii);

  /// Ascending.
  std::span<const Pair> pairs() const { return grids_.pairs(); }
  /// Distances that find() has looked at.
  long tests() const { return grids_.tests(); }

 private:
  HashedGrids grids_;
};

}  // namespace picus
