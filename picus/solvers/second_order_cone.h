// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Algebra of the cone L = {x : x₀ ≥ ‖(x₁, x₂)‖} [AlizadehGoldfarb2003].

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/math/types.h"

namespace picus::second_order_cone {

/// How far x is inside L: the product of its eigenvalues, positive in the interior.
inline double determinant(const Vector3& x) {
  const double length = x.tail<2>().norm();
  return (x(0) - length) * (x(0) + length);
}

/// x ∘ y
inline Vector3 product(const Vector3& x, const Vector3& y) {
  Vector3 z;
  z(0) = x.dot(y);
  z.tail<2>() = x(0) * y.tail<2>() + y(0) * x.tail<2>();
  return z;
}

/// The y with x ∘ y = z.
inline Vector3 quotient(const Vector3& z, const Vector3& x) {
  Vector3 y;
  y(0) = (x(0) * z(0) - x.tail<2>().dot(z.tail<2>())) / determinant(x);
  y.tail<2>() = (z.tail<2>() - y(0) * x.tail<2>()) / x(0);
  return y;
}

/// The largest α with x + α d in L, for x inside.
inline double largest_step(const Vector3& x, const Vector3& d) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  double step = d(0) < 0.0 ? -x(0) / d(0) : kAny;
  // roots of a α² + 2 b α + c
  const double a = d(0) * d(0) - d.tail<2>().squaredNorm();
  const double b = x(0) * d(0) - x.tail<2>().dot(d.tail<2>());
  const double c = determinant(x), discriminant = b * b - a * c;
  if (discriminant < 0.0) return step;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  for (const double root : {q / a, c / q})
    if (root > 0.0) step = std::min(step, root);  // false for NaN
  return step;
}

/// The scaling of Nesterov and Todd: the symmetric F that leads L onto itself with F x = F⁻¹ y.
struct Scaling {
  Matrix3 F, inverse;
  Matrix3 square;  ///< F², with F² x = y

  Scaling() = default;
  Scaling(const Vector3& x, const Vector3& y) {
    const double size_x = std::sqrt(determinant(x)), size_y = std::sqrt(determinant(y));
    const Vector3 a = x / size_x, b = y / size_y;
    const double twice = 2.0 * std::sqrt(0.5 * (1.0 + a.dot(b)));
    Vector3 w = b;
    w(0) += a(0);
    w.tail<2>() -= a.tail<2>();
    w /= twice;
    const double root = std::sqrt(size_y / size_x);
    F << w.transpose(), w(1), 1.0 + w(1) * w(1) / (1.0 + w(0)), w(1) * w(2) / (1.0 + w(0)), w(2),
        w(1) * w(2) / (1.0 + w(0)), 1.0 + w(2) * w(2) / (1.0 + w(0));
    inverse = F;
    inverse.topRightCorner<1, 2>() *= -1.0;
    inverse.bottomLeftCorner<2, 1>() *= -1.0;
    F *= root;
    inverse /= root;
    square = 2.0 * w * w.transpose();
    square.diagonal() += Vector3(-1.0, 1.0, 1.0);
    square *= root * root;
  }
};

}  // namespace picus::second_order_cone
