// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/collision/solid.h"

namespace picus {

/// From B to A where they are nearest.
struct ClosestDirection {
  bool is_apart = false;
  Vector3 normal = Vector3::UnitZ();  ///< in the frame of B
  double distance = 0.0;              ///< of the cores
};

/// Between convex solids without their rounding, by the method of Gilbert, Johnson and Keerthi; A
/// is placed relative to B. The normal is good to about 1e-5: it shows which features face each
/// other. Round solids are made smaller by a part of their thickness, so that they stay apart when
/// they touch.
ClosestDirection closest_direction(const Solid& a, const PoseInSpace& a_in_b, const Solid& b,
                                   double part_less);

}  // namespace picus
