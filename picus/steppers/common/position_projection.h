// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/dynamics/system.h"
#include "picus/math/block_matrix.h"

namespace picus {

/// Moves positions onto the joints and out of penetrating contacts, by the smallest change in the
/// sense of kinetic energy: q ⊕ δ with M δ = Gᵀ τ, g_joints = 0 and 0 ≤ g_contacts ⊥ τ ≥ 0.
class PositionProjection {
 public:
  /// Looks at the contacts listed. False when the iteration does not converge.
  bool project(const System& system, std::span<const int> contacts, State& state);

 private:
  bool step(const System& system, State& state);
  /// Keeps what must be closed: all joints, contacts that penetrate, and closed ones that press.
  void choose(const System& system, std::span<const int> contacts, bool is_first);

  std::vector<int> rows_;   ///< equations in force
  std::vector<int> place_;  ///< equation → number among them, or -1
  BlockMatrix matrix_;
  SparseMatrix M_, G_, kept_;
  Vector g_, x_, tau_, moved_, step_;
};

}  // namespace picus
