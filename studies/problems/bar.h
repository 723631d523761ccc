// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A linear elastic bar that flies along its axis against a wall, bruls-acary-cardona §6.3: two-node
// elements, coordinates are displacements of the nodes, the first of which meets the wall.

#include <algorithm>

#include <fmt/format.h>

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

enum class BarMass { kConsistent, kLumped };

struct BarElement {
  static constexpr int kCoordinates = 2;
  static constexpr bool kLinear = true;
  double m = 1.0, k = 1.0;  ///< mass and stiffness of the element
  BarMass kind = BarMass::kLumped;

  auto mass(const auto&) const {
    SmallMatrix<double, 2, 2> M;
    if (kind == BarMass::kConsistent)
      M << m / 3.0, m / 6.0, m / 6.0, m / 3.0;
    else
      M << m / 2.0, 0.0, 0.0, m / 2.0;
    return M;
  }
  auto force(const auto& s) const {
    const auto tension = k * (s.q(1) - s.q(0));
    return s.vector(tension, -tension);
  }
};

struct BarEnd {
  static constexpr int kCoordinates = 1, kContacts = 1;
  static constexpr bool kLinear = true;
  double distance = 1.0, e = 0.0;

  auto gap(const auto& s) const { return s.vector(distance + s.q(0)); }
  ContactLaw law(int) const { return {.restitution = e}; }
};

/// The bar, its exact solution (waves of speed c, [DoyenErnPiperno2011]) and what is conserved.
struct ElasticBar {
  double E = 900.0, density = 1.0, A = 1.0, L = 10.0;  ///< modulus, density, section, length
  double distance = 5.0, speed = 10.0;                 ///< from and towards the wall
  double e = 0.0;
  int elements = 200;
  BarMass mass = BarMass::kLumped;

  double mass_of_element() const { return density * A * L / elements; }
  double stiffness_of_element() const { return E * A * elements / L; }
  double total_mass() const { return density * A * L; }

  /// The bar alone.
  SystemBuilder elements_alone() const {
    SystemBuilder builder;
    for (int i = 0; i < elements; ++i)
      builder.add(BarElement{mass_of_element(), stiffness_of_element(), mass},
                  fmt::format("element {}", i), {i, i + 1});
    return builder;
  }
  std::unique_ptr<EquationSystem> make() const {
    SystemBuilder builder = elements_alone();
    builder.add(BarEnd{distance, e}, "wall", {0});
    return builder.build();
  }

  State start() const {
    State s;
    s.position = Vector::Zero(elements + 1);
    s.velocity = Vector::Constant(elements + 1, -speed);
    return s;
  }

  double wave_speed() const { return std::sqrt(E / density); }
  double closes() const { return distance / speed; }
  double opens() const { return closes() + 2.0 * L / wave_speed(); }
  /// Of the closed contact.
  double force() const { return E * A * speed / wave_speed(); }
  double initial_energy() const { return 0.5 * total_mass() * speed * speed; }

  /// Displacement and velocity at the material point x in [0, L].
  struct Motion {
    double displacement, velocity;
  };
  Motion exact(double x, double t) const {
    const double c = wave_speed(), s = t - closes();
    if (s <= 0.0) return {-speed * t, -speed};
    // the wave that stops the bar is at x after x/c, the one that throws it back after (2L - x)/c
    const double stopped = std::min(s, x / c), thrown = std::max(0.0, s - (2.0 * L - x) / c);
    const double velocity = thrown > 0.0 ? speed : s < x / c ? -speed : 0.0;
    return {-distance - speed * stopped + speed * thrown, velocity};
  }

  double momentum(const State& s) const {
    double sum = 0.0;
    for (int i = 0; i < elements; ++i)
      sum += 0.5 * mass_of_element() * (s.velocity(i) + s.velocity(i + 1));
    return sum;
  }
  double energy(const State& s) const {
    const double m = mass_of_element(), k = stiffness_of_element();
    double sum = 0.0;
    for (int i = 0; i < elements; ++i) {
      const double a = s.velocity(i), b = s.velocity(i + 1);
      const double stretch = s.position(i + 1) - s.position(i);
      sum += mass == BarMass::kConsistent ? m / 6.0 * (a * a + a * b + b * b)
                                          : m / 4.0 * (a * a + b * b);
      sum += 0.5 * k * stretch * stretch;
    }
    return sum;
  }
};

}  // namespace picus::problems
