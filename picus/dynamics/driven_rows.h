// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/contact_phase.h"
#include "picus/math/row_combination.h"

namespace picus {

/// Gaps and slips that the equations of a phase determine, so that no reaction of their own can: a
/// motion drags a point over the ground, a hoist lifts what stands, a fourth leg follows from
/// three.
///
/// With the gradient of such a row j = Σ c_i j_i its rate is r = k - Σ c_i k_i, where k and k_i are
/// the rates of the row and of the equations of the phase at any velocity near the motion: what
/// methods leave of k_i cancels. As long as r is zero, the row agrees with the others.
class DrivenRows {
 public:
  /// Finds them at a full state, among closed gaps and slips that the phase leaves out and slips of
  /// laws that slide.
  void find(const ContactPhase& phase, const State& full_state);
  bool any() const { return !rows_.empty(); }

  /// Rates, and theirs, at a full state. False when the equations of the phase are dependent there.
  bool evaluate(const State& full_state);

  bool has_gap(int law) const { return find_law(law, true) != nullptr; }
  bool has_slip(int law) const { return find_law(law, false) != nullptr; }
  double gap_rate(int law) const { return find_law(law, true)->rate; }
  double gap_acceleration(int law) const { return find_law(law, true)->acceleration; }
  /// Zero in directions that are not driven.
  Vector2 slip(int law) const;
  Vector2 slip_rate(int law) const;

 private:
  struct Driven {
    int law;
    int direction;  ///< 0 for the gap, 1 and 2 for slips
    int row;        ///< of the constraints or nonholonomic equations of the full system
    double rate = 0.0, acceleration = 0.0;
  };
  void list_candidates();
  bool combine(const State& full_state);
  const Driven* find_law(int law, bool gap) const;
  void gather_gradient(const Driven& driven);

  const ContactPhase* phase_ = nullptr;
  std::vector<Driven> rows_;
  SparseMatrix G_, k_v_, directions_;
  RowCombination combination_;
  Vector gradient_, gap_rate_, gap_acceleration_, slip_, slip_rate_;
};

}  // namespace picus
