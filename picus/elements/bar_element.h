// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A bar element that only stretches: two displacements along its axis. Its equations are linear.

#include "picus/elements/element.h"

namespace picus {

/// What a bar element states; see BarElement.
struct BarLaw {
  static constexpr int kNodes = 2, kNodeVelocities = 1;
  static constexpr bool kIsLinear = true;

  double stiffness_of_stretch = 0.0;  ///< E A / l
  double damping_of_stretch = 0.0;    ///< τ E A / l
  double element_mass = 0.0;          ///< ρ A l
  bool has_consistent_mass = true;    ///< of linear velocities; else halves at the nodes

  template <class T>
  T energy(const T& a, const T& b) const {
    const T stretch = b - a;
    return 0.5 * stiffness_of_stretch * stretch * stretch;
  }
  template <class T>
  T dissipation(const std::array<T, 2>& velocity) const {
    const T rate = velocity[1] - velocity[0];
    return 0.5 * damping_of_stretch * rate * rate;
  }
  std::span<const int> damped() const {
    static constexpr std::array kBoth{0, 1};
    if (damping_of_stretch > 0.0) return kBoth;
    return {};
  }

  SmallMatrix<double, 2, 2> mass() const {
    SmallMatrix<double, 2, 2> mass;
    if (has_consistent_mass)
      mass << element_mass / 3.0, element_mass / 6.0, element_mass / 6.0, element_mass / 3.0;
    else
      mass << element_mass / 2.0, 0.0, 0.0, element_mass / 2.0;
    return mass;
  }
  double kinetic_energy(const Vector2& v) const { return 0.5 * v.dot(mass() * v); }
  double mass_of_node(int) const { return 0.5 * element_mass; }

  /// Axial force; positive when it pulls.
  double pull(const Vector2& q, const Vector2& v) const {
    return stiffness_of_stretch * (q(1) - q(0)) + damping_of_stretch * (v(1) - v(0));
  }
};

using BarElement = DualElement<BarLaw>;

}  // namespace picus
