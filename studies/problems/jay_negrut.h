// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The test problems of jay-negrut §8: (15), nonlinear in everything with a known solution, and the
// spring-damper pendulum (16).

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

/// Problem (15): mass matrix neither constant nor symmetric, one holonomic and one nonholonomic
/// constraint, forces nonlinear in both multipliers. Solution y = (eᵗ, e⁻²ᵗ), λ = e⁻ᵗ, ψ = eᵗ.
struct NonlinearProblem {
  static constexpr int kCoordinates = 2, kConstraints = 1, kNonholonomic = 1;
  static constexpr bool kReactionsInForce = true;

  auto mass(const auto& s) const {
    return s.template matrix<2, 2>(s.q(0), s.q(1) - exp(-2.0 * s.t),  //
                                   sin(s.q(0) - exp(s.t)), s.q(0) * s.q(1));
  }
  auto force(const auto& s) const {
    const auto &y1 = s.q(0), &y2 = s.q(1), &z1 = s.v(0), &z2 = s.v(1);
    const auto &l = s.lambda(0), &p = s.psi(0);
    return s.vector(
        exp(s.t) * (y1 * z2 + 2.0 * y2 * z1) + exp(2.0 * s.t) * y1 * l - y1 * z2 * p - 2.0,
        exp(-s.t) * (0.5 * y2 * z2 - 2.0 * y1 * z1 * y2 * z2 + y2 * l * l) -
            y1 * y2 * z1 * p * p * p + exp(3.0 * s.t));
  }
  auto constraint(const auto& s) const { return s.vector(s.q(0) * s.q(0) * s.q(1) - 1.0); }
  auto nonholonomic(const auto& s) const { return s.vector(s.q(0) * s.v(0) * s.v(1) + 2.0); }

  static State exact(double t) {
    State s;
    s.time = t;
    s.position = Eigen::Vector2d(std::exp(t), std::exp(-2.0 * t));
    s.velocity = Eigen::Vector2d(std::exp(t), -2.0 * std::exp(-2.0 * t));
    s.acceleration = Eigen::Vector2d(std::exp(t), 4.0 * std::exp(-2.0 * t));
    s.multiplier = Vector::Constant(1, std::exp(-t));
    s.nonholonomic_multiplier = Vector::Constant(1, std::exp(t));
    s.control.resize(0);
    s.control_rate.resize(0);
    return s;
  }
};

/// Problem (16): a pendulum with a torsional spring and damper. λ has the opposite sign of the
/// paper's, as everywhere in Picus.
struct SpringPendulum {
  static constexpr int kCoordinates = 3, kConstraints = 2;
  static constexpr std::array kAngles{2};
  static constexpr std::array<std::string_view, 3> kCoordinateNames{"x", "y", "angle"};
  static constexpr std::array<std::string_view, 2> kConstraintNames{"pin.x", "pin.y"};

  double m = 5.0, L = 2.0, k = 3000.0, c = 100.0, g = 9.81;
  static constexpr double kRest = 3.0 * 3.14159265358979323846 / 2.0;

  auto mass(const auto&) const { return diagonal(m, m, m * L * L / 3.0); }
  auto force(const auto& s) const {
    return s.vector(0.0, -m * g, -c * s.v(2) - k * (s.q(2) - kRest));
  }
  auto constraint(const auto& s) const {
    return s.vector(s.q(0) - L * cos(s.q(2)), s.q(1) - L * sin(s.q(2)));
  }

  double angular_acceleration(double angle, double rate) const {
    return (-c * rate - k * (angle - kRest) - m * g * L * std::cos(angle)) /
           (4.0 / 3.0 * m * L * L);
  }

  /// The full state of the minimal one: q, v, v̇ and λ.
  State at(double angle, double rate) const {
    const double alpha = angular_acceleration(angle, rate), w2 = rate * rate;
    const Eigen::Vector3d along(-L * std::sin(angle), L * std::cos(angle), 1.0);
    State s;
    s.position = Eigen::Vector3d(L * std::cos(angle), L * std::sin(angle), angle);
    s.velocity = rate * along;
    s.acceleration =
        alpha * along - w2 * Eigen::Vector3d(L * std::cos(angle), L * std::sin(angle), 0.0);
    s.multiplier = Eigen::Vector2d(m * s.acceleration(0), m * s.acceleration(1) + m * g);
    s.nonholonomic_multiplier.resize(0);
    s.control.resize(0);
    s.control_rate.resize(0);
    return s;
  }
};

}  // namespace picus::problems
