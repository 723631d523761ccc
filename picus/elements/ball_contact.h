// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Directions at the contact of a ball of I with a ball or a plane of J. The normal n points to I;
// with an axis a fixed in space the tangents are t₁ = a × n/‖a × n‖ and t₂ = n × t₁. In the plane,
// a is the z axis, t₁ lies in the plane and t₂ is not needed.

#include <cmath>

#include "picus/elements/rows.h"

namespace picus {

namespace rows {

/// Tangent number `which` of a normal.
template <class T>
Vec3<T> tangent(const Vec3<T>& n, const Vector3& axis, int which) {
  using std::sqrt;
  Vec3<T> t = cross(axis, n);
  const T length = sqrt(dot(t, t));
  for (int k = 0; k < 3; ++k)
    t(k) = t(k) / length;
  return which == 0 ? t : cross(n, t);
}

/// Velocity of the point of I at `contact` (in space) relative to that of J, along e.
template <class T>
Row<T> slip(const Vec3<T>& e, const Vec3<T>& contact_i, const Vec3<T>& contact_j, const Pose<T>& i,
            const Pose<T>& j) {
  Row<T> row;
  set(row, 0, 1.0, e, i, rotate_back(i.A, Vec3<T>(contact_i - i.r)));
  set(row, 6, -1.0, e, j, rotate_back(j.A, Vec3<T>(contact_j - j.r)));
  return row;
}

template <class T>
Vec3<T> along(const Vec3<T>& from, double length, const Vec3<T>& n) {
  return Vec3<T>(from(0) + length * n(0), from(1) + length * n(1), from(2) + length * n(2));
}

}  // namespace rows

/// How two balls slide on each other, each at the point of its surface that faces the other.
struct BallPairSlip {
  Vector3 centre_i, centre_j;
  double radius_i = 0.0, radius_j = 0.0;
  Vector3 axis;
  int which = 0;  ///< tangent 0 or 1

  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    using std::sqrt;
    const Vec3<T> c_i = i.point(centre_i), c_j = j.point(centre_j);
    Vec3<T> n = c_i - c_j;
    const T distance = sqrt(dot(n, n));
    for (int k = 0; k < 3; ++k)
      n(k) = n(k) / distance;
    return rows::slip(rows::tangent(n, axis, which), rows::along(c_i, -radius_i, n),
                      rows::along(c_j, radius_j, n), i, j);
  }

  bool operator==(const BallPairSlip&) const = default;
};

/// How a ball slides on a plane of J with the normal `normal_j`.
struct BallPlaneSlip {
  Vector3 centre_i;
  double radius = 0.0;
  Vector3 normal_j, axis;
  int which = 0;

  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    const Vec3<T> n = j.direction(normal_j);
    const Vec3<T> contact = rows::along(i.point(centre_i), -radius, n);
    return rows::slip(rows::tangent(n, axis, which), contact, contact, i, j);
  }

  bool operator==(const BallPlaneSlip&) const = default;
};

}  // namespace picus
