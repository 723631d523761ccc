// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Directions at the contact of two round bodies: balls, discs in the plane, a pin in a hole.

#include "picus/elements/rows.h"

namespace picus {

/// Two centres; with an axis of J, distances count across that axis.
struct TwoCentres {
  Vector3 centre_i, centre_j;
  Vector3 axis_j = Vector3::Zero();  ///< unit vector, or zero for balls

  /// From the centre of J to that of I, across the axis.
  template <class T>
  Vec3<T> apart(const Pose<T>& i, const Pose<T>& j) const {
    const Vec3<T> d = i.point(centre_i) - j.point(centre_j), a = j.direction(axis_j);
    const T along = dot(d, a);
    return Vec3<T>(d(0) - along * a(0), d(1) - along * a(1), d(2) - along * a(2));
  }
  /// The same of length one; zero where the centres coincide and no direction is better.
  template <class T>
  Vec3<T> normal(const Pose<T>& i, const Pose<T>& j) const {
    using std::sqrt;
    const Vec3<T> d = apart(i, j);
    const T square = dot(d, d);
    if (!(T(0.0) < square)) return rows::lift<T>(Vector3::Zero());
    const T length = sqrt(square);
    return Vec3<T>(d(0) / length, d(1) / length, d(2) / length);
  }
  /// Velocity of I less that of J along e, of their points that are at `place`.
  template <class T>
  static Row<T> row_at(const Vec3<T>& place, const Vec3<T>& e, const Pose<T>& i, const Pose<T>& j) {
    Row<T> row;
    rows::set(row, 0, 1.0, e, i, rotate_back(i.A, Vec3<T>(place - i.r)));
    rows::set(row, 6, -1.0, e, j, rotate_back(j.A, Vec3<T>(place - j.r)));
    return row;
  }

  bool operator==(const TwoCentres&) const = default;
};

/// Distance of the centres, zero allowed.
struct CentreDistance : TwoCentres {
  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    using std::sqrt;
    const Vec3<T> d = apart(i, j);
    const T square = dot(d, d);
    return T(0.0) < square ? sqrt(square) : T(0.0);
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    return row_at(i.point(centre_i), normal(i, j), i, j);
  }

  bool operator==(const CentreDistance&) const = default;
};

/// Sliding velocity at the point of I that is `reach` from its centre along the normal.
struct RoundSlip : TwoCentres {
  double reach = 0.0;   ///< minus the radius of I outside of J, plus inside
  bool second = false;  ///< around the axis, or along it; for balls: two tangents of no preference

  template <class T>
  Vec3<T> tangent(const Vec3<T>& n, const Pose<T>& j) const {
    if (!axis_j.isZero(0.0)) {
      const Vec3<T> a = j.direction(axis_j);
      return second ? a : cross(a, n);
    }
    // from the axis of space that is farthest from n
    int k = 0;
    const auto size = [&n](int c) { return n(c) < T(0.0) ? -n(c) : n(c); };
    for (int c = 1; c < 3; ++c)
      if (size(c) < size(k)) k = c;
    const Vec3<T> across = cross(n, rows::lift<T>(Vector3::Unit(k)));
    const Vec3<T> first = unit(across);
    return second ? cross(n, first) : first;
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    const Vec3<T> n = normal(i, j), centre = i.point(centre_i);
    if (!(T(0.0) < dot(n, n))) return rows::zero<T>();
    const Vec3<T> place(centre(0) + reach * n(0), centre(1) + reach * n(1),
                        centre(2) + reach * n(2));
    return row_at(place, tangent(n, j), i, j);
  }

  bool operator==(const RoundSlip&) const = default;

 private:
  template <class T>
  static Vec3<T> unit(const Vec3<T>& v) {
    using std::sqrt;
    const T length = sqrt(dot(v, v));
    return Vec3<T>(v(0) / length, v(1) / length, v(2) / length);
  }
};

}  // namespace picus
