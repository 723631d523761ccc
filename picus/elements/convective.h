// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The third derivatives of measures, by rules in place of duals of duals. While bodies move on with
// the velocities they have (ω in their own frames), a measure s accelerates by
//
//   s̈ = v · ∂row/∂q · v
//
// and Newton's method wants the derivative of that along positions. A vector w fixed in a body
// moves as A w, A (ω × w), A (ω × (ω × w)), each of which turns with A; sums, products and lengths
// of such vectors follow by Leibniz's rule.

#include <array>

#include "picus/elements/rows.h"

namespace picus {

/// A vector in space, its rate and its acceleration, and how they change along the twelve tangent
/// directions of two bodies.
struct MovingVector {
  using Columns = SmallMatrix<double, 3, 12>;
  std::array<Vector3, 3> x = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  std::array<Columns, 3> along = {Columns::Zero(), Columns::Zero(), Columns::Zero()};

  /// Adds a direction fixed in a body, whose velocities are v(first), v(first + 1), …
  void add_direction(double sign, const Pose<double>& body, const Row<double>& v, int first,
                     const Vector3& local) {
    const Vector3 omega = v.segment<3>(first + 3);
    Vector3 w = sign * local;
    for (std::size_t n = 0; n < 3; ++n) {
      x[n] += body.A * w;
      along[n].middleCols<3>(first + 3) -= body.A * skew(w);
      w = cross(omega, w);
    }
  }
  /// Adds a point fixed in a body.
  void add_point(double sign, const Pose<double>& body, const Row<double>& v, int first,
                 const Vector3& local) {
    add_direction(sign, body, v, first, local);
    x[0] += sign * body.r;
    x[1] += sign * v.segment<3>(first);
    along[0].middleCols<3>(first).diagonal().array() += sign;
  }
};

/// A vector in space with its rate and acceleration alone.
struct Motion3 {
  Vector3 x, rate, acceleration;

  /// Of a point fixed in a body.
  static Motion3 of_point(const Pose<double>& body, const Row<double>& v, int first,
                          const Vector3& local) {
    Motion3 point = of_direction(body, v, first, local);
    point.x += body.r;
    point.rate += v.segment<3>(first);
    return point;
  }
  /// Of a direction fixed in a body.
  static Motion3 of_direction(const Pose<double>& body, const Row<double>& v, int first,
                              const Vector3& local) {
    const Vector3 omega = v.segment<3>(first + 3), turn = cross(omega, local);
    return {body.A * local, body.A * turn, body.A * cross(omega, turn)};
  }
  Motion3 operator-(const Motion3& b) const {
    return {x - b.x, rate - b.rate, acceleration - b.acceleration};
  }
};

/// A number that moves, with the same derivatives.
struct MovingNumber {
  std::array<double, 3> s = {0.0, 0.0, 0.0};
  std::array<Row<double>, 3> along = {Row<double>::Zero(), Row<double>::Zero(),
                                      Row<double>::Zero()};
};

namespace convective {

inline constexpr double kBinomial[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};

/// Derivative of order n of a · b along positions.
inline Row<double> along_product(const MovingVector& a, const MovingVector& b, std::size_t n) {
  Row<double> row = Row<double>::Zero();
  for (std::size_t k = 0; k <= n; ++k)
    row += kBinomial[n][k] *
           (a.along[k].transpose() * b.x[n - k] + b.along[n - k].transpose() * a.x[k]);
  return row;
}

/// Second derivative of a · b by time.
inline double of_product(const Motion3& a, const Motion3& b) {
  return a.x.dot(b.acceleration) + 2.0 * a.rate.dot(b.rate) + a.acceleration.dot(b.x);
}

inline MovingNumber product(const MovingVector& a, const MovingVector& b) {
  MovingNumber result;
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t k = 0; k <= n; ++k)
      result.s[n] += kBinomial[n][k] * a.x[k].dot(b.x[n - k]);
    result.along[n] = along_product(a, b, n);
  }
  return result;
}

/// b −= s a
inline void subtract(const MovingNumber& s, const MovingVector& a, MovingVector& b) {
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t k = 0; k <= n; ++k) {
      b.x[n] -= kBinomial[n][k] * s.s[k] * a.x[n - k];
      b.along[n] -=
          kBinomial[n][k] * (s.s[k] * a.along[n - k] + a.x[n - k] * s.along[k].transpose());
    }
  }
}

/// Of the acceleration of the length of u, which is not zero. From ℓ² = u · u =: p,
/// 2 ℓ ℓ̇ = ṗ and 2 ℓ ℓ̈ = p̈ − 2 ℓ̇².
inline Row<double> along_length(const MovingVector& u) {
  const MovingNumber p = product(u, u);
  const double length = std::sqrt(p.s[0]), rate = 0.5 * p.s[1] / length;
  const double acceleration = (0.5 * p.s[2] - rate * rate) / length;
  const Row<double> along = 0.5 / length * p.along[0];
  const Row<double> along_rate = (0.5 * p.along[1] - rate * along) / length;
  return (0.5 * p.along[2] - 2.0 * rate * along_rate - acceleration * along) / length;
}

}  // namespace convective
}  // namespace picus
