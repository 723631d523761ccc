// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small systems with impacts and known solutions.

#include <cmath>

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

/// A mass on a floor, acary example 1: q̈ = f, q ≥ 0.
struct BouncingBall {
  static constexpr int kCoordinates = 1, kContacts = 1;
  double m = 1.0, f = -2.0, e = 0.5;

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const { return s.vector(m * f); }
  auto gap(const auto& s) const { return s.vector(s.q(0)); }
  ContactLaw law(int) const { return {.restitution = e}; }

  State at(double q, double v) const {
    State s;
    s.position = Vector::Constant(1, q);
    s.velocity = Vector::Constant(1, v);
    return s;
  }
};

/// A mass on a spring and a damper that hits a stop at zero, acary example 2.
struct ImpactOscillator {
  static constexpr int kCoordinates = 1, kContacts = 1;
  double m = 1.0, c = 0.1, k = 1.0, e = 0.5;

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const { return s.vector(-c * s.v(0) - k * s.q(0)); }
  auto gap(const auto& s) const { return s.vector(s.q(0)); }
  ContactLaw law(int) const { return {.restitution = e}; }

  State at(double q, double v) const { return BouncingBall{}.at(q, v); }
};

/// A rigid pendulum that falls against a wall, bruls-acary-cardona §6.1: x ≥ L √2/2, gravity +y.
struct BouncingPendulum {
  static constexpr int kCoordinates = 3, kConstraints = 2, kContacts = 1;
  static constexpr std::array kAngles{2};
  double m = 1.0, J = 0.1, L = 1.0, g = 10.0, e = 0.8;

  auto mass(const auto&) const { return diagonal(m, m, J); }
  auto force(const auto& s) const { return s.vector(0.0, m * g, 0.0); }
  auto constraint(const auto& s) const {
    return s.vector(s.q(0) - L * cos(s.q(2)), s.q(1) - L * sin(s.q(2)));
  }
  auto gap(const auto& s) const { return s.vector(s.q(0) - L * std::sqrt(0.5)); }
  ContactLaw law(int) const { return {.restitution = e}; }

  State at(double angle, double rate) const {
    State s;
    s.position = Vector(3);
    s.position << L * std::cos(angle), L * std::sin(angle), angle;
    s.velocity = Vector(3);
    s.velocity << -L * std::sin(angle) * rate, L * std::cos(angle) * rate, rate;
    return s;
  }
  double energy(const State& s) const {
    const Vector& v = s.velocity;
    return 0.5 * (m * (v(0) * v(0) + v(1) * v(1)) + J * v(2) * v(2)) - m * g * s.position(1);
  }
};

}  // namespace picus::problems
