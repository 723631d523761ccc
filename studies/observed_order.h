// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace picus::studies {

/// The order p of error ≈ C hᵖ: least-squares slope of log(error) against log(h). NaN when fewer
/// than two points are given or one of them is not positive.
inline double observed_order(std::span<const double> h, std::span<const double> error) {
  const std::size_t n = h.size();
  if (n < 2 || error.size() != n) return std::numeric_limits<double>::quiet_NaN();
  double mean_x = 0.0, mean_y = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(h[i] > 0.0) || !(error[i] > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    mean_x += std::log(h[i]) / static_cast<double>(n);
    mean_y += std::log(error[i]) / static_cast<double>(n);
  }
  double xy = 0.0, xx = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = std::log(h[i]) - mean_x;
    xy += x * (std::log(error[i]) - mean_y);
    xx += x * x;
  }
  return xy / xx;
}

/// The same over the last `count` points: the asymptotic order when steps are listed from coarse to
/// fine.
inline double observed_order(std::span<const double> h, std::span<const double> error,
                             std::size_t count) {
  if (count > h.size() || count > error.size()) return std::numeric_limits<double>::quiet_NaN();
  return observed_order(h.last(count), error.last(count));
}

}  // namespace picus::studies
