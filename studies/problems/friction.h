// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small systems with Coulomb friction and known solutions.

#include <algorithm>
#include <array>
#include <cmath>

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

/// A block on a rough plane under a force that grows, push + ramp t: it slides, stops, sticks, and
/// slides again.
struct PushedBlock {
  static constexpr int kCoordinates = 2, kContacts = 1, kSlips = 1;
  double m = 2.0, g = 10.0, mu = 0.3;
  double push = 1.0, ramp = 4.3;  ///< [N], [N/s]
  double speed = 1.37;            ///< at the start [m/s]

  auto mass(const auto&) const { return diagonal(m, m); }
  auto force(const auto& s) const { return s.vector(push + ramp * s.t, -m * g); }
  auto gap(const auto& s) const { return s.vector(s.q(1)); }
  auto slip(const auto& s) const { return s.vector(s.v(0)); }
  ContactLaw law(int) const { return {.friction = mu}; }

  State start() const {
    State s;
    s.position = Vector::Zero(2);
    s.velocity = Vector::Zero(2);
    s.velocity(0) = speed;
    return s;
  }

  double limit() const { return mu * m * g; }
  /// When it stops: speed + (push - μ m g) t/m + ramp t²/(2m) = 0.
  double stop() const {
    const double b = (limit() - push) / ramp;
    return b - std::sqrt(b * b - 2.0 * m * speed / ramp);
  }
  double slip_again() const { return (limit() - push) / ramp; }

  struct Motion {
    double position, velocity, friction;
  };
  Motion at(double t) const {
    const double first = std::min(t, stop()), again = std::max(0.0, t - slip_again());
    const double pull = (push - limit()) / m, rate = ramp / m;
    return {speed * first + pull * first * first / 2.0 + rate * first * first * first / 6.0 +
                rate * again * again * again / 6.0,
            speed + pull * first + rate * first * first / 2.0 + rate * again * again / 2.0,
            t < stop() || t > slip_again() ? -limit() : -(push + ramp * t)};
  }
};

/// A particle on an inclined plane whose coefficient of friction is the tangent of the slope: the
/// direction of slip turns downhill. x across, y downhill, z along the normal.
struct SlidingParticle {
  static constexpr int kCoordinates = 3, kContacts = 1, kSlips = 2;
  double m = 1.5, g = 9.81, slope = 0.4, speed = 2.0, mu = std::tan(0.4);

  auto mass(const auto&) const { return diagonal(m, m, m); }
  auto force(const auto& s) const {
    return s.vector(0.0, m * g * std::sin(slope), -m * g * std::cos(slope));
  }
  auto gap(const auto& s) const { return s.vector(s.q(2)); }
  auto slip(const auto& s) const { return s.vector(s.v(0), s.v(1)); }
  ContactLaw law(int) const { return {.friction = mu}; }

  State start() const {
    State s;
    s.position = Vector::Zero(3);
    s.velocity = Vector::Zero(3);
    s.velocity(0) = speed;
    return s;
  }

  /// Velocity across and downhill. Gravity and friction add nothing to v + v_y, so that
  /// v + v_y = v_0, and w = v/v_0 obeys w/2 + ln(2w - 1)/4 = 1/2 - t g sin(slope)/v_0.
  std::array<double, 2> velocity(double t) const {
    const double right = 0.5 - t * g * std::sin(slope) / speed;
    double low = 0.5, high = 1.0;
    for (int i = 0; i < 200; ++i) {
      const double w = 0.5 * (low + high);
      (w / 2.0 + std::log(2.0 * w - 1.0) / 4.0 < right ? low : high) = w;
    }
    const double v = speed * low, down = speed - v;
    return {std::sqrt(v * v - down * down), down};
  }
};

/// A uniform rod whose ends touch a floor and a wall: x, y of its centre and the angle θ from the
/// floor, with its foot at x + L/2 cos θ.
struct Ladder {
  static constexpr int kCoordinates = 3, kContacts = 2, kSlips = 2;
  static constexpr std::array kAngles{2};
  double m = 3.0, L = 2.0, g = 9.81, mu = 0.0;

  double inertia() const { return m * L * L / 12.0; }
  auto mass(const auto&) const { return diagonal(m, m, inertia()); }
  auto force(const auto& s) const { return s.vector(0.0, -m * g, 0.0); }
  /// Of the foot over the floor and of the head before the wall.
  auto gap(const auto& s) const {
    return s.vector(s.q(1) - 0.5 * L * sin(s.q(2)), s.q(0) - 0.5 * L * cos(s.q(2)));
  }
  auto slip(const auto& s) const {
    return s.vector(s.v(0) - 0.5 * L * sin(s.q(2)) * s.v(2),
                    s.v(1) + 0.5 * L * cos(s.q(2)) * s.v(2));
  }
  ContactLaw law(int) const { return {.friction = mu}; }

  State at(double angle, double rate = 0.0) const {
    State s;
    s.position = Vector(3);
    s.position << 0.5 * L * std::cos(angle), 0.5 * L * std::sin(angle), angle;
    s.velocity = Vector(3);
    s.velocity << -0.5 * L * std::sin(angle) * rate, 0.5 * L * std::cos(angle) * rate, rate;
    return s;
  }

  double energy(const State& s) const {
    const Vector& v = s.velocity;
    return 0.5 * (m * (v(0) * v(0) + v(1) * v(1)) + inertia() * v(2) * v(2)) +
           m * g * s.position(1);
  }

