// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/ball_pairs.h"

namespace picus {

void BallPairs::find(std::span<const Vector3> centres, std::span<const double> radii) {
  grids_.collect(centres, radii, [&](int i, int j) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    const double reach = radii[a] + radii[b];
    return (centres[a] - centres[b]).squaredNorm() <= reach * reach;
  });
  grids_.sort();
}

}  // namespace picus
