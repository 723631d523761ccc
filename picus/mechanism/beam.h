// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "picus/elements/beam_element.h"
#include "picus/mechanism/flexible_part.h"

namespace picus {

/// What an assembled beam is made of.
struct BeamData {
  std::vector<BeamElement> elements = {};
  double line_mass = 0.0;                  ///< ρ A [kg/m]
  Matrix3 line_inertia = Matrix3::Zero();  ///< ρ I about the axes of the section [kg m]
  Vector3 gravity = Vector3::Zero();
  std::vector<Vector3> outline = {};  ///< of the section, in its axes, for stresses and pictures
  double area = 0.0, modulus = 0.0;
};

/// A geometrically exact beam: elements (elements/beam_element.h) between nodes that are rigid
/// sections. Velocities are linear along an element, so that its mass matrix is constant and
/// energy, momentum and angular momentum of the semi-discrete beam are conserved to rounding.
class AssembledBeam final : public FlexiblePart {
 public:
  AssembledBeam(std::string name, std::vector<int> nodes, const Bodies& bodies, BeamData data);

  /// Forces and moments in the section of element e, in its axes: axial, shears, torsion, bendings.
  Vector6 stress(std::size_t e, const State& s) const;
  /// Axial strain, shears, twist and curvatures.
  Vector6 strain(std::size_t e, const State& s) const;

  double extent() const override { return length_; }
  double kinetic_energy(const State& s) const override;
  double elastic_energy(const State& s) const override;
  double mass_of_node(std::size_t node) const override { return node_mass_[node]; }
  std::vector<PartQuantity> quantities() const override;
  PartLine line() const override;

  void mass(const State& s, SparseMatrix& M) const override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void foresee_stress(const State& s, const Vector& along, Vector& stress) const override;
  void add_stress_tangent(const State& s, const Vector& stress, SparseMatrix& K) const override;

 private:
  std::size_t size() const { return data_.elements.size(); }
  Row<double> velocity_of(std::size_t e, const State& s) const;
  BeamHelix helix_of(std::size_t e, const State& s) const;
  std::array<int, 12> places_of(std::size_t e) const;
  void add_gyroscopic(const State& s, SparseMatrix& D) const;
  double outer_stress(std::size_t e, const State& s) const;
  PartQuantity of_elements(std::string quantity, std::string unit, std::string meaning) const;

  const Bodies& bodies_;
  BeamData data_;
  double length_ = 0.0;
  std::vector<double> node_mass_;
  bool is_spatial_ = false;
};

}  // namespace picus
