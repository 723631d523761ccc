// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "picus/math/types.h"

namespace picus {

/// A box along the axes of a frame.
struct Bounds {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 high = Vector3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Vector3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  void grow(double margin) {
    low.array() -= margin;
    high.array() += margin;
  }
  bool overlaps(const Bounds& b) const {
    return (low.array() <= b.high.array()).all() && (b.low.array() <= high.array()).all();
  }
  bool is_finite() const { return low.allFinite() && high.allFinite(); }
};

}  // namespace picus
