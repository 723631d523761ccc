// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows: twelve numbers that, times the velocities of two bodies I and J, give a rate. They work for
// numbers and for duals.

#include "picus/elements/pose.h"

namespace picus {

template <class T>
using Row = SmallVector<T, 12>;
using Hessian = SmallMatrix<double, 12, 12>;

/// (a ×)(b ×) = b aᵀ − (a · b) I.
inline Matrix3 skew_product(const Vector3& a, const Vector3& b) {
  Matrix3 S = b * a.transpose();
  S.diagonal().array() -= a.dot(b);
  return S;
}

namespace rows {

/// δ(point fixed in a body at `arm` from its centre, in its frame) · e
template <class T, class U>
void set(Row<T>& row, int first, double sign, const Vec3<T>& e, const Pose<T>& body,
         const Vec3<U>& arm) {
  const Vec3<T> turn = cross(arm, rotate_back(body.A, e));
  for (int k = 0; k < 3; ++k) {
    row(first + k) = sign * e(k);
    row(first + 3 + k) = sign * turn(k);
  }
}

template <class T>
Row<T> zero() {
  return Row<T>::Constant(T(0.0));
}

template <class T>
Vec3<T> lift(const Vector3& v) {
  return Vec3<T>(T(v(0)), T(v(1)), T(v(2)));
}

}  // namespace rows

}  // namespace picus
