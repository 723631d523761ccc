// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small systems with dry friction whose limit does not come from a contact, and known solutions.

#include <cmath>
#include <numbers>

#include "studies/problems/friction.h"

namespace picus::problems {

/// A torsional pendulum in a bearing with dry friction: J φ̈ + k φ = −T sign φ̇. Let go at φ₀ its
/// extremes are φ₀ − 2nT/k with alternating signs, until one is within the dead band |φ| ≤ T/k.
struct DryPendulum {
  static constexpr int kCoordinates = 1, kSlips = 1, kFrictionElements = 1;
  static constexpr std::array kAngles{0};
  static constexpr bool kLinear = true;
  double m = 0.4, k = 10.0, T = 1.1, angle = 1.0;  ///< m is the inertia J

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const { return s.vector(-k * s.q(0)); }
  auto slip(const auto& s) const { return s.vector(s.v(0)); }
  double friction_limit(int, const auto&) const { return T; }

  State start() const {
    State s;
    s.position = Vector::Constant(1, angle);
    s.velocity = Vector::Zero(1);
    return s;
  }
  double energy(const State& s) const {
    return 0.5 * (m * s.velocity(0) * s.velocity(0) + k * s.position(0) * s.position(0));
  }
  double half_period() const { return std::numbers::pi * std::sqrt(m / k); }
  double extreme(int n) const { return (n % 2 == 0 ? 1.0 : -1.0) * (angle - 2.0 * n * T / k); }
  /// After how many half cycles it stays.
  int rest() const {
    int n = 0;
    while (std::abs(extreme(n)) > T / k)
      ++n;
    return n;
  }
  double at(double t) const {
    const int n = static_cast<int>(t / half_period());
    if (n >= rest()) return extreme(rest());
    const double middle = (n % 2 == 0 ? 1.0 : -1.0) * T / k;
    return middle + (extreme(n) - middle) * std::cos(std::sqrt(k / m) * t - n * std::numbers::pi);
  }
};

/// A flywheel whose brake grips the harder the faster it turns, limit T + c ω².
struct BrakedWheel {
  static constexpr int kCoordinates = 1, kSlips = 1, kFrictionElements = 1;
  static constexpr std::array kAngles{0};
  double J = 2.0, T = 3.0, c = 0.5, speed = 4.0;

  auto mass(const auto&) const { return diagonal(J); }
  auto slip(const auto& s) const { return s.vector(s.v(0)); }
  double friction_limit(int, const auto& s) const { return T + c * s.v(0) * s.v(0); }

  State start() const {
    State s;
    s.position = Vector::Zero(1);
    s.velocity = Vector::Constant(1, speed);
    return s;
  }
  double stop() const { return J / std::sqrt(T * c) * std::atan(speed * std::sqrt(c / T)); }
  double at(double t) const {
    return t < stop() ? std::sqrt(T / c) * std::tan((stop() - t) * std::sqrt(T * c) / J) : 0.0;
  }
};

/// A block on a belt that moves at constant speed, held by a spring and pressed on the belt. It
/// goes along until the spring pulls with the limit, then swings about that place; where it has
/// the speed of the belt again the spring pulls just as much.
struct BlockOnBelt {
  static constexpr int kCoordinates = 1, kSlips = 1, kFrictionElements = 1;
  static constexpr bool kLinear = true;
  double m = 1.5, k = 20.0, mu = 0.4, normal = 25.0, belt = 0.3;

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const { return s.vector(-k * s.q(0)); }
  auto slip(const auto& s) const { return s.vector(s.v(0) - belt); }
  double friction_limit(int, const auto&) const { return mu * normal; }

  State start() const {
    State s;
    s.position = Vector::Zero(1);
    s.velocity = Vector::Constant(1, belt);
    return s;
  }
  double leaves() const { return mu * normal / (k * belt); }
  double at(double t) const {
    const double omega = std::sqrt(k / m);
    return t < leaves() ? belt * t
                        : mu * normal / k + belt / omega * std::sin(omega * (t - leaves()));
  }
};

/// SlidingParticle with its normal force given: the plane is not there.
struct PressedParticle {
  static constexpr int kCoordinates = 2, kSlips = 2, kFrictionElements = 1, kFrictionSlips = 2;
  SlidingParticle of;

  auto mass(const auto&) const { return diagonal(of.m, of.m); }
  auto force(const auto& s) const { return s.vector(0.0, of.m * of.g * std::sin(of.slope)); }
  auto slip(const auto& s) const { return s.vector(s.v(0), s.v(1)); }
  double friction_limit(int, const auto&) const { return of.mu * of.m * of.g * std::cos(of.slope); }

  State start() const {
    State s;
    s.position = Vector::Zero(2);
    s.velocity = Vector::Zero(2);
    s.velocity(0) = of.speed;
    return s;
  }
};

/// PushedBlock with its normal force given.
struct PressedBlock {
  static constexpr int kCoordinates = 1, kSlips = 1, kFrictionElements = 1;
  PushedBlock of;

  auto mass(const auto&) const { return diagonal(of.m); }
  auto force(const auto& s) const { return s.vector(of.push + of.ramp * s.t); }
  auto slip(const auto& s) const { return s.vector(s.v(0)); }
  double friction_limit(int, const auto&) const { return of.limit(); }

  State start() const {
    State s;
    s.position = Vector::Zero(1);
    s.velocity = Vector::Constant(1, of.speed);
    return s;
  }
};

}  // namespace picus::problems
