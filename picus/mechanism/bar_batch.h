// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/math/types.h"

namespace picus {

/// A bar as it was assembled: equal elements of linear displacement in a row, between nodes whose
/// coordinates are displacements along the axis and follow each other.
struct AssembledBar {
  std::string name = {};
  int first_body = 0;  ///< of the nodes, elements + 1 of them
  int first_position = 0, first_velocity = 0;
  int elements = 0;
  double element_mass = 0.0;  ///< ρ A l
  double stiffness = 0.0;     ///< of an element, E A / l
  double damping = 0.0;       ///< the same of the rate of its stretch, τ E A / l
  bool has_consistent_mass = true;
  double gravity = 0.0;  ///< along the axis

  /// Axial force of element e = 0, 1, …; positive when it pulls.
  double force(int e, const State& s) const;
  double kinetic_energy(const State& s) const;
  double elastic_energy(const State& s) const;
  double mass_of_node(int node) const {
    return (node == 0 || node == elements ? 0.5 : 1.0) * element_mass;
  }
};

/// Inertia and forces of all bars. Mass, stiffness and damping are constant and tridiagonal.
class BarBatch final : public Batch {
 public:
  explicit BarBatch(const std::vector<AssembledBar>& bars) : bars_(bars) {}

  bool is_linear() const override { return true; }
  void mass(const State& s, SparseMatrix& M) const override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;

 private:
  const std::vector<AssembledBar>& bars_;
};

}  // namespace picus
