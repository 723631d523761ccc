// SPDX-License-Identifier: BSD-3-Clause
#include "picus/elements/planar_beam_helix.h"

#include <cmath>

namespace picus {
namespace {

Vector2 quarter_turn(const Vector2& v) {
  return {-v(1), v(0)};
}

}  // namespace

// γ = 1 − v₂ x with x = φ²; with s = (φ/2)²/sin²(φ/2) = γ² + x/4 its derivatives by φ are
// γ′ = (γ − s)/φ = −φ (1/4 − γ v₂) and γ″ = 2 s (γ − 1)/x = −2 s v₂.
PlanarBeamHelix::PlanarBeamHelix(const Pose<double>& a, const Pose<double>& b)
    : axes_(a.A.topLeftCorner<2, 2>()) {
  arm_ = axes_.transpose() * (b.r - a.r).head<2>();
  const double sine = a.A(0, 0) * b.A(1, 0) - a.A(1, 0) * b.A(0, 0),
               cosine = a.A(0, 0) * b.A(0, 0) + a.A(1, 0) * b.A(1, 0);
  const double phi = std::atan2(sine, cosine), x = phi * phi, v2 = helix_series(x).v;
  gamma_ = 1.0 - v2 * x;
  slope_ = -phi * (0.25 - gamma_ * v2);
  bend_ = -2.0 * (gamma_ * gamma_ + 0.25 * x) * v2;
  const Vector2 turned = quarter_turn(arm_);
  by_angle_ = slope_ * arm_ - 0.5 * turned;
  d_ << gamma_ * arm_ - 0.5 * phi * turned, phi;
}

// ċ turns back with A.
PlanarBeamHelix::Strain PlanarBeamHelix::rate(const Velocity& velocity) const {
  const double bending = velocity(5) - velocity(2);
  const Vector2 arm_rate = axes_.transpose() * (velocity.segment<2>(3) - velocity.head<2>()) -
                           velocity(2) * quarter_turn(arm_);
  Strain rate;
  rate << gamma_ * arm_rate - 0.5 * d_(2) * quarter_turn(arm_rate) + bending * by_angle_, bending;
  return rate;
}

// Along c it is f_A = Vᵀ f; along θ_A what a rigid turn about A demands.
PlanarBeamHelix::Velocity PlanarBeamHelix::pull(const Strain& stress) const {
  const Vector2 f = stress.head<2>();
  const Vector2 f_a = gamma_ * f + 0.5 * d_(2) * quarter_turn(f), in_space = axes_ * f_a;
  const double moment_b = stress(2) + f.dot(by_angle_);
  Velocity result;
  result << -in_space, -quarter_turn(arm_).dot(f_a) - moment_b, in_space, moment_b;
  return result;
}

PlanarBeamHelix::Tangent::Tangent(const PlanarBeamHelix& helix) : helix_(helix) {
  const double gamma = helix.gamma_, half = 0.5 * helix.d_(2);
  const Vector2 turned = quarter_turn(helix.arm_), &by_angle = helix.by_angle_;
  const Vector2 by_a = -gamma * turned - half * helix.arm_ - by_angle;  // −V J c − ∂u/∂φ
  rates_ << gamma, half, by_a(0), by_angle(0),                          //
      -half, gamma, by_a(1), by_angle(1),                               //
      0.0, 0.0, -1.0, 1.0;
}

PlanarBeamHelix::Rates PlanarBeamHelix::Tangent::in_space(
    const SmallMatrix<double, 3, 4>& columns) const {
  const SmallMatrix<double, 3, 2> apart = columns.leftCols<2>() * helix_.axes_.transpose();
  Rates result;
  result << -apart, columns.col(2), apart, columns.col(3);
  return result;
}

PlanarBeamHelix::Rates PlanarBeamHelix::Tangent::rates() const {
  return in_space(rates_);
}

// Along c: nothing, Vᵀf changes with φ; along θ_B: γ″ f · c. The columns of A follow from a rigid
// turn about A, with which forces turn.
PlanarBeamHelix::Tangent::Local PlanarBeamHelix::Tangent::geometric(const Strain& stress) const {
  const PlanarBeamHelix& h = helix_;
  const Vector2 f = stress.head<2>(), turned = quarter_turn(h.arm_);
  const Vector2 f_a = h.gamma_ * f + 0.5 * h.d_(2) * quarter_turn(f);
  const Vector2 cb = h.slope_ * f + 0.5 * quarter_turn(f), ca = quarter_turn(f_a) - cb;
  const double bb = h.bend_ * f.dot(h.arm_), ab = -cb.dot(turned) - bb, aa = -ca.dot(turned) - ab;
  Local K;
  K << 0.0, 0.0, ca(0), cb(0),  //
      0.0, 0.0, ca(1), cb(1),   //
      ca(0), ca(1), aa, ab,     //
      cb(0), cb(1), ab, bb;
  return K;
}

Matrix6 PlanarBeamHelix::Tangent::in_space(const Local& local) const {
  const Matrix2& axes = helix_.axes_;
  const Matrix2 xx = axes * local.topLeftCorner<2, 2>() * axes.transpose();
  const Matrix2 x = axes * local.topRightCorner<2, 2>();  // columns of θ_A and θ_B
  Matrix6 K;
  K << xx, -x.col(0), -xx, -x.col(1),                                         //
      -x.col(0).transpose(), local(2, 2), x.col(0).transpose(), local(2, 3),  //
      -xx, x.col(0), xx, x.col(1),                                            //
      -x.col(1).transpose(), local(3, 2), x.col(1).transpose(), local(3, 3);
  return K;
}

Matrix6 PlanarBeamHelix::Tangent::stiffness(const Matrix3& C, const Strain& stress) const {
  Local K = geometric(stress);
  const SmallMatrix<double, 3, 4> change = C * rates_;
  K.noalias() += rates_.transpose() * change;
  return in_space(K);
}

Matrix6 PlanarBeamHelix::Tangent::geometric_stiffness(const Strain& stress) const {
  return in_space(geometric(stress));
}

// u̇ = V ċ + ∂u/∂φ φ̇, differentiated along c, θ_A and θ_B; c and ċ turn back with A.
PlanarBeamHelix::Rates PlanarBeamHelix::Tangent::rate_tangent(const Velocity& velocity) const {
  const PlanarBeamHelix& h = helix_;
  const double turn = velocity(2), bending = velocity(5) - velocity(2), half = 0.5 * h.d_(2);
  const Vector2 apart = h.axes_.transpose() * (velocity.segment<2>(3) - velocity.head<2>());
  const Vector2 arm_rate = apart - turn * quarter_turn(h.arm_);
  Matrix2 V, by_arm;
  V << h.gamma_, half, -half, h.gamma_;
  by_arm << h.slope_ * bending, 0.5 * bending, -0.5 * bending, h.slope_ * bending;
  Matrix2 J;
  J << 0.0, -1.0, 1.0, 0.0;
  by_arm -= turn * V * J;
  const Vector2 by_angle =
      h.slope_ * arm_rate - 0.5 * quarter_turn(arm_rate) + h.bend_ * bending * h.arm_;
  SmallMatrix<double, 3, 4> columns = SmallMatrix<double, 3, 4>::Zero();
  columns.topLeftCorner<2, 2>() = by_arm;
  columns.col(2).head<2>() = -by_arm * quarter_turn(h.arm_) - V * quarter_turn(apart) - by_angle;
  columns.col(3).head<2>() = by_angle;
  return in_space(columns);
}

}  // namespace picus
