// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "picus/elements/planar_beam_element.h"
#include "picus/mechanism/flexible_part.h"
#include "picus/mechanism/modal_damping.h"
#include "picus/model/flexible/beam.h"

namespace picus {

/// How the sections at the ends of an element are turned against its nodes: at corners.
struct EndTurns {
  Matrix3 a = Matrix3::Identity(), b = Matrix3::Identity();
};

/// What an assembled beam is made of.
struct BeamData {
  std::vector<BeamElement> elements = {};
  std::vector<EndTurns> turns = {};        ///< of the elements; empty for a line without corners
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

  /// Damps the lowest modes about a state, which must be without strain, by these ratios.
  void damp_modes(const State& unstrained, const std::vector<double>& ratios, HeldEnds held);

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
  template <class Helix>
  using PlacesOf = std::array<int, static_cast<std::size_t>(Helix::kColumns)>;

  std::size_t size() const { return data_.elements.size(); }
  /// Calls visit with each element's number and helix.
  template <class Helix, class Visit>
  void for_each_helix(const State& s, Visit&& visit) const;
  template <class Helix>
  const typename Helix::Element& element(std::size_t e) const;
  /// Entries of a vector of all velocities, of the sections at the ends of an element.
  template <class Helix>
  typename Helix::Velocity velocity_of(std::size_t e, const Vector& v) const;
  template <class Helix>
  PlacesOf<Helix> places_of(std::size_t e) const;
  /// From velocities of sections to those of nodes: rows of a force, columns of a tangent.
  template <class Column>
  void turn_rows(std::size_t e, Column& of_sections) const;
  template <class Block>
  void turn_columns(std::size_t e, Block& of_sections) const;
  template <class Block>
  void to_chart(const Chart& c, const std::array<int, 12>& places, Block& along) const;

  template <class Helix>
  void add_force(const State& s, Vector& F) const;
  template <class Helix>
  void add_tangent(const State& s, const Chart& c, SparseMatrix& K, SparseMatrix& D) const;
  template <class Helix>
  void foresee(const State& s, const Vector& along, Vector& stress) const;
  template <class Helix>
  void add_geometric(const State& s, const Vector& stress, SparseMatrix& K) const;
  /// Stresses of the damped modes at the present strain rates.
  template <class Helix>
  void load_modal(const State& s) const;
  template <class Helix>
  typename Helix::Strain modal_stress(std::size_t e) const;
  template <class Helix>
  void add_modal_tangent(const State& s, const Chart& c, SparseMatrix& K, SparseMatrix& D) const;
  template <class Helix>
  void damp_modes_of(const State& unstrained, const std::vector<double>& ratios, HeldEnds held);

  Hessian section_mass(std::size_t e) const;
  void add_plain_mass(std::size_t e, SparseMatrix& M) const;
  void subtract_gyroscopic(std::size_t e, const Row<double>& v, Row<double>& f) const;
  void add_gyroscopic(const State& s, SparseMatrix& D) const;

  /// Of all elements: forces and moments in the section, in its axes (axial, shears, torsion,
  /// bendings), and strains in the same order.
  void stresses(const State& s, std::vector<Vector6>& to) const;
  void strains(const State& s, std::vector<Vector6>& to) const;
  double outer_stress(const Vector6& strain) const;
  PartQuantity of_elements(std::string quantity, std::string unit, std::string meaning) const;

  const Bodies& bodies_;
  BeamData data_;
  std::vector<PlanarBeamElement> planar_;
  double length_ = 0.0;
  std::vector<double> node_mass_;
  bool is_spatial_ = false;
  mutable ModalDamping modal_;  ///< holds its stress at the last state
  mutable Vector strain_rates_;
};

}  // namespace picus
