// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/dynamics/system.h"
#include "picus/math/block_matrix.h"

namespace picus {

/// Moves positions onto the joints and out of penetrating contacts: g_joints = 0 and
/// 0 ≤ g_contacts ⊥ τ ≥ 0.
class PositionProjection {
 public:
  /// By the smallest change in the sense of kinetic energy, q ⊕ δ with M δ = Gᵀ τ and G at the
  /// result. Looks at the contacts listed. False when the iteration does not converge.
  bool project(const System& system, std::span<const int> contacts, State& state);

  /// Along given directions, acary (19b), (19e): state.position = base ⊕ (increment + shift) with
  /// shift = Dᵀ τ, one row of D per constraint. Looks at all contacts.
  bool shift_along(const System& system, const SparseMatrix& directions, const Chart& chart,
                   State& state, Vector& shift);

 private:
  /// Keeps what must be closed: all joints, contacts that penetrate, and closed ones that press.
  void choose(const System& system, std::span<const int> contacts, bool is_first);
  bool is_closed(const State& state) const;
  /// step_ with metric · step_ = Dᵀ Δτ and G step_ = -g, on the rows chosen.
  bool find_step(const SparseMatrix& metric, const SparseMatrix& directions);
  void keep_rows(const SparseMatrix& all, SparseMatrix& kept) const;

  std::vector<int> rows_;   ///< equations in force
  std::vector<int> place_;  ///< equation → number among them, or -1
  std::vector<int> all_contacts_;
  BlockMatrix matrix_;
  SparseMatrix M_, G_, kept_rows_, kept_directions_;
  Vector g_, x_, tau_, moved_, step_;
};

}  // namespace picus
