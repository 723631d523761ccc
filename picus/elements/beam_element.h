// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A geometrically exact beam element between two frames: a helix in space (beam_helix.h), an arc in
// the plane (planar_beam_helix.h). Rigid motions, whole turns included, strain nothing, and it does
// not lock.
//
//   ε = d/L − ε₀,   σ = K ε + C ε̇     strains (axial, two shears, torsion, two bendings) and
//   W = L/2 εᵀ K ε                    section forces and moments, in the frame of the section
//
// Velocities are linear along an element, so that its mass matrix is constant and energy, momentum
// and angular momentum of the semi-discrete beam are conserved to rounding.

#include <memory>
#include <span>

#include "picus/elements/planar_beam_helix.h"

namespace picus {

/// What the elements of a beam are made of; N strains.
template <int N>
struct BeamSectionOf {
  using Strain = SmallVector<double, N>;
  using Square = SmallMatrix<double, N, N>;

  Square stiffness = Square::Zero();       ///< K
  Square damping = Square::Zero();         ///< C
  double slack = 1.0;                      ///< of the axial stiffness where it is too short
  double line_mass = 0.0;                  ///< ρ A [kg/m]
  Matrix3 line_inertia = Matrix3::Zero();  ///< ρ I about the axes of the section [kg m]

  bool is_damped() const { return damping.trace() > 0.0; }  // it has no negative eigenvalue
  /// K at a strain.
  Square stiffness_at(const Strain& strain) const {
    Square K = stiffness;
    if (strain(0) < 0.0) K(0, 0) *= slack;
    return K;
  }
  Strain elastic_stress(const Strain& strain) const {
    Strain stress = stiffness * strain;
    if (strain(0) < 0.0) stress(0) -= (1.0 - slack) * stiffness(0, 0) * strain(0);
    return stress;
  }
};
using BeamSection = BeamSectionOf<6>;
using PlanarBeamSection = BeamSectionOf<3>;

/// The same section with the strains that stay in the plane.
PlanarBeamSection in_plane(const BeamSection& section);

/// How the sections at the ends of an element are turned against its nodes: at corners. In the
/// plane velocities do not see it.
struct EndTurns {
  Matrix3 a = Matrix3::Identity(), b = Matrix3::Identity();
};

/// An element as element.h wants it.
template <class Helix>
struct BeamElementOf {
  static constexpr int kNodes = 2, kStrains = Helix::kStrains;
  static constexpr bool kIsSpatial = kStrains == 6;
  static constexpr int kNodeVelocities = kIsSpatial ? 6 : 3;
  static constexpr bool kIsLinear = false;
  using Node = Pose<double>;
  using Form = Helix;
  using Column = typename Helix::Velocity;
  using Square = typename Helix::Square;
  using Strain = typename Helix::Strain;
  using Rates = typename Helix::Rates;
  using Section = BeamSectionOf<kStrains>;

  double length = 0.0;                     ///< before it is strained
  Strain initial_strain = Strain::Zero();  ///< d/L, unstrained
  std::shared_ptr<const Section> section = {};
  std::shared_ptr<const EndTurns> turns = {};  ///< null where sections stand as their nodes do

  Form form(const Node& a, const Node& b) const;
  double energy(const Form& form) const;
  Column force(const Form& form, const Column& velocity) const;
  Square stiffness(const Form& form, const Column& velocity) const;
  Square damping(const Form& form, const Column& velocity) const;
  std::span<const int> damped() const;
  Square mass() const;
  double kinetic_energy(const Column& velocity) const;
  double mass_of_node(int) const { return 0.5 * section->line_mass * length; }

  Strain strain(const Form& form) const { return form.displacement() / length - initial_strain; }
  Strain stress(const Form& form, const Column& velocity) const;
  Strain elastic_stress(const Form& form) const { return section->elastic_stress(strain(form)); }
  /// The rate of the strain times the length.
  Strain rate(const Form& form, const Column& velocity) const;
  Rates rates(const Form& form) const;
  Rates rate_tangent(const Form& form, const Column& velocity) const;
  /// Of stresses that do not change.
  Column force_of(const Form& form, const Strain& stress) const;
  Square stiffness_of(const Form& form, const Strain& stress) const;

 private:
  Column of_sections(const Column& velocity) const;
  template <class Numbers>
  void turn_rows(Numbers& of_sections) const;
  template <class Numbers>
  void turn_columns(Numbers& of_sections) const;
};

using BeamElement = BeamElementOf<BeamHelix>;
using PlanarBeamElement = BeamElementOf<PlanarBeamHelix>;

extern template struct BeamElementOf<BeamHelix>;
extern template struct BeamElementOf<PlanarBeamHelix>;

}  // namespace picus
