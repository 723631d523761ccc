// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/rotation.h"

#include <Eigen/Geometry>

namespace picus {

Quaternion quaternion_of(const Matrix3& A) {
  const Eigen::Quaterniond p(A);
  Quaternion result;
  result << p.w(), p.x(), p.y(), p.z();
  if (result(0) < 0.0) result = -result;
  return result.normalized();
}

Vector3 rotation_vector_between(const Quaternion& from, const Quaternion& to) {
  Quaternion back = -from;
  back(0) = from(0);
  Quaternion turn = quaternion_product(back, to);
  if (turn(0) < 0.0) turn = -turn;
  const Vector3 axis = turn.tail<3>();
  const double sine = axis.norm();
  // angle over sin(angle/2), by its series where the quotient would lose digits
  return (sine < 1e-4 ? 2.0 + sine * sine / 3.0 : 2.0 * std::atan2(sine, turn(0)) / sine) * axis;
}

Matrix3 increment_jacobian(const Vector3& phi) {
  const double x = phi.squaredNorm();
  // T = I - a φ̃ + b φ̃², a = (1 - cos|φ|)/|φ|², b = (|φ| - sin|φ|)/|φ|³; series below 0.3 rad,
  // where the closed forms would cancel and the next terms are below rounding
  double a = 0.5, b = 1.0 / 6.0;
  if (x < 0.09) {
    a = 0.5 - x * (1.0 / 24.0 - x * (1.0 / 720.0 - x * (1.0 / 40320.0 - x / 3628800.0)));
    b = 1.0 / 6.0 - x * (1.0 / 120.0 - x * (1.0 / 5040.0 - x * (1.0 / 362880.0 - x / 39916800.0)));
  } else {
    const double angle = std::sqrt(x);
    a = (1.0 - std::cos(angle)) / x;
    b = (angle - std::sin(angle)) / (x * angle);
  }
  const Matrix3 S = skew(phi);
  return Matrix3::Identity() - a * S + b * S * S;
}

namespace {

// T⁻¹ = I + φ̃/2 + c φ̃², c = (1 - |φ|/2 cot(|φ|/2))/|φ|², and dc/d|φ|²; series below 0.5 rad, where
// the closed forms would cancel and the next terms are below rounding
struct InverseCoefficient {
  double value = 0.0, slope = 0.0;

  explicit InverseCoefficient(double x) {
    if (x < 0.25) {
      value = 1.0 / 12.0 +
              x * (1.0 / 720.0 + x * (1.0 / 30240.0 +
                                      x * (1.0 / 1209600.0 + x * (1.0 / 47900160.0 + x * kSixth))));
      slope = 1.0 / 720.0 + x * (2.0 / 30240.0 +
                                 x * (3.0 / 1209600.0 + x * (4.0 / 47900160.0 + x * 5.0 * kSixth)));
      return;
    }
    const double half = 0.5 * std::sqrt(x), cotangent = 1.0 / std::tan(half);
    value = (1.0 - half * cotangent) / x;
    // d(half cot half)/dx = (cot half - half/sin² half) / (8 half)
    const double growth = (cotangent - half * (1.0 + cotangent * cotangent)) / (8.0 * half);
    slope = -(growth + value) / x;
  }

  static constexpr double kSixth = 691.0 / 1307674368000.0;
};

}  // namespace

Matrix3 inverse_increment_jacobian(const Vector3& phi) {
  const InverseCoefficient c(phi.squaredNorm());
  const Matrix3 S = skew(phi);
  return Matrix3::Identity() + 0.5 * S + c.value * S * S;
}

Matrix3 inverse_increment_jacobian_tangent(const Vector3& phi, const Vector3& omega) {
  const double x = phi.squaredNorm(), along = phi.dot(omega);
  const InverseCoefficient c(x);
  const Vector3 twice = along * phi - x * omega;  // φ × (φ × ω)
  return -0.5 * skew(omega) +
         c.value * (along * Matrix3::Identity() + phi * omega.transpose() -
                    2.0 * omega * phi.transpose()) +
         2.0 * c.slope * twice * phi.transpose();
}

Matrix3 frame_along(const Vector3& z, const Vector3& x) {
  const Vector3 along = z.stableNormalized();  // squares of large numbers overflow
  const Vector3 near = x.stableNormalized();
  Vector3 side = near - along.dot(near) * along;
  if (!(side.norm() > 1e-9)) {
    int least = 0;  // minCoeff finds no index among numbers that are none
    for (int k = 1; k < 3; ++k)
      if (std::abs(along(k)) < std::abs(along(least))) least = k;
    side = Vector3::Unit(least) - along(least) * along;
  }
  Matrix3 A;
  A.col(2) = along;
  A.col(0) = side.normalized();
  A.col(1) = along.cross(A.col(0));
  return A;
}

}  // namespace picus
