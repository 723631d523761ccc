// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Directions at the contact of round bodies with planes.

#include "picus/elements/rows.h"

namespace picus {

/// Sliding velocity of a ball of I on a plane of J, along an axis of J, at their contact point.
struct BallSlip {
  Vector3 centre_i;
  double radius = 0.0;
  Vector3 normal_j, axis_j;

  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    const Vec3<T> e = j.direction(axis_j), n = j.direction(normal_j);
    Vec3<T> contact = i.point(centre_i);
    for (int k = 0; k < 3; ++k)
      contact(k) = contact(k) - radius * n(k);
    Row<T> row;
    rows::set(row, 0, 1.0, e, i, rotate_back(i.A, Vec3<T>(contact - i.r)));
    rows::set(row, 6, -1.0, e, j, rotate_back(j.A, Vec3<T>(contact - j.r)));
    return row;
  }

  bool operator==(const BallSlip&) const = default;
};

/// The lowest point of a thin disc of I above a plane of J, and how it slides.
struct DiscOnPlane {
  Vector3 centre_i, axle_i;
  double radius = 0.0;
  Vector3 point_j, normal_j;

  /// From the centre to the lowest point: against the normal, within the disc.
  template <class T>
  Vec3<T> spoke(const Pose<T>& i, const Pose<T>& j) const {
    using std::sqrt;
    const Vec3<T> n = j.direction(normal_j), a = i.direction(axle_i);
    const T along = dot(n, a);
    const T length = sqrt(1.0 - along * along);
    Vec3<T> result;
    for (int k = 0; k < 3; ++k)
      result(k) = -radius * (n(k) - along * a(k)) / length;
    return result;
  }
  template <class T>
  Row<T> row_along(const Vec3<T>& e, const Pose<T>& i, const Pose<T>& j) const {
    const Vec3<T> contact = i.point(centre_i) + spoke(i, j);
    Row<T> row;
    rows::set(row, 0, 1.0, e, i, rotate_back(i.A, Vec3<T>(contact - i.r)));
    rows::set(row, 6, -1.0, e, j, rotate_back(j.A, Vec3<T>(contact - j.r)));
    return row;
  }

  bool operator==(const DiscOnPlane&) const = default;
};

/// Height of the lowest point of the disc above the plane.
struct DiscHeight : DiscOnPlane {
  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    const Vec3<T> lowest = i.point(centre_i) + spoke(i, j);
    return dot(j.direction(normal_j), Vec3<T>(lowest - j.point(point_j)));
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    return row_along(j.direction(normal_j), i, j);
  }

  bool operator==(const DiscHeight&) const = default;
};

/// Sliding velocity of the lowest point along an axis of the plane.
struct DiscSlip : DiscOnPlane {
  Vector3 axis_j;

  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    return row_along(j.direction(axis_j), i, j);
  }

  bool operator==(const DiscSlip&) const = default;
};

}  // namespace picus
