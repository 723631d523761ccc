// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Distances, and directions at the contact of two round bodies: balls, discs in the plane, a pin in
// a hole.

#include "picus/elements/convective.h"

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
  /// The row is n, p_i × A_iᵀ n, −n, −arm × A_jᵀ n with n = u/‖u‖, u = d − (a·d) a and the arm from
  /// J to the centre of I.
  void hessian(const Pose<double>& i, const Pose<double>& j, Hessian& H) const {
    H.setZero();
    const Vector3 d = i.point(centre_i) - j.point(centre_j), a = j.direction(axis_j);
    const double along = a.dot(d);
    const Vector3 u = d - along * a;
    const double length = u.norm();
    if (length == 0.0) return;
    const Vector3 n = u / length, arm = j.A.transpose() * (i.point(centre_i) - j.r);
    const Matrix3 across = Matrix3::Identity() - a * a.transpose();
    const Matrix3 turn_i = i.A * skew(centre_i);  // the centre moves by −turn_i δθ
    SmallMatrix<double, 3, 12> N;                 // ∂u, then ∂n
    N.middleCols<3>(0) = across;
    N.middleCols<3>(3) = -across * turn_i;
    N.middleCols<3>(6) = -across;
    N.middleCols<3>(9) = across * j.A * skew(centre_j) +
                         (a * d.transpose() + along * Matrix3::Identity()) * j.A * skew(axis_j);
    N = ((Matrix3::Identity() - n * n.transpose()) / length * N).eval();
    const Vector3 n_i = i.A.transpose() * n, n_j = j.A.transpose() * n;
    const Matrix3 S = skew(n_j);
    H.middleRows<3>(0) = N;
    H.middleRows<3>(3) = skew(centre_i) * i.A.transpose() * N;
    H.block<3, 3>(3, 3) += skew(centre_i) * skew(n_i);
    H.middleRows<3>(6) = -N;
    H.middleRows<3>(9) = -skew(arm) * j.A.transpose() * N;
    H.block<3, 3>(9, 0) += S * j.A.transpose();
    H.block<3, 3>(9, 3) -= S * j.A.transpose() * turn_i;
    H.block<3, 3>(9, 6) -= S * j.A.transpose();
    H.block<3, 3>(9, 9) += S * skew(arm) - skew(arm) * S;
  }
  Row<double> along_acceleration(const Pose<double>& i, const Pose<double>& j,
                                 const Row<double>& v) const {
    MovingVector u, a;
    u.add_point(1.0, i, v, 0, centre_i);
    u.add_point(-1.0, j, v, 6, centre_j);
    if (!axis_j.isZero(0.0)) {
      a.add_direction(1.0, j, v, 6, axis_j);
      convective::subtract(convective::product(a, u), a, u);
    }
    if (u.x[0].isZero(0.0)) return Row<double>::Zero();
    return convective::along_length(u);
  }

  bool operator==(const CentreDistance&) const = default;
};

/// Distance between a point of I and a point of J; they must not coincide.
struct Distance {
  Vector3 point_i, point_j;

  template <class T>
  T value(const Pose<T>& i, const Pose<T>& j) const {
    using std::sqrt;
    const Vec3<T> d = i.point(point_i) - j.point(point_j);
    return sqrt(dot(d, d));
  }
  template <class T>
  Row<T> row(const Pose<T>& i, const Pose<T>& j) const {
    const T length = value(i, j);
    Vec3<T> e = i.point(point_i) - j.point(point_j);
    for (int k = 0; k < 3; ++k)
      e(k) = e(k) / length;
    Row<T> row;
    rows::set(row, 0, 1.0, e, i, point_i);
    rows::set(row, 6, -1.0, e, j, point_j);
    return row;
  }

  double convective(const Pose<double>& i, const Pose<double>& j, const Row<double>& v) const {
    const Motion3 d = Motion3::of_point(i, v, 0, point_i) - Motion3::of_point(j, v, 6, point_j);
    const double length = d.x.norm(), rate = d.x.dot(d.rate) / length;
    return (0.5 * convective::of_product(d, d) - rate * rate) / length;
  }
  void hessian(const Pose<double>& i, const Pose<double>& j, Hessian& H) const {
    CentreDistance{{point_i, point_j}}.hessian(i, j, H);
  }
  Row<double> along_acceleration(const Pose<double>& i, const Pose<double>& j,
                                 const Row<double>& v) const {
    return CentreDistance{{point_i, point_j}}.along_acceleration(i, j, v);
  }

  bool operator==(const Distance&) const = default;
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
