// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small systems with the remaining features of the contract: rolling, prescribed motion, rotations
// in space, controls.

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

/// A skate on an inclined plane (knife edge): coordinates (x, y, θ), no velocity across the blade.
struct Skate {
  static constexpr int kCoordinates = 3, kNonholonomic = 1;
  static constexpr std::array kAngles{2};
  double m = 1.0, J = 0.2, slope = 4.0;

  auto mass(const auto&) const { return diagonal(m, m, J); }
  auto force(const auto& s) const { return s.vector(m * slope, 0.0, 0.0); }
  auto nonholonomic(const auto& s) const {
    return s.vector(-s.v(0) * sin(s.q(2)) + s.v(1) * cos(s.q(2)));
  }

  /// Starts at the origin with rate ω and speed 0: the skate runs along a cycloid,
  /// x = slope/(2ω²) sin²ωt, y = slope/(2ω²)(ωt - sin(2ωt)/2).
  static State at_rest(double omega) {
    State s;
    s.position = Eigen::Vector3d::Zero();
    s.velocity = Eigen::Vector3d(0.0, 0.0, omega);
    return s;
  }
};

/// A pendulum whose pin moves: g(t,q) = 0 depends on time.
struct DrivenPendulum {
  static constexpr int kCoordinates = 3, kConstraints = 2;
  static constexpr std::array kAngles{2};
  double m = 1.0, J = 0.1, L = 1.0, g = 9.81, amplitude = 0.3, omega = 4.0;

  auto mass(const auto&) const { return diagonal(m, m, J); }
  auto force(const auto& s) const { return s.vector(0.0, -m * g, 0.0); }
  auto constraint(const auto& s) const {
    return s.vector(s.q(0) - L * cos(s.q(2)) - amplitude * sin(omega * s.t),
                    s.q(1) - L * sin(s.q(2)));
  }
};

/// A heavy top with orientation on SO(3): centre of mass in space (x) and unit quaternion
/// (w,x,y,z), velocities in space (v) and in the body (ω), the tip fixed at the origin.
struct HeavyTop {
  static constexpr int kCoordinates = 6, kPositions = 7, kConstraints = 3;
  static constexpr std::array kAngles{3, 4, 5};
  double m = 1.0, J1 = 0.1, J3 = 0.05, height = 0.5, g = 9.81;

  auto mass(const auto&) const { return diagonal(m, m, m, J1, J1, J3); }

  auto force(const auto& s) const {
    const auto &p = s.v(3), &q = s.v(4), &r = s.v(5);  // gyroscopic torque -ω × Jω
    return s.vector(0.0, 0.0, -m * g, (J1 - J3) * q * r, (J3 - J1) * p * r, 0.0);
  }

  /// The body axis e3 in space, times the height.
  auto constraint(const auto& s) const {
    const auto &w = s.q(3), &x = s.q(4), &y = s.q(5), &z = s.q(6);
    return s.vector(s.q(0) - height * 2.0 * (x * z + w * y),
                    s.q(1) - height * 2.0 * (y * z - w * x),
                    s.q(2) - height * (w * w - x * x - y * y + z * z));
  }

  /// Translation by the sum, rotation by the exponential map in the body frame.
  template <class Q, class D>
  static Q retract(const Q& q, const D& dq) {
    using T = typename Q::Scalar;
    using std::cos, std::sin, std::sqrt;
    const T square = dq(3) * dq(3) + dq(4) * dq(4) + dq(5) * dq(5);
    // cos(φ/2) and sin(φ/2)/φ, by their series near zero so that derivatives exist there
    T c, k;
    if (plain_value(square) < 1e-4) {
      const T s2 = square * square;
      c = 1.0 - square / 8.0 + s2 / 384.0 - s2 * square / 46080.0;
      k = 0.5 - square / 48.0 + s2 / 3840.0 - s2 * square / 645120.0;
    } else {
      const T angle = sqrt(square);
      c = cos(0.5 * angle);
      k = sin(0.5 * angle) / angle;
    }
    const T x = k * dq(3), y = k * dq(4), z = k * dq(5);
    Q r;
    for (int i = 0; i < 3; ++i)
      r(i) = q(i) + dq(i);
    r(3) = q(3) * c - q(4) * x - q(5) * y - q(6) * z;
    r(4) = q(3) * x + q(4) * c + q(5) * z - q(6) * y;
    r(5) = q(3) * y - q(4) * z + q(5) * c + q(6) * x;
    r(6) = q(3) * z + q(4) * y - q(5) * x + q(6) * c;
    return r;
  }

  /// Tilted by an angle about x, spinning about its axis with the tip at rest.
  State spinning(double tilt, double spin) const {
    State s;
    s.position.resize(7);
    s.position << 0.0, -height * std::sin(tilt), height * std::cos(tilt), std::cos(0.5 * tilt),
        std::sin(0.5 * tilt), 0.0, 0.0;
    s.velocity = Vector::Zero(6);
    s.velocity(5) = spin;
    return s;
  }

  double energy(const State& s) const {
    const Eigen::Vector3d w = s.velocity.tail<3>();
    return 0.5 * m * s.velocity.head<3>().squaredNorm() +
           0.5 * (J1 * (w(0) * w(0) + w(1) * w(1)) + J3 * w(2) * w(2)) + m * g * s.position(2);
  }
};

/// A mass held by a PID controller: one first-order state (the integral of the error) and one
/// algebraic variable (the force), so that F = u with u = -kp e - ki ∫e - kd v.
struct ControlledMass {
  static constexpr int kCoordinates = 1, kControls = 2, kVariables = 1;
  double m = 1.0, kp = 20.0, ki = 15.0, kd = 4.0, target = 1.0, load = -3.0;

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const { return s.vector(s.x(1) + load); }
  auto control(const auto& s) const {
    const auto error = s.q(0) - target;
    return s.vector(s.xdot(0) - error, s.x(1) + kp * error + ki * s.x(0) + kd * s.v(0));
  }
};

}  // namespace picus::problems
