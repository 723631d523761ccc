// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <span>

namespace picus::studies {

/// Norms of a function known on a grid of spacing h, acary (21): ‖e‖_p = (h Σ |e_i|^p)^(1/p). A NaN
/// among the values is one in all norms.
struct GridNorms {
  double l1 = 0.0, l2 = 0.0, max = 0.0;
};

inline GridNorms grid_norms(double h, std::span<const double> values) {
  GridNorms norms;
  for (const double e : values) {
    norms.l1 += h * std::abs(e);
    norms.l2 += h * e * e;
    if (!(std::abs(e) <= norms.max) && !std::isnan(norms.max)) norms.max = std::abs(e);
  }
  norms.l2 = std::sqrt(norms.l2);
  return norms;
}

}  // namespace picus::studies
