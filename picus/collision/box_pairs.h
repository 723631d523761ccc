// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/collision/bounds.h"
#include "picus/collision/hashed_grids.h"

namespace picus {

/// Which boxes of many overlap, in time linear in their number however different their sizes are;
/// boxes much longer than wide count as wide as they are long. Boxes without end, those of planes,
/// are compared with every other one.
class BoxPairs {
 public:
  using Pair = HashedGrids::Pair;

  /// Finds all pairs i < j that overlap or touch. Boxes with a NaN have none. Allocates only when
  /// there are more boxes or pairs than ever before.
  void find(std::span<const Bounds> boxes);

  /// Ascending.
  std::span<const Pair> pairs() const { return grids_.pairs(); }
  /// Pairs that find() has looked at, without boxes that have no end.
  long tests() const { return grids_.tests(); }

 private:
  HashedGrids grids_;
  std::vector<Vector3> centres_;
  std::vector<double> halves_;
};

}  // namespace picus
