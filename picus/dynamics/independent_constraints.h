// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/selected_constraints.h"
#include "picus/math/block_matrix.h"

namespace picus {

/// The same system without some of its constraint equations, which follow from the others.
///
/// Integrators then meet a regular problem; the motion is the same. The reactions of the full set
/// are not unique: restore() gives the shortest ones.
class IndependentConstraints final : public SelectedConstraints {
 public:
  /// `kept` and `kept_nonholonomic` list the equations that stay, ascending.
  IndependentConstraints(const System& full, std::vector<int> kept,
                         std::vector<int> kept_nonholonomic);
  /// The same for a system whose contacts may be found anew; all of them stay.
  IndependentConstraints(System& full, std::vector<int> kept, std::vector<int> kept_nonholonomic);

  /// Gives the equations that were left out the reactions they have in this state of the full
  /// system; without it they have none.
  void hold(const State& full_state);
  /// The state of the full system, with the reactions of least norm.
  void restore(const State& reduced, State& full_state) const;

  ContactLaw contact_law(int contact) const override;
  bool finds_contacts() const override { return finder_ != nullptr && finder_->finds_contacts(); }
  bool find_contacts(const State& s, double duration, ContactChange& change) override;
  void friction_limits(const State& s, Vector& limits) const override;

 private:
  void add_reactions(State& full_state) const override;
  void number_rows();
  /// Columns that span the reactions without effect, one per equation left out.
  Matrix dependencies(const State& full_state) const;

  System* finder_ = nullptr;        ///< the full system, when it may be changed
  std::vector<int> kept_elements_;  ///< friction elements that stay
  Vector held_, held_nonholonomic_;
  mutable SparseMatrix directions_, identity_;
  mutable BlockMatrix dependency_;
};

}  // namespace picus
