// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Unconstrained problems: the linear oscillator, and a pendulum-like one with a mass that depends
// on time and position.

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

/// ẍ = -ω² x.
struct Oscillator {
  static constexpr int kCoordinates = 1;
  double omega = 1.0;

  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const { return s.vector(-omega * omega * s.q(0)); }
};

/// (1 + q²/2 + sin(t)/4) q̈ = f, with f such that q = cos t solves it; f also depends on v.
struct VariableMass {
  static constexpr int kCoordinates = 1;

  auto mass(const auto& s) const {
    return s.template matrix<1, 1>(1.0 + 0.5 * s.q(0) * s.q(0) + 0.25 * sin(s.t));
  }
  auto force(const auto& s) const {
    const auto c = cos(s.t);
    // -m(t, cos t) cos t, plus terms that vanish on the solution
    return s.vector(-(1.0 + 0.5 * c * c + 0.25 * sin(s.t)) * c - 2.0 * (s.q(0) - c) -
                    0.3 * (s.v(0) * s.v(0) - sin(s.t) * sin(s.t)));
  }

  static State exact(double t) {
    State s;
    s.time = t;
    s.position = Vector::Constant(1, std::cos(t));
    s.velocity = Vector::Constant(1, -std::sin(t));
    return s;
  }
};

}  // namespace picus::problems
