// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small systems with impacts and known solutions.

#include <cmath>

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

/// A mass on a floor, acary example 1: q̈ = f, q ≥ 0.
struct BouncingBall {
  static constexpr int kCoordinates = 1, kContacts = 1;
  static constexpr bool kLinear = true;
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
  double energy(const State& s) const {
    return m * (0.5 * s.velocity(0) * s.velocity(0) - f * s.position(0));
  }

  /// Height of the ball that was let go at 1 with the numbers above, acary (10).
  static double height(double t) {
    if (t < 1.0) return 1.0 - t * t;
    if (t >= 3.0) return 0.0;
    double half = 1.0;  // 2⁻ⁿ, with 3 - 2·2⁻ⁿ ≤ t < 3 - 2⁻ⁿ
    while (t >= 3.0 - half)
      half *= 0.5;
    return -(t - 3.0) * (t - 3.0) - 3.0 * half * (t - 1.0) + 2.0 * half * (3.0 - half);
  }
};

/// A mass on a spring and a damper that hits a stop at zero, acary example 2.
struct ImpactOscillator {
  static constexpr int kCoordinates = 1, kContacts = 1;
  static constexpr bool kLinear = true;
  double m = 1.0, c = 0.1, k = 1.0, e = 0.5;

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const { return s.vector(-c * s.v(0) - k * s.q(0)); }
  auto gap(const auto& s) const { return s.vector(s.q(0)); }
  ContactLaw law(int) const { return {.restitution = e}; }

  State at(double q, double v) const { return BouncingBall{}.at(q, v); }
  double energy(const State& s) const {
    return 0.5 * (m * s.velocity(0) * s.velocity(0) + k * s.position(0) * s.position(0));
  }
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

/// A block on a rough plane, pushed along it: Coulomb's law in its simplest form.
struct SlidingBlock {
  static constexpr int kCoordinates = 2, kContacts = 1, kSlips = 1;
  double m = 2.0, g = 10.0, mu = 0.3, push = 0.0;

  auto mass(const auto&) const { return diagonal(m, m); }
  auto force(const auto& s) const { return s.vector(push, -m * g); }
  auto gap(const auto& s) const { return s.vector(s.q(1)); }
  auto slip(const auto& s) const { return s.vector(s.v(0)); }
  ContactLaw law(int) const { return {.friction = mu}; }

  State at(double speed) const {
    State s;
    s.position = Vector::Zero(2);
    s.velocity = Vector::Zero(2);
    s.velocity(0) = speed;
    return s;
  }
  double energy(const State& s) const {
    return 0.5 * m * s.velocity.squaredNorm() - push * s.position(0) + m * g * s.position(1);
  }
};

/// A disk with spin that bounces obliquely off the ground: x, y, θ.
struct SpinningDisk {
  static constexpr int kCoordinates = 3, kContacts = 1, kSlips = 1;
  static constexpr std::array kAngles{2};
  double m = 0.5, r = 0.1, g = 9.81, e = 0.8, mu = 0.2, e_t = 0.0;

  double inertia() const { return 0.5 * m * r * r; }
  auto mass(const auto&) const { return diagonal(m, m, inertia()); }
  auto force(const auto& s) const { return s.vector(0.0, -m * g, 0.0); }
  auto gap(const auto& s) const { return s.vector(s.q(1) - r); }
  auto slip(const auto& s) const { return s.vector(s.v(0) + r * s.v(2)); }
  ContactLaw law(int) const {
    return {.restitution = e, .tangential_restitution = e_t, .friction = mu};
  }

  State at(double height, double speed, double spin) const {
    State s;
    s.position = Vector::Zero(3);
    s.position(1) = r + height;
    s.velocity = Vector(3);
    s.velocity << speed, 0.0, spin;
    return s;
  }
  double energy(const State& s) const {
    const Vector& v = s.velocity;
    return 0.5 * (m * (v(0) * v(0) + v(1) * v(1)) + inertia() * v(2) * v(2)) +
           m * g * s.position(1);
  }

  /// Velocities after an impact with (v_x, v_y, ω): the normal impulse is (1+e) m |v_y|; friction
  /// stops the slip (or turns it round by e_t) or opposes it with μ times as much.
  Vector after_impact(const Vector& v) const {
    const double normal = (1.0 + e) * m * -v(1), slip_before = v(0) + r * v(2);
    const double to_stick = (1.0 + e_t) * std::abs(slip_before) / (1.0 / m + r * r / inertia());
    const double tangential = -std::copysign(std::min(mu * normal, to_stick), slip_before);
    Vector after(3);
    after << v(0) + tangential / m, -e * v(1), v(2) + r * tangential / inertia();
    return after;
  }

  /// Where it is after the time t, from one impact to the next.
  State after(State s, double t) const {
    for (;;) {
      const double height = s.position(1) - r, up = s.velocity(1);
      const double flight = (up + std::sqrt(up * up + 2.0 * g * height)) / g;
      const double dt = std::min(t, flight);
      s.position += dt * s.velocity;
      s.position(1) -= 0.5 * g * dt * dt;
      s.velocity(1) -= g * dt;
      s.time += dt;
      t -= dt;
      if (t <= 0.0) return s;
      s.position(1) = r;
      s.velocity = after_impact(s.velocity);
    }
  }
};

}  // namespace picus::problems
