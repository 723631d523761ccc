// SPDX-License-Identifier: BSD-3-Clause
#include "picus/elements/planar_beam_element.h"

#include <cmath>

namespace picus {
namespace {

constexpr int kInPlane[] = {0, 1, 5};

Vector2 quarter_turn(const Vector2& v) {
  return {-v(1), v(0)};
}

}  // namespace

PlanarBeamElement in_plane(const BeamElement& element) {
  PlanarBeamElement planar{.length = element.length, .slack = element.slack};
  for (int i = 0; i < 3; ++i) {
    planar.initial_strain(i) = element.initial_strain(kInPlane[i]);
    for (int j = 0; j < 3; ++j) {
      planar.stiffness(i, j) = element.stiffness(kInPlane[i], kInPlane[j]);
      planar.damping(i, j) = element.damping(kInPlane[i], kInPlane[j]);
    }
  }
  return planar;
}

// γ = 1 − v₂ x with x = φ²; with s = (φ/2)²/sin²(φ/2) = γ² + x/4 its derivatives by φ are
// γ′ = (γ − s)/φ = −φ (1/4 − γ v₂) and γ″ = 2 s (γ − 1)/x = −2 s v₂.
PlanarBeamHelix::PlanarBeamHelix(const Pose<double>& a, const Pose<double>& b) {
  back_ = a.A.topLeftCorner<2, 2>().transpose();
  arm_ = back_ * (b.r - a.r).head<2>();
  const double sine = a.A(0, 0) * b.A(1, 0) - a.A(1, 0) * b.A(0, 0),
               cosine = a.A(0, 0) * b.A(0, 0) + a.A(1, 0) * b.A(1, 0);
  const double phi = std::atan2(sine, cosine), x = phi * phi;
  const double v2 = inverse_tangent_series(x).v2, gamma = 1.0 - v2 * x;
  slope_ = -phi * (0.25 - gamma * v2);
  bend_ = -2.0 * (gamma * gamma + 0.25 * x) * v2;
  const Vector2 turned = quarter_turn(arm_);
  const Vector2 u = gamma * arm_ - 0.5 * phi * turned;
  by_angle_ = slope_ * arm_ - 0.5 * turned;
  d_ << u, phi;
  inner_ << gamma, 0.5 * phi, by_angle_(0), -0.5 * phi, gamma, by_angle_(1), 0.0, 0.0, 1.0;
  outer_.setZero();
  outer_.block<2, 2>(0, 0) = -back_;
  outer_.block<2, 1>(0, 2) = -turned;
  outer_.block<2, 2>(0, 3) = back_;
  outer_(2, 2) = -1.0;
  outer_(2, 5) = 1.0;
  rates_.noalias() = inner_ * outer_;
}

PlanarBeamHelix::Strain PlanarBeamHelix::stress(const Element& element,
                                                const Velocity& velocity) const {
  return element.elastic_stress(strain(element)) +
         element.damping * rate(velocity) / element.length;
}

// Of D P v, D = ∂d/∂p and P = ∂p/∂q with p = (c, φ): ∂(D ṗ)/∂p P + D ∂ṗ/∂q, where ċ turns with A.
PlanarBeamHelix::Rates PlanarBeamHelix::rate_tangent(const Velocity& velocity) const {
  const Strain p = outer_ * velocity;
  const Vector2 arm_rate = p.head<2>();
  const double turn = velocity(2), bending = p(2);
  Matrix3 by_p = Matrix3::Zero();
  by_p(0, 0) = by_p(1, 1) = slope_ * bending;
  by_p(0, 1) = 0.5 * bending;
  by_p(1, 0) = -0.5 * bending;
  by_p.topRightCorner<2, 1>() =
      bend_ * bending * arm_ + slope_ * arm_rate - 0.5 * quarter_turn(arm_rate);
  Rates by_q = Rates::Zero();  // of ṗ
  const Vector2 x = back_.col(0), y = back_.col(1);
  by_q.block<2, 1>(0, 0) = turn * quarter_turn(x);
  by_q.block<2, 1>(0, 1) = turn * quarter_turn(y);
  by_q.block<2, 2>(0, 3) = -by_q.block<2, 2>(0, 0);
  by_q.block<2, 1>(0, 2) = -quarter_turn(arm_rate);
  return by_p * outer_ + inner_ * by_q;
}

Matrix6 PlanarBeamHelix::geometric_stiffness(const Strain& stress) const {
  const Vector2 f = stress.head<2>();
  Matrix3 local = Matrix3::Zero();  // ∂²(σᵀ d)/∂p²
  const Vector2 mixed = slope_ * f + 0.5 * quarter_turn(f);
  local.topRightCorner<2, 1>() = mixed;
  local.bottomLeftCorner<1, 2>() = mixed.transpose();
  local(2, 2) = bend_ * f.dot(arm_);
  Matrix6 K;
  K.noalias() = outer_.transpose() * local * outer_;
  const Vector2 g = inner_.topLeftCorner<2, 2>().transpose() * f;  // along c
  const Vector2 along = back_.transpose() * quarter_turn(g);
  K.block<2, 1>(3, 2) += along;
  K.block<1, 2>(2, 3) += along.transpose();
  K.block<2, 1>(0, 2) -= along;
  K.block<1, 2>(2, 0) -= along.transpose();
  K(2, 2) -= g.dot(arm_);
  return K;
}

Matrix6 PlanarBeamHelix::stiffness(const Element& element, const Velocity& velocity,
                                   const Strain& further) const {
  Rates change = element.stiffness_at(strain(element)) / element.length * rates_;
  if (!element.damping.isZero(0.0))
    change.noalias() += element.damping / element.length * rate_tangent(velocity);
  Matrix6 K = geometric_stiffness(stress(element, velocity) + further);
  K.noalias() += rates_.transpose() * change;
  return K;
}

Matrix6 PlanarBeamHelix::damping(const Element& element) const {
  return rates_.transpose() * (element.damping / element.length) * rates_;
}

}  // namespace picus
