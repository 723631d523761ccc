// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/math/rotation.h"

namespace picus {

using Vector6 = SmallVector<double, 6>;

/// Where a body is: the place of its centre of mass and its orientation.
template <class T>
struct Pose {
  Vec3<T> r = Vec3<T>::Constant(T(0.0));
  Mat3<T> A = identity();
  T angle = T(0.0);  ///< of a planar body, counting full turns; 0 for others

  /// A point of the body, in space.
  Vec3<T> point(const Vector3& local) const {
    const Vec3<T> arm = rotate(A, local);
    return Vec3<T>(r(0) + arm(0), r(1) + arm(1), r(2) + arm(2));
  }
  /// A direction fixed in the body, in space.
  Vec3<T> direction(const Vector3& local) const { return rotate(A, local); }

  static Mat3<T> identity() {
    Mat3<T> one;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        one(i, j) = T(i == j ? 1.0 : 0.0);
    return one;
  }
};

/// The pose with its six tangent directions (translation, then rotation in the body's frame) as
/// derivatives first … first + 5 of the dual.
template <int N, class T>
Pose<Dual<N, T>> perturbed(const Pose<T>& pose, int first) {
  using D = Dual<N, T>;
  Pose<D> result;
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < 3; ++i) {
    result.r(i) = D::variable(pose.r(i), first + i);
    for (int k = 0; k < 3; ++k)
      result.A(i, k) = D(pose.A(i, k));
    // A ẽ_m: column m of A does not move, the other two turn into each other
    for (int m = 0; m < 3; ++m) {
      const int n = (m + 1) % 3, l = (m + 2) % 3;
      result.A(i, n).grad[at(first + 3 + m)] = pose.A(i, l);
      result.A(i, l).grad[at(first + 3 + m)] = -pose.A(i, n);
    }
  }
  result.angle = D::variable(pose.angle, first + 5);
  return result;
}

/// The same in the plane: x, y and the angle.
template <int N, class T>
Pose<Dual<N, T>> perturbed_in_plane(const Pose<T>& pose, int first) {
  using D = Dual<N, T>;
  Pose<D> result;
  const auto turn = static_cast<std::size_t>(first) + 2;
  for (int i = 0; i < 3; ++i) {
    result.r(i) = i < 2 ? D::variable(pose.r(i), first + i) : D(pose.r(i));
    for (int k = 0; k < 3; ++k)
      result.A(i, k) = D(pose.A(i, k));
    result.A(i, 0).grad[turn] = pose.A(i, 1);
    result.A(i, 1).grad[turn] = -pose.A(i, 0);
  }
  result.angle = D::variable(pose.angle, first + 2);
  return result;
}

/// The pose leaving along the twist (v, ω): the outer derivative is the rate.
template <class T>
Pose<Dual<1, T>> moving(const Pose<T>& pose, const SmallVector<double, 6>& twist) {
  using D = Dual<1, T>;
  Pose<D> result;
  const Vector3 omega = twist.tail<3>();
  for (int i = 0; i < 3; ++i) {
    result.r(i) = D(pose.r(i));
    result.r(i).grad[0] = T(twist(i));
    const Vec3<T> row(pose.A(i, 0), pose.A(i, 1), pose.A(i, 2));
    const Vec3<T> rate = cross(row, omega);  // row of A ω̃
    for (int k = 0; k < 3; ++k) {
      result.A(i, k) = D(pose.A(i, k));
      result.A(i, k).grad[0] = rate(k);
    }
  }
  result.angle = D(pose.angle);
  result.angle.grad[0] = T(omega(2));
  return result;
}

}  // namespace picus