  /// θ̈ while both ends slide, the foot away from the wall. With normal forces N (floor), R (wall)
  /// and friction μN against the foot, μR against the head, both outwards of the fall.
  double acceleration(double angle, double rate) const {
    // m ẍ = R - μN, m ÿ = N + μR - mg; x = L/2 cos θ, y = L/2 sin θ: linear in θ̈
    const double c = std::cos(angle), s = std::sin(angle), a = 0.5 * L;
    // ẍ = -a s θ̈ - a c ω², ÿ = a c θ̈ - a s ω²
    const auto forces = [&](double alpha) {
      const double along = m * (-a * s * alpha - a * c * rate * rate);
      const double up = m * (a * c * alpha - a * s * rate * rate + g);
      const double R = (along + mu * up) / (1.0 + mu * mu);
      const double N = up - mu * R;
      return std::array{N, R};
    };
    const auto moment = [&](double alpha) {
      const auto [N, R] = forces(alpha);
      // the foot lies at (a c, -a s) from the centre, the head at (-a c, a s); θ turns clockwise
      return -N * a * c + mu * N * a * s + R * a * s + mu * R * a * c - inertia() * alpha;
    };
    const double zero = moment(0.0), slope = moment(1.0) - zero;
    return -zero / slope;
  }
};

/// A block that rocks on its two lower corners: x, y of its centre and its angle.
struct RockingBlock {
  static constexpr int kCoordinates = 3, kContacts = 2, kSlips = 2;
  static constexpr std::array kAngles{2};
  double m = 10.0, width = 0.4, height = 1.2, g = 9.81, mu = 0.8, e = 0.0;

  double inertia() const { return m * (width * width + height * height) / 12.0; }
  auto mass(const auto&) const { return diagonal(m, m, inertia()); }
  auto force(const auto& s) const { return s.vector(0.0, -m * g, 0.0); }
  /// Of the left and the right corner.
  auto gap(const auto& s) const {
    const auto c = cos(s.q(2)), n = sin(s.q(2));
    return s.vector(s.q(1) - 0.5 * width * n - 0.5 * height * c,
                    s.q(1) + 0.5 * width * n - 0.5 * height * c);
  }
  auto slip(const auto& s) const {
    const auto c = cos(s.q(2)), n = sin(s.q(2));
    return s.vector(s.v(0) + (0.5 * width * n + 0.5 * height * c) * s.v(2),
                    s.v(0) + (-0.5 * width * n + 0.5 * height * c) * s.v(2));
  }
  ContactLaw law(int) const { return {.restitution = e, .friction = mu}; }

  /// Turned by a positive angle about its left corner, at the origin.
  State at(double angle, double rate = 0.0) const {
    State s;
    const double c = std::cos(angle), n = std::sin(angle);
    s.position = Vector(3);
    s.position << 0.5 * width * c - 0.5 * height * n, 0.5 * width * n + 0.5 * height * c, angle;
    s.velocity = Vector(3);
    s.velocity << -s.position(1) * rate, s.position(0) * rate, rate;
    return s;
  }

  double energy(const State& s) const {
    const Vector& v = s.velocity;
    return 0.5 * (m * (v(0) * v(0) + v(1) * v(1)) + inertia() * v(2) * v(2)) +
           m * g * s.position(1);
  }

  /// What an impact leaves of the angular velocity when the block rolls over from corner to corner
  /// without slip [Housner1963]: 1 - 3/2 sin²α, tan α = width/height.
  double housner() const {
    const double d = width * width + height * height;
    return 1.0 - 1.5 * width * width / d;
  }
  /// Inertia about a corner, and the distance of the centre from it.
  double corner_inertia() const { return 4.0 * inertia(); }
  double arm() const { return 0.5 * std::hypot(width, height); }
};

/// Painlevé's rod: a slender rod that slides on its lower end, towards the left, and leans to the
/// right.
struct PainleveRod {
  static constexpr int kCoordinates = 3, kContacts = 1, kSlips = 1;
  static constexpr std::array kAngles{2};
  double m = 1.0, L = 2.0, g = 9.81, mu = 2.0;

  double inertia() const { return m * L * L / 12.0; }
  auto mass(const auto&) const { return diagonal(m, m, inertia()); }
  auto force(const auto& s) const { return s.vector(0.0, -m * g, 0.0); }
  auto gap(const auto& s) const { return s.vector(s.q(1) - 0.5 * L * sin(s.q(2))); }
  auto slip(const auto& s) const { return s.vector(s.v(0) + 0.5 * L * sin(s.q(2)) * s.v(2)); }
  ContactLaw law(int) const { return {.friction = mu}; }

  /// The tip at the origin slides to the left with `speed`; the rod makes the angle with the
  /// ground.
  State at(double angle, double rate, double speed) const {
    State s;
    const double c = 0.5 * L * std::cos(angle), n = 0.5 * L * std::sin(angle);
    s.position = Vector(3);
    s.position << c, n, angle;
    s.velocity = Vector(3);
    s.velocity << -speed - n * rate, c * rate, rate;
    return s;
  }

  /// g̈ = free + slope λ while the tip slides to the left; Painlevé's paradox when the slope is
  /// negative.
  double slope(double angle) const {
    const double a = 0.5 * L, c = std::cos(angle), s = std::sin(angle);
    return 1.0 / m + a * a * c * (c - mu * s) / inertia();
  }
  double free(double angle, double rate) const {
    return 0.5 * L * std::sin(angle) * rate * rate - g;
  }
  double kinetic_energy(const State& s) const {
    const Vector& v = s.velocity;
    return 0.5 * (m * (v(0) * v(0) + v(1) * v(1)) + inertia() * v(2) * v(2));
  }
  double energy(const State& s) const { return kinetic_energy(s) + m * g * s.position(1); }
};

}  // namespace picus::problems
