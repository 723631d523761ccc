// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/local_contact.h"

#include <cmath>
#include <limits>

namespace picus {
namespace {

// Part of W_ii below which a direction counts as one in which the contact cannot move.
constexpr double kDeadDirection = 1e-13;
// Part of W_ii that counts as the rounding of its entries.
constexpr double kRounding = 1e-14;
constexpr int kMaxRootSteps = 200;

}  // namespace

void LocalContact::prepare(const Matrix3& W, const ImpulseLaw& law) {
  law_ = law;
  W_nn_ = law.kind == ContactKind::kContact ? W(0, 0) : 0.0;
  SmallMatrix<double, 2, 2> S = W.bottomRightCorner<2, 2>();
  W_tn_.setZero();
  if (W_nn_ > 0.0) {
    W_tn_ = W.block<2, 1>(1, 0);
    S -= W_tn_ * W_tn_.transpose() / W_nn_;
  }
  const double noise = kRounding * W.trace();
  is_round_ = law.kind == ContactKind::kContact && W_nn_ > 0.0 && S(0, 0) > 0.0 &&
              W_tn_.cwiseAbs().maxCoeff() <= noise && std::abs(S(0, 1)) <= noise &&
              (S(1, 1) == 0.0 || std::abs(S(0, 0) - S(1, 1)) <= noise);  // zero in the plane
  if (is_round_) {
    normal_inertia_ = 1.0 / W_nn_;
    tangential_inertia_ = 1.0 / S(0, 0);
    return;
  }
  // a Jacobi rotation diagonalises S
  const double angle = 0.5 * std::atan2(2.0 * S(0, 1), S(0, 0) - S(1, 1));
  const double c = std::cos(angle), s = std::sin(angle);
  Q_ << c, -s, s, c;
  lambda_ = (Q_.transpose() * S * Q_).diagonal();
  const double floor = kDeadDirection * W.trace();
  for (int k = 0; k < 2; ++k)
    if (!(lambda_(k) > floor)) lambda_(k) = 0.0;
}

Vector3 LocalContact::solve_any(const Vector3& b) const {
  Vector3 p = Vector3::Zero();
  if (law_.kind == ContactKind::kFriction) {
    const Tangential t{Q_.transpose() * b.tail<2>(), Vector2::Zero(), law_.coefficient};
    p.tail<2>() = Q_ * solve_tangential(t);
    return p;
  }
  if (b(0) >= 0.0 || !(W_nn_ > 0.0)) return p;
  const double normal = -b(0) / W_nn_;
  const double mu = law_.coefficient;
  p(0) = normal;
  if (mu == 0.0) return p;

  Tangential t{Q_.transpose() * (b.tail<2>() + W_tn_ * normal),
               Q_.transpose() * W_tn_ * (mu / W_nn_), mu * normal};
  const double noise = kDeadDirection * b.norm();
  for (int k = 0; k < 2; ++k)  // what rounding leaves must not be divided by zero
    if (lambda_(k) == 0.0 && std::abs(t.c(k)) <= noise) t.c(k) = 0.0;
  const Vector2 y = solve_tangential(t);
  p(0) = (t.limit - t.slope.dot(y)) / mu;
  p.tail<2>() = Q_ * y;
  return p;
}

Vector2 LocalContact::impulse(const Tangential& t, double kappa) const {
  Vector2 y = Vector2::Zero();
  for (int k = 0; k < 2; ++k)
    if (t.c(k) != 0.0) y(k) = -t.c(k) / (lambda_(k) + kappa);
  return y;
}

Vector2 LocalContact::solve_tangential(const Tangential& t) const {
  if (!(t.limit > 0.0)) return Vector2::Zero();
  const Vector2 stick = impulse(t, 0.0);  // infinite in a dead direction that must move
  if (stick.allFinite() && stick.norm() <= t.limit - t.slope.dot(stick)) return stick;
  return slide(t);
}

double LocalContact::excess(const Tangential& t, double kappa, double& derivative) const {
  const Vector2 y = impulse(t, kappa);
  const double length = y.norm();
  const double limit = t.limit - t.slope.dot(y);
  Vector2 dy = Vector2::Zero();
  for (int k = 0; k < 2; ++k)
    if (t.c(k) != 0.0) dy(k) = -y(k) / (lambda_(k) + kappa);
  derivative = (-t.slope.dot(dy) - limit * y.dot(dy) / (length * length)) / length;
  return limit / length - 1.0;
}

// Newton's method kept inside a bracket.
Vector2 LocalContact::slide(const Tangential& t) const {
  for (int k = 0; k < 2; ++k) {
    if (t.c(1 - k) != 0.0) continue;  // one direction alone: ‖p_t‖ = limit − slope·p_t
    Vector2 y = Vector2::Zero();
    const double sign = t.c(k) > 0.0 ? -1.0 : 1.0;
    y(k) = sign * t.limit / (1.0 + sign * t.slope(k));
    return y;
  }
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  double derivative = 0.0;
  double low = 0.0, high = t.c.norm() / t.limit;
  for (int k = 0; k < kMaxRootSteps && excess(t, high, derivative) < 0.0; ++k) {
    low = high;
    high *= 2.0;
  }
  double kappa = high;
  for (int k = 0; k < kMaxRootSteps; ++k) {
    const double value = excess(t, kappa, derivative);
    (value < 0.0 ? low : high) = kappa;
    const double newton = kappa - value / derivative;
    if (std::abs(newton - kappa) <= 4.0 * kEpsilon * kappa) break;  // before the bracket objects
    kappa = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (high - low <= 4.0 * kEpsilon * high) break;
  }
  return impulse(t, kappa);
}

}  // namespace picus
