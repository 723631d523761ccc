// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rotations in space: matrices, unit quaternions (w, x, y, z) and rotation vectors, for numbers and
// for duals. Angular velocities and increments are seen in the rotating frame, A(q ⊕ φ) = A(q) exp
// φ̃.

#include <cmath>

#include "picus/math/dual.h"

namespace picus {

template <class T>
using Vec3 = SmallVector<T, 3>;
template <class T>
using Mat3 = SmallMatrix<T, 3, 3>;
using Quaternion = SmallVector<double, 4>;

// Products with mixed scalars, written out: the numbers of a model meet duals here.

template <class S, class U>
auto cross(const Vec3<S>& a, const Vec3<U>& b) {
  using T = decltype(a(0) * b(0));
  Vec3<T> c;
  c(0) = a(1) * b(2) - a(2) * b(1);
  c(1) = a(2) * b(0) - a(0) * b(2);
  c(2) = a(0) * b(1) - a(1) * b(0);
  return c;
}

template <class S, class U>
auto dot(const Vec3<S>& a, const Vec3<U>& b) {
  return a(0) * b(0) + a(1) * b(1) + a(2) * b(2);
}

/// A b
template <class S, class U>
auto rotate(const Mat3<S>& A, const Vec3<U>& b) {
  using T = decltype(A(0, 0) * b(0));
  Vec3<T> c;
  for (int i = 0; i < 3; ++i)
    c(i) = A(i, 0) * b(0) + A(i, 1) * b(1) + A(i, 2) * b(2);
  return c;
}

/// Aᵀ b
template <class S, class U>
auto rotate_back(const Mat3<S>& A, const Vec3<U>& b) {
  using T = decltype(A(0, 0) * b(0));
  Vec3<T> c;
  for (int i = 0; i < 3; ++i)
    c(i) = A(0, i) * b(0) + A(1, i) * b(1) + A(2, i) * b(2);
  return c;
}

/// The matrix of a ×.
inline Matrix3 skew(const Vector3& a) {
  Matrix3 S;
  S << 0.0, -a(2), a(1), a(2), 0.0, -a(0), -a(1), a(0), 0.0;
  return S;
}

inline Matrix3 rotation_matrix(const Quaternion& p) {
  const double w = p(0), x = p(1), y = p(2), z = p(3);
  Matrix3 A;
  A << 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
      2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
      2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y);
  return A;
}

inline Quaternion quaternion_product(const Quaternion& a, const Quaternion& b) {
  Quaternion c;
  c(0) = a(0) * b(0) - a(1) * b(1) - a(2) * b(2) - a(3) * b(3);
  c(1) = a(0) * b(1) + a(1) * b(0) + a(2) * b(3) - a(3) * b(2);
  c(2) = a(0) * b(2) - a(1) * b(3) + a(2) * b(0) + a(3) * b(1);
  c(3) = a(0) * b(3) + a(1) * b(2) - a(2) * b(1) + a(3) * b(0);
  return c;
}

/// The quaternion of the rotation vector φ.
inline Quaternion quaternion_of(const Vector3& phi) {
  const double half = 0.5 * phi.norm();
  // sin(x)/x by its series where the quotient would lose digits
  const double s = half < 1e-4 ? 0.5 * (1.0 - half * half / 6.0) : 0.5 * std::sin(half) / half;
  Quaternion p;
  p << std::cos(half), s * phi(0), s * phi(1), s * phi(2);
  return p;
}

/// The rotation vector φ of length at most π with to = ± from exp(φ), of unit quaternions.
Vector3 rotation_vector_between(const Quaternion& from, const Quaternion& to);

/// The unit quaternion, with w ≥ 0, of a rotation matrix (Shepperd: divides by the largest entry).
Quaternion quaternion_of(const Matrix3& A);

/// T(φ): exp(φ̃ + dφ̃) = exp(φ̃) exp((T dφ)˜), the right Jacobian of the exponential map.
Matrix3 increment_jacobian(const Vector3& phi);
/// T(φ)⁻¹: the rotation vector of a frame with angular velocity ω grows at the rate T⁻¹ ω. Not for
/// full turns.
Matrix3 inverse_increment_jacobian(const Vector3& phi);
/// ∂(T(φ)⁻¹ ω)/∂φ.
Matrix3 inverse_increment_jacobian_tangent(const Vector3& phi, const Vector3& omega);

/// The rotation vector of A, of length at most π.
template <class T>
Vec3<T> rotation_vector(const Mat3<T>& A) {
  using std::atan2, std::sqrt;
  Vec3<T> s;  // sin(angle) times the axis
  s(0) = 0.5 * (A(2, 1) - A(1, 2));
  s(1) = 0.5 * (A(0, 2) - A(2, 0));
  s(2) = 0.5 * (A(1, 0) - A(0, 1));
  const T sine2 = dot(s, s);
  const T cosine = 0.5 * (A(0, 0) + A(1, 1) + A(2, 2) - 1.0);
  T factor;  // angle / sin(angle)
  if (plain_value(sine2) < 1e-6 && plain_value(cosine) > 0.0) {
    factor = 1.0 + sine2 * (1.0 / 6.0 + sine2 * (3.0 / 40.0 + sine2 * (5.0 / 112.0)));
  } else {
    const T sine = sqrt(sine2);
    factor = atan2(sine, cosine) / sine;
  }
  return Vec3<T>(factor * s(0), factor * s(1), factor * s(2));
}

/// A right-handed frame whose z axis is along `z` and whose x axis lies in the plane of z and `x`.
/// Without a usable x, the coordinate axis least along z takes its place.
Matrix3 frame_along(const Vector3& z, const Vector3& x = Vector3::Zero());

}  // namespace picus
