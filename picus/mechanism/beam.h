// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "picus/elements/beam_element.h"
#include "picus/mechanism/element_batch.h"
#include "picus/mechanism/modal_damping.h"
#include "picus/model/flexible/beam.h"

namespace picus {

/// What an assembled beam is made of.
struct BeamData {
  BeamSection section = {};
  std::vector<BeamElement> elements = {};  ///< without their sections
  Vector3 gravity = Vector3::Zero();
  std::vector<Vector3> outline = {};  ///< of the section, in its axes, for stresses and pictures
  double area = 0.0, modulus = 0.0;
};

/// A geometrically exact beam: elements in a row between nodes that are rigid sections.
template <class Element>
class AssembledBeam final : public ElementBatch<Element> {
 public:
  AssembledBeam(std::string name, std::vector<int> nodes, const Bodies& bodies,
                const BeamData& data);

  /// Damps the lowest modes about a state, which must be without strain, by these ratios.
  void damp_modes(const State& unstrained, const std::vector<double>& ratios, HeldEnds held);

  double extent() const override { return length_; }
  std::vector<PartQuantity> quantities() const override;
  PartLine line() const override;

  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Batch::Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;

 private:
  using Base = ElementBatch<Element>;
  using Form = typename Element::Form;
  using Strain = typename Element::Strain;
  static constexpr int kStrains = Element::kStrains, kEach = Element::kNodeVelocities;

  /// Stresses of the damped modes at the present strain rates, of all elements.
  void find_modal_stress(const State& s, Eigen::Map<Vector>& stress) const;
  void add_modal_tangent(const State& s, const Chart& c, SparseMatrix& K, SparseMatrix& D) const;

  /// Of all elements: forces and moments in the section, in its axes (axial, shears, torsion,
  /// bendings), and strains in the same order.
  void stresses(const State& s, std::vector<Vector6>& to) const;
  void strains(const State& s, std::vector<Vector6>& to) const;
  double outer_stress(const Vector6& strain) const;
  PartQuantity of_elements(std::string quantity, std::string unit, std::string meaning) const;

  double length_ = 0.0, area_ = 0.0, modulus_ = 0.0;
  std::vector<Vector3> outline_;
  ModalDamping modal_;
};

extern template class AssembledBeam<BeamElement>;
extern template class AssembledBeam<PlanarBeamElement>;

/// A beam between nodes that are all in space or all in the plane; its modes are those about
/// `unstrained`.
std::unique_ptr<FlexiblePart> make_beam(std::string name, std::vector<int> nodes,
                                        const Bodies& bodies, const BeamData& data,
                                        const std::optional<ModalDampingPart>& damped,
                                        const State& unstrained);

}  // namespace picus
