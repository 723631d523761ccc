// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/box_pairs.h"

namespace picus {

void BoxPairs::find(std::span<const Bounds> boxes) {
  centres_.clear();
  halves_.clear();
  for (const Bounds& box : boxes) {
    // of sums: without end they are not finite
    centres_.push_back(0.5 * (box.low + box.high));
    // what touches is not lost to rounding
    halves_.push_back((0.5 + 1e-12) * (box.high - box.low).maxCoeff());
  }
  const auto overlap = [&](int i, int j) {
    return boxes[static_cast<std::size_t>(i)].overlaps(boxes[static_cast<std::size_t>(j)]);
  };
  grids_.collect(centres_, halves_, overlap);
  const auto count = static_cast<int>(boxes.size());
  const auto is_finite = [&](int i) { return boxes[static_cast<std::size_t>(i)].is_finite(); };
  for (int i = 0; i < count; ++i)
    if (!is_finite(i))
      for (int j = 0; j < count; ++j)
        if ((is_finite(j) || j > i) && overlap(i, j)) grids_.add(i, j);
  grids_.sort();
}

}  // namespace picus
