// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Nearest points of the sets in which impulses live, studer-leine-glocker (20).

#include <algorithm>
#include <cmath>

#include "picus/math/types.h"

namespace picus {

/// The nearest point of the disc ‖x‖ ≤ radius; the centre when the radius is negative.
inline Vector2 project_on_disc(const Vector2& x, double radius) {
  const double length = x.norm();
  if (length <= radius) return x;
  return radius > 0.0 ? Vector2(x * (radius / length)) : Vector2::Zero();
}

/// The nearest point of the cone ‖x_t‖ ≤ μ x_n, with x = (x_n, x_t).
inline Vector3 project_on_cone(const Vector3& x, double mu) {
  const double length = x.tail<2>().norm();
  if (x(0) >= 0.0 && length <= mu * x(0)) return x;
  if (mu * length <= -x(0)) return Vector3::Zero();  // x lies in the polar cone
  const double normal = (x(0) + mu * length) / (1.0 + mu * mu);
  Vector3 result(normal, 0.0, 0.0);
  if (length > 0.0) result.tail<2>() = x.tail<2>() * (mu * normal / length);
  return result;
}

}  // namespace picus
