// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Newton's cradle: equal masses on springs in a row that hit their neighbours.

#include <fmt/format.h>

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

struct CradleMass {
  static constexpr int kCoordinates = 1;
  static constexpr bool kLinear = true;
  double m = 1.0, k = 10.0;

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const { return s.vector(-k * s.q(0)); }
};

struct CradleNeighbours {
  static constexpr int kCoordinates = 2, kContacts = 1;
  static constexpr bool kLinear = true;
  double distance = 0.05, e = 0.9;

  auto gap(const auto& s) const { return s.vector(distance + s.q(1) - s.q(0)); }
  ContactLaw law(int) const { return {.restitution = e}; }
};

struct Cradle {
  int count = 5;
  double m = 1.0, k = 10.0, distance = 0.05, e = 0.9;

  std::unique_ptr<EquationSystem> make() const {
    SystemBuilder builder;
    for (int i = 0; i < count; ++i)
      builder.add(CradleMass{m, k}, fmt::format("mass {}", i), {i});
    for (int i = 0; i + 1 < count; ++i)
      builder.add(CradleNeighbours{distance, e}, fmt::format("pair {}", i), {i, i + 1});
    return builder.build();
  }
  /// The first mass is drawn aside by `amplitude`, the others rest.
  State start(double amplitude) const {
    State s;
    s.position = Vector::Zero(count);
    s.position(0) = -amplitude;
    s.velocity = Vector::Zero(count);
    return s;
  }
  double energy(const State& s) const {
    return 0.5 * (m * s.velocity.squaredNorm() + k * s.position.squaredNorm());
  }
};

}  // namespace picus::problems
