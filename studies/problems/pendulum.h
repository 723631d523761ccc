// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The rigid pendulum of bruls-acary-cardona §5: body coordinates (x, y, θ) of the centre of mass
// and the two constraints of the pin.

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

struct Pendulum {
  static constexpr int kCoordinates = 3, kConstraints = 2;
  static constexpr std::array kAngles{2};
  static constexpr std::array<std::string_view, 3> kCoordinateNames{"x", "y", "angle"};
  static constexpr std::array<std::string_view, 2> kConstraintNames{"pin.x", "pin.y"};

  double mass_ = 1.0, inertia = 0.1, length = 1.0;
  double gravity = -10.0;  ///< along y [m/s²]; the paper leaves the sign open

  auto mass(const auto&) const { return diagonal(mass_, mass_, inertia); }
  auto force(const auto& s) const { return s.vector(0.0, mass_ * gravity, 0.0); }
  auto constraint(const auto& s) const {
    return s.vector(s.q(0) - length * cos(s.q(2)), s.q(1) - length * sin(s.q(2)));
  }

  /// Positions and velocities that satisfy the constraints; accelerations are left to Picus.
  State at(double angle, double rate) const {
    State s;
    s.position = Eigen::Vector3d(length * std::cos(angle), length * std::sin(angle), angle);
    s.velocity = rate * Eigen::Vector3d(-length * std::sin(angle), length * std::cos(angle), 1.0);
    return s;
  }

  /// θ̈ in the minimal coordinate: (J + m L²) θ̈ = m g L cos θ.
  double angular_acceleration(double angle) const {
    return mass_ * gravity * length * std::cos(angle) / (inertia + mass_ * length * length);
  }

  /// The reactions of the pin, M v̇ = f + Gᵀ λ.
  Eigen::Vector2d reactions(double angle, double rate) const {
    const double w2 = rate * rate, alpha = angular_acceleration(angle);
    return mass_ * length *
               Eigen::Vector2d(-std::sin(angle) * alpha - std::cos(angle) * w2,
                               std::cos(angle) * alpha - std::sin(angle) * w2) -
           Eigen::Vector2d(0.0, mass_ * gravity);
  }

  double energy(const State& s) const {
    return 0.5 * mass_ * s.velocity.head<2>().squaredNorm() +
           0.5 * inertia * s.velocity(2) * s.velocity(2) - mass_ * gravity * s.position(1);
  }
};

}  // namespace picus::problems
