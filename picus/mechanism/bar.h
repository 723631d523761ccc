// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/mechanism/flexible_part.h"

namespace picus {

/// What an assembled bar is made of: equal elements of linear displacement in a row.
struct BarData {
  int elements = 0;
  double length = 0.0, area = 0.0, modulus = 0.0;
  double element_mass = 0.0;  ///< ρ A l
  double stiffness = 0.0;     ///< of an element, E A / l
  double damping = 0.0;       ///< the same of the rate of its stretch, τ E A / l
  bool has_consistent_mass = true;
  double gravity = 0.0;  ///< along the axis
};

/// A bar: its nodes have one coordinate each, the displacement along the axis, and these follow
/// each other. Mass, stiffness and damping are constant and tridiagonal.
class AssembledBar final : public FlexiblePart {
 public:
  /// The coordinates of the nodes follow `first`.
  AssembledBar(std::string name, std::vector<int> nodes, const Coordinate& first,
               const BarData& data);

  /// Axial force of element e = 0, 1, …; positive when it pulls.
  double force(int e, const State& s) const;

  double extent() const override { return data_.length; }
  double kinetic_energy(const State& s) const override;
  double elastic_energy(const State& s) const override;
  double mass_of_node(std::size_t node) const override;
  std::vector<PartQuantity> quantities() const override;
  PartRestraint restraint() const override;
  PartLine line() const override;

  bool is_linear() const override { return true; }
  void mass(const State& s, SparseMatrix& M) const override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;

 private:
  /// The sum over the elements of [end off; off end], one entry after the other.
  void add_tridiagonal(double end, double off, SparseMatrix& A) const;

  BarData data_;
  int first_position_ = 0, first_velocity_ = 0;
};

}  // namespace picus
