// SPDX-License-Identifier: BSD-3-Clause
#include "picus/elements/beam_helix.h"

#include <array>
#include <cmath>

namespace picus {
namespace {

// v₂ = Σ_{k≥1} a_k x^{k−1} with a_k = −b_k of (t/2) cot(t/2) = Σ b_k t^{2k}, b_k = (−1)^k
// B_{2k}/(2k)!
constexpr std::array kCotangent{1.0 / 12.0,
                                1.0 / 720.0,
                                1.0 / 30240.0,
                                1.0 / 1209600.0,
                                1.0 / 47900160.0,
                                691.0 / 1307674368000.0,
                                1.0 / 74724249600.0,
                                3617.0 / 10670622842880000.0,
                                43867.0 / 5109094217170944000.0,
                                174611.0 / 802857662698291200000.0,
                                77683.0 / 14101100039391805440000.0};

// Each term is about x/4π² times the one before. The largest x for which six terms (kFew) and all
// of them (kMany) are exact to rounding.
constexpr double kFew = 1e-2, kMany = 1.0;
constexpr std::size_t kFewTerms = 6;

HelixSeries series_of(double x, std::size_t terms) {
  HelixSeries s;
  for (std::size_t k = terms; k-- > 0;) {
    s.by_xx = s.by_xx * x + 2.0 * s.by_x;
    s.by_x = s.by_x * x + s.v;
    s.v = s.v * x + kCotangent[k];
  }
  return s;
}

// With c = (t/2) cot(t/2) and s = (t/2)²/sin²(t/2): v₂ = (1 − c)/x, c′ = (c − s)/2x and
// s′ = s (1 − c)/x.
HelixSeries closed_form(double x) {
  const double half = 0.5 * std::sqrt(x), sine = std::sin(half);
  const double c = half * std::cos(half) / sine, s = half * half / (sine * sine);
  const double c_by_x = 0.5 * (c - s) / x, s_by_x = s * (1.0 - c) / x;
  const double c_by_xx = (0.5 * (c_by_x - s_by_x) - c_by_x) / x;
  HelixSeries result;
  result.v = (1.0 - c) / x;
  result.by_x = (-c_by_x - result.v) / x;
  result.by_xx = (-c_by_xx - 2.0 * result.by_x) / x;
  return result;
}

// θ × (θ × a) and its derivative along θ.
Vector3 twice(const Vector3& theta, const Vector3& a) {
  return theta.dot(a) * theta - theta.squaredNorm() * a;
}
Matrix3 twice_tangent(const Vector3& theta, const Vector3& a) {
  Matrix3 D = theta * a.transpose() - 2.0 * a * theta.transpose();
  D.diagonal().array() += theta.dot(a);
  return D;
}

// V a = a − θ × a/2 + v₂ θ × (θ × a); with half = −1/2 it is Vᵀ a.
Vector3 turned_back(const HelixSeries& s, const Vector3& theta, const Vector3& a,
                    double half = 0.5) {
  return a - half * cross(theta, a) + s.v * twice(theta, a);
}

// ∂(V a)/∂θ.
Matrix3 turned_back_tangent(const HelixSeries& s, const Vector3& theta, const Vector3& a,
                            double half = 0.5) {
  return half * skew(a) + s.v * twice_tangent(theta, a) +
         2.0 * s.by_x * twice(theta, a) * theta.transpose();
}

// A × [a ×]: each row of A crossed with a.
Matrix3 times_skew(const Matrix3& A, const Vector3& a) {
  Matrix3 result;
  result.col(0) = a(2) * A.col(1) - a(1) * A.col(2);
  result.col(1) = a(0) * A.col(2) - a(2) * A.col(0);
  result.col(2) = a(1) * A.col(0) - a(0) * A.col(1);
  return result;
}

}  // namespace

HelixSeries helix_series(double x) {
  if (x <= kFew) return series_of(x, kFewTerms);
  return x <= kMany ? series_of(x, kCotangent.size()) : closed_form(x);
}

BeamHelix::BeamHelix(const Pose<double>& a, const Pose<double>& b)
    : axes_(a.A), turn_(a.A.transpose() * b.A), arm_(a.A.transpose() * (b.r - a.r)) {
  const Vector3 theta = rotation_vector(Mat3<double>(turn_));
  series_ = helix_series(theta.squaredNorm());
  d_ << turned_back(series_, theta, arm_), theta;
}

// ċ = R_Aᵀ (ẋ_B − ẋ_A) − Ω_A × c
Vector6 BeamHelix::rate(const Velocity& velocity) const {
  const Vector3 theta = d_.tail<3>();
  const Vector3 omega_a = velocity.segment<3>(3), omega_b = velocity.tail<3>();
  const Vector3 arm_rate =
      axes_.transpose() * (velocity.segment<3>(6) - velocity.head<3>()) - cross(omega_a, arm_);
  const Vector3 bending =
      turned_back(series_, theta, omega_b, -0.5) - turned_back(series_, theta, omega_a);
  const double along = theta.dot(bending);
  const Vector3 twice_rate =
      theta.dot(arm_) * bending + bending.dot(arm_) * theta - 2.0 * along * arm_;
  Vector6 rate;
  rate << turned_back(series_, theta, arm_rate) - 0.5 * cross(bending, arm_) +
              series_.v * twice_rate + 2.0 * series_.by_x * along * twice(theta, arm_),
      bending;
  return rate;
}

// σ · d = f · V c + m · θ of σ = (f, m). Along c it is f_A = Vᵀ f, along θ it is p, along Ω_B V p;
// along Ω_A what a rigid turn about A demands.
Row<double> BeamHelix::pull(const Strain& stress) const {
  const Vector3 theta = d_.tail<3>(), f = stress.head<3>();
  const Vector3 f_a = turned_back(series_, theta, f, -0.5);
  const double on_theta = f.dot(theta), on_arm = f.dot(arm_), across = theta.dot(arm_);
  const Vector3 p = stress.tail<3>() - 0.5 * cross(arm_, f) +
                    series_.v * (across * f + on_theta * arm_ - 2.0 * on_arm * theta) +
                    2.0 * series_.by_x * (on_theta * across - on_arm * theta.squaredNorm()) * theta;
  const Vector3 in_space = axes_ * f_a, moment_b = turned_back(series_, theta, p);
  Row<double> result;
  result << -in_space, -cross(arm_, f_a) - turn_ * moment_b, in_space, moment_b;
  return result;
}

BeamHelix::Tangent::Tangent(const BeamHelix& helix) : helix_(helix) {
  const Vector3 theta = helix.d_.tail<3>();
  const HelixSeries& s = helix.series_;
  V_ = s.v * theta * theta.transpose() - 0.5 * skew(theta);
  V_.diagonal().array() += 1.0 - s.v * theta.squaredNorm();
  bend_ = turned_back_tangent(s, theta, helix.arm_);
  along_b_.noalias() = bend_ * V_.transpose();
  along_a_.noalias() = -bend_ * V_;
  along_a_ += times_skew(V_, helix.arm_);
}

SmallMatrix<double, 6, 12> BeamHelix::Tangent::rates() const {
  Rates result;
  const Matrix3 apart = V_ * helix_.axes_.transpose();
  result << -apart, along_a_, apart, along_b_, Matrix3::Zero(), -V_, Matrix3::Zero(),
      V_.transpose();
  return result;
}

// Along c: nothing, Vᵀf changes with θ; along Ω_B: ∂(V p). The columns of A follow from a rigid
// turn about A by ω: (c, Ω_A, Ω_B) move by (0, ω, Rᵀ ω), seen from A at rest, and forces turn back.
BeamHelix::Tangent::Blocks BeamHelix::Tangent::geometric(const Strain& stress) const {
  const BeamHelix& h = helix_;
  const HelixSeries& s = h.series_;
  const Vector3 theta = h.d_.tail<3>(), f = stress.head<3>();
  const double on_theta = f.dot(theta), on_arm = f.dot(h.arm_), across = theta.dot(h.arm_);
  const Vector3 slope = across * f + on_theta * h.arm_ - 2.0 * on_arm * theta;
  const double twisted = on_theta * across - on_arm * theta.squaredNorm();  // f · θ × (θ × c)
  const Vector3 p =
      stress.tail<3>() - 0.5 * cross(h.arm_, f) + s.v * slope + 2.0 * s.by_x * twisted * theta;
  // ∂²(f · V c)/∂θ²
  const Matrix3 mixed = s.v * f * h.arm_.transpose() + 2.0 * s.by_x * slope * theta.transpose();
  Matrix3 curved = mixed + mixed.transpose();
  curved += 4.0 * s.by_xx * twisted * theta * theta.transpose();
  curved.diagonal().array() += 2.0 * (s.by_x * twisted - s.v * on_arm);

  const Matrix3 to_b = V_.transpose();
  Blocks K;
  K.cc.setZero();
  K.cb.noalias() = turned_back_tangent(s, theta, f, -0.5) * to_b;
  K.ca.noalias() = -K.cb * h.turn_.transpose();
  K.ca -= skew(turned_back(s, theta, f, -0.5));
  K.bb.noalias() = (turned_back_tangent(s, theta, p) + V_ * curved) * to_b;
  const Matrix3 ba = times_skew(K.cb.transpose(), h.arm_) - K.bb * h.turn_.transpose();
  K.ab = ba.transpose();
  K.aa.noalias() = -K.ab * h.turn_.transpose();
  K.aa += times_skew(K.ca.transpose(), h.arm_);
  return K;
}

Hessian BeamHelix::Tangent::in_space(const Blocks& blocks) const {
  const Matrix3& axes = helix_.axes_;
  const Matrix3 xx = axes * blocks.cc * axes.transpose(), xa = axes * blocks.ca,
                xb = axes * blocks.cb;
  Hessian K;
  K << xx, -xa, -xx, -xb,                                     //
      -xa.transpose(), blocks.aa, xa.transpose(), blocks.ab,  //
      -xx, xa, xx, xb,                                        //
      -xb.transpose(), blocks.ab.transpose(), xb.transpose(), blocks.bb;
  return K;
}

Hessian BeamHelix::Tangent::stiffness(const Matrix6& C, const Strain& stress) const {
  Blocks K = geometric(stress);
  const auto force = C.leftCols<3>(), moment = C.rightCols<3>();
  const Matrix3 along_c = force.topRows<3>() * V_;
  const SmallMatrix<double, 6, 3> along_a = force * along_a_ - moment * V_,
                                  along_b = force * along_b_ + moment * V_.transpose();
  K.cc.noalias() = V_.transpose() * along_c;
  K.ca.noalias() += V_.transpose() * along_a.topRows<3>();
  K.cb.noalias() += V_.transpose() * along_b.topRows<3>();
  K.aa.noalias() += along_a_.transpose() * along_a.topRows<3>();
  K.aa.noalias() -= V_.transpose() * along_a.bottomRows<3>();
  K.ab.noalias() += along_a_.transpose() * along_b.topRows<3>();
  K.ab.noalias() -= V_.transpose() * along_b.bottomRows<3>();
  K.bb.noalias() += along_b_.transpose() * along_b.topRows<3>();
  K.bb.noalias() += V_ * along_b.bottomRows<3>();
  return in_space(K);
}

Hessian BeamHelix::Tangent::geometric_stiffness(const Strain& stress) const {
  return in_space(geometric(stress));
}

// u̇ = V ċ + ∂(V c)/∂θ θ̇, differentiated along c, Ω_A and Ω_B; c and ċ turn with A.
BeamHelix::Rates BeamHelix::Tangent::rate_tangent(const Velocity& velocity) const {
  const BeamHelix& h = helix_;
  const HelixSeries& s = h.series_;
  const Vector3 theta = h.d_.tail<3>();
  const Vector3 omega_a = velocity.segment<3>(3), omega_b = velocity.tail<3>();
  const Vector3 apart =
      h.axes_.transpose() * (velocity.segment<3>(6) - velocity.head<3>());  // in A
  const Vector3 arm_rate = apart - cross(omega_a, h.arm_);
  const Vector3 w = V_.transpose() * omega_b - V_ * omega_a;  // θ̇
  const double along = theta.dot(w), across = w.dot(h.arm_);
  const Vector3 twisted = twice(theta, h.arm_);
  const Vector3 twist_rate = twice_tangent(theta, h.arm_) * w;
  // ∂(bend w)/∂θ and ∂(bend w)/∂c
  Matrix3 by_theta = s.v * (w * h.arm_.transpose() - 2.0 * h.arm_ * w.transpose()) +
                     2.0 * s.by_x * along * twice_tangent(theta, h.arm_) +
                     2.0 * s.by_x * (twist_rate * theta.transpose() + twisted * w.transpose()) +
                     4.0 * s.by_xx * along * twisted * theta.transpose();
  by_theta.diagonal().array() += s.v * across;
  Matrix3 by_arm = s.v * (theta * w.transpose() + w * theta.transpose()) - 0.5 * skew(w) +
                   2.0 * s.by_x * along * theta * theta.transpose();
  by_arm.diagonal().array() -= 2.0 * along * (s.v + s.by_x * theta.squaredNorm());
  const Matrix3 w_by_theta =
      turned_back_tangent(s, theta, omega_b, -0.5) - turned_back_tangent(s, theta, omega_a);
  const Matrix3 u_by_theta =
      turned_back_tangent(s, theta, arm_rate) + by_theta + bend_ * w_by_theta;
  const Matrix3 u_by_arm = by_arm - times_skew(V_, omega_a);

  const Matrix3 in_space = u_by_arm * h.axes_.transpose();
  const Matrix3 along_a = V_ * skew(apart) + times_skew(u_by_arm, h.arm_) - u_by_theta * V_;
  const Matrix3 along_b = u_by_theta * V_.transpose();
  Rates result;
  result << -in_space, along_a, in_space, along_b,  //
      Matrix3::Zero(), -w_by_theta * V_, Matrix3::Zero(), w_by_theta * V_.transpose();
  return result;
}

}  // namespace picus
