// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The examples of studer-leine-glocker §10.2 and §10.3 with what is known of their motions.

#include <array>
#include <cmath>

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

/// A mass on a spring that hits a stop at x = 0 from below, §10.3. The paper does not say where the
/// stop is; there, the spring pulls the mass away from it, so that it never rests.
struct StoppedOscillator {
  static constexpr int kCoordinates = 1, kContacts = 1;
  static constexpr bool kLinear = true;
  double m = 0.1, k = 20.0, unstressed = -0.15, e = 0.6;

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const { return s.vector(-k * (s.q(0) - unstressed)); }
  auto gap(const auto& s) const { return s.vector(-s.q(0)); }
  ContactLaw law(int) const { return {.restitution = e}; }

  State start() const {
    State s;
    s.position = Vector::Constant(1, -0.5);
    s.velocity = Vector::Constant(1, 0.2);
    return s;
  }

  /// By its energy.
  double first_impact_speed() const {
    const double from = -0.5 - unstressed;
    return std::sqrt(0.2 * 0.2 + k / m * (from * from - unstressed * unstressed));
  }

  struct Motion {
    double position, velocity;
    int impacts;
  };
  /// Harmonic between impacts; x − x₀ = A cos(ω t) + B sin(ω t) since the last one.
  Motion at(double t) const {
    const double omega = std::sqrt(k / m);
    double x = -0.5 - unstressed, v = 0.2;
    for (int impacts = 0;; ++impacts) {
      // the first time at which the mass is at −x₀, moving up
      const double A = x, B = v / omega, amplitude = std::hypot(A, B);
      double time = std::atan2(B, A) - std::acos(-unstressed / amplitude);
      const double now = impacts > 0 ? 1e-9 : 0.0;  // it is there after an impact, moving down
      while (time <= now)
        time += 2.0 * std::acos(-1.0);
      time /= omega;
      if (t < time) {
        const double c = std::cos(omega * t), s = std::sin(omega * t);
        return {unstressed + A * c + B * s, omega * (B * c - A * s), impacts};
      }
      t -= time;
      v = -e * omega * (B * std::cos(omega * time) - A * std::sin(omega * time));
      x = -unstressed;
    }
  }
};

/// A mass on a rough table, drawn back by a force for the first three seconds, §10.2.
struct SlidingMass {
  static constexpr int kCoordinates = 2, kSlips = 2, kFrictionElements = 1, kFrictionSlips = 2;
  double m = 1.0, limit = 2.0;
  std::array<double, 2> pull{-2.5, -0.25};
  double end_of_pull = 3.0;

  auto mass(const auto&) const { return diagonal(m, m); }
  auto force(const auto& s) const {
    const double on = plain_value(s.t) < end_of_pull ? 1.0 : 0.0;
    return s.vector(on * pull[0], on * pull[1]);
  }
  auto slip(const auto& s) const { return s.vector(s.v(0), s.v(1)); }
  double friction_limit(int, const auto&) const { return limit; }

  State start() const {
    State s;
    s.position = Vector::Zero(2);
    s.velocity = Vector(2);
    s.velocity << 2.0, -0.2;
    return s;
  }
};

}  // namespace picus::problems
