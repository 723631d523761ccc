// SPDX-License-Identifier: BSD-3-Clause
#include "picus/elements/beam_element.h"

#include <array>
#include <cmath>

namespace picus {
namespace {

// [d, ·]: ad(d) y = (θ × y_u + u × y_θ, θ × y_θ).
Matrix6 ad(const Vector6& d) {
  const Matrix3 U = skew(d.head<3>()), Theta = skew(d.tail<3>());
  Matrix6 result;
  result << Theta, U, Matrix3::Zero(), Theta;
  return result;
}

// ∂(ad(d)ᵀ s)/∂d: ad(d)ᵀ s = (f × θ, f × u + m × θ) of s = (f, m).
Matrix6 transposed_ad_tangent(const Vector6& s) {
  const Matrix3 F = skew(s.head<3>());
  Matrix6 result;
  result << Matrix3::Zero(), F, F, skew(s.tail<3>());
  return result;
}

// b_k of (t/2) cot(t/2) = Σ b_k t^{2k}: b_k = (−1)^k B_{2k}/(2k)!
constexpr std::array kCotangent{1.0,
                                -1.0 / 12.0,
                                -1.0 / 720.0,
                                -1.0 / 30240.0,
                                -1.0 / 1209600.0,
                                -1.0 / 47900160.0,
                                -691.0 / 1307674368000.0,
                                -1.0 / 74724249600.0,
                                -3617.0 / 10670622842880000.0,
                                -43867.0 / 5109094217170944000.0,
                                -174611.0 / 802857662698291200000.0};
constexpr double kSeries = 1.0;  // of x up to which the series is exact to rounding

// With c = (t/2) cot(t/2) and s = (t/2)²/sin²(t/2): c₁ = (4 − 3c − s)/2x, c₂ = (2 − c − s)/2x².
InverseTangentSeries closed_form(double x) {
  const double half = 0.5 * std::sqrt(x), sine = std::sin(half);
  const double c = half * std::cos(half) / sine, s = half * half / (sine * sine);
  // by x: c' = (c − s)/2x, s' = s (1 − c)/x
  const double c_by_x = 0.5 * (c - s) / x, s_by_x = s * (1.0 - c) / x;
  InverseTangentSeries result;
  result.c1 = (4.0 - 3.0 * c - s) / (2.0 * x);
  result.c2 = (2.0 - c - s) / (2.0 * x * x);
  result.c1_by_x = (-3.0 * c_by_x - s_by_x) / (2.0 * x) - result.c1 / x;
  result.c2_by_x = (-c_by_x - s_by_x) / (2.0 * x * x) - 2.0 * result.c2 / x;
  result.v2 = (1.0 - c) / x;
  return result;
}

}  // namespace

// c₁ = −b₁ + Σ_{k≥3} (k−2) b_k x^{k−1}, c₂ = Σ_{k≥2} (k−1) b_k x^{k−2}, v₂ = −Σ_{k≥1} b_k x^{k−1}.
InverseTangentSeries inverse_tangent_series(double x) {
  if (x > kSeries) return closed_form(x);
  InverseTangentSeries result;
  for (std::size_t k = kCotangent.size() - 1; k >= 1; --k) {
    const double b = kCotangent[k], n = static_cast<double>(k);
    result.v2 = result.v2 * x - b;
    result.c1_by_x = result.c1_by_x * x + result.c1;
    result.c1 = result.c1 * x + (k == 1 ? -b : (n - 2.0) * b);
    if (k == 1) break;
    result.c2_by_x = result.c2_by_x * x + result.c2;
    result.c2 = result.c2 * x + (n - 1.0) * b;
  }
  return result;
}

BeamHelix::BeamHelix(const Pose<double>& a, const Pose<double>& b)
    : A_a_(a.A), A_b_(b.A), turn_(a.A.transpose() * b.A), apart_(b.r - a.r) {
  arm_ = A_a_.transpose() * apart_;
  const Vector3 theta = rotation_vector(Mat3<double>(turn_));
  series_ = inverse_tangent_series(theta.squaredNorm());
  const Vector3 across = cross(theta, arm_);
  d_ << arm_ - 0.5 * across + series_.v2 * cross(theta, across), theta;
  ad_ = ad(d_);
  const Matrix6 square = ad_ * ad_;
  inverse_tangent_ = Matrix6::Identity() + 0.5 * ad_ + series_.c1 * square;
  inverse_tangent_.noalias() += series_.c2 * (square * square);
  relative_.setZero();
  relative_.block<3, 3>(0, 0) = -A_b_.transpose();
  relative_.block<3, 3>(0, 3) = turn_.transpose() * skew(arm_);
  relative_.block<3, 3>(3, 3) = -turn_.transpose();
  relative_.block<3, 3>(0, 6) = A_b_.transpose();
  relative_.block<3, 3>(3, 9).setIdentity();
  rates_.noalias() = inverse_tangent_ * relative_;
}

Vector6 BeamHelix::stress(const BeamElement& element, const Row<double>& velocity) const {
  return element.elastic_stress(strain(element)) +
         element.damping * rate(velocity) / element.length;
}

Row<double> BeamHelix::force(const Vector6& stress) const {
  return -rates_.transpose() * stress;
}

// T⁻ᵀ σ = σ + s₁/2 + c₁ s₂ + c₂ s₄ with s₀ = σ, s_{k+1} = adᵀ s_k.
Matrix6 BeamHelix::turned_stress_tangent(const Vector6& stress) const {
  const Matrix6 down = ad_.transpose();
  const Vector6 s1 = down * stress, s2 = down * s1, s3 = down * s2, s4 = down * s3;
  const Matrix6 d1 = transposed_ad_tangent(stress);
  const Matrix6 d2 = down * d1 + transposed_ad_tangent(s1);
  const Matrix6 d3 = down * d2 + transposed_ad_tangent(s2);
  const Matrix6 d4 = down * d3 + transposed_ad_tangent(s3);
  Matrix6 result = 0.5 * d1 + series_.c1 * d2 + series_.c2 * d4;
  const Vector6 by_x = series_.c1_by_x * s2 + series_.c2_by_x * s4;
  result.rightCols<3>() += 2.0 * by_x * d_.tail<3>().transpose();
  return result;
}

// T⁻¹ y = y + y₁/2 + c₁ y₂ + c₂ y₄ with y₀ = y = P v, y_{k+1} = ad y_k, and y moves with the
// frames.
SmallMatrix<double, 6, 12> BeamHelix::rate_tangent(const Row<double>& velocity) const {
  const Vector6 y = relative_ * velocity;
  const Vector6 y1 = ad_ * y, y2 = ad_ * y1, y3 = ad_ * y2, y4 = ad_ * y3;
  const Matrix6 d1 = -ad(y);
  const Matrix6 d2 = ad_ * d1 - ad(y1);
  const Matrix6 d3 = ad_ * d2 - ad(y2);
  const Matrix6 d4 = ad_ * d3 - ad(y3);
  Matrix6 by_d = 0.5 * d1 + series_.c1 * d2 + series_.c2 * d4;
  const Vector6 by_x = series_.c1_by_x * y2 + series_.c2_by_x * y4;
  by_d.rightCols<3>() += 2.0 * by_x * d_.tail<3>().transpose();

  const Vector3 omega = velocity.segment<3>(3);  // of A, in A
  const Vector3 in_space = A_a_ * omega, in_b = turn_.transpose() * omega;
  const Matrix3 drag = A_b_.transpose() * skew(in_space);
  SmallMatrix<double, 6, 12> twist = SmallMatrix<double, 6, 12>::Zero();
  twist.block<3, 3>(0, 0) = drag;
  twist.block<3, 3>(0, 3) = -A_b_.transpose() * skew(apart_) * A_a_ * skew(omega);
  twist.block<3, 3>(0, 6) = -drag;
  twist.block<3, 3>(0, 9) = skew(y.head<3>());
  twist.block<3, 3>(3, 3) = turn_.transpose() * skew(omega);
  twist.block<3, 3>(3, 9) = -skew(in_b);
  return by_d * rates_ + inverse_tangent_ * twist;
}

void BeamHelix::add_turned_wrench(const Vector6& wrench, Hessian& K) const {
  const Vector3 f = turn_ * wrench.head<3>(), m = turn_ * wrench.tail<3>();  // in A
  const Matrix3 F = skew(f), along = A_b_ * skew(wrench.head<3>());
  K.block<3, 3>(0, 9) += along;
  K.block<3, 3>(6, 9) -= along;
  K.block<3, 3>(3, 0) -= F * A_a_.transpose();
  K.block<3, 3>(3, 6) += F * A_a_.transpose();
  K.block<3, 3>(3, 3) += F * skew(arm_) - skew(arm_) * F - skew(m);
  K.block<3, 3>(3, 9) +=
      turn_ * skew(wrench.tail<3>()) + skew(arm_) * turn_ * skew(wrench.head<3>());
}

Hessian BeamHelix::stiffness(const BeamElement& element, const Row<double>& velocity,
                             const Vector6& further) const {
  SmallMatrix<double, 6, 12> change =
      element.stiffness_at(strain(element)) / element.length * rates_;
  if (!element.damping.isZero(0.0))
    change.noalias() += element.damping / element.length * rate_tangent(velocity);
  Hessian K = geometric_stiffness(stress(element, velocity) + further);
  K.noalias() += rates_.transpose() * change;
  return K;
}

Hessian BeamHelix::geometric_stiffness(const Vector6& stress) const {
  const SmallMatrix<double, 6, 12> turned = turned_stress_tangent(stress) * rates_;
  Hessian K;
  K.noalias() = relative_.transpose() * turned;
  add_turned_wrench(inverse_tangent_.transpose() * stress, K);
  return K;
}

Hessian BeamHelix::damping(const BeamElement& element) const {
  return rates_.transpose() * (element.damping / element.length) * rates_;
}

}  // namespace picus
