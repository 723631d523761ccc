// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/selected_constraints.h"
#include "picus/math/row_combination.h"

namespace picus {

/// The same system without some of its constraint equations, which follow from the others.
///
/// Integrators then meet a regular problem; the motion is the same. The reactions of the full set
/// are not unique: restore() gives the shortest ones.
///
/// Which equations stay is a choice, and a good one may become a bad one as the mechanism moves:
/// the kept ones lose their rank although all together do not. With unit rows j_d = Σ c_k j_k for
/// the ones left out, exchanging row k for row d makes the volume of the kept rows |c_k| times as
/// large (Gu and Eisenstat's criterion for the rank of a matrix), so that the largest |c| tells how
/// bad the choice is. restore() finds the c in any case.
class IndependentConstraints final : public SelectedConstraints {
 public:
  /// `kept` and `kept_nonholonomic` list the equations that stay, ascending.
  IndependentConstraints(const System& full, std::vector<int> kept,
                         std::vector<int> kept_nonholonomic);
  /// The same for a system whose contacts may change; all of them stay.
  IndependentConstraints(System& full, std::vector<int> kept, std::vector<int> kept_nonholonomic);

  /// Gives the equations that were left out the reactions they have in this state of the full
  /// system; without it they have none.
  void hold(const State& full_state);
  /// The state of the full system, with the reactions of least norm.
  void restore(const State& reduced, State& full_state) const;
  /// The inverse: a state of this system with the same total reaction.
  void gather(const State& full_state, State& reduced) const;

  /// Where restore() has looked last: whether other equations should be kept.
  bool is_poor_choice() const;
  /// The largest part of an equation left out that does not follow from the kept ones, 0 to 1.
  double independent_part() const { return independent_part_; }
  /// Keeps better ones at a state of the full system. False when there are none. Otherwise states
  /// of this system fit again after gather().
  bool choose_again(const State& full_state);

  ContactLaw contact_law(int contact) const override;
  bool finds_contacts() const override { return finder_ != nullptr && finder_->finds_contacts(); }
  bool find_contacts(const State& s, double duration, ContactChange& change) override;
  void friction_limits(const State& s, Vector& limits) const override;
  bool limits_read_reactions() const override { return full_.limits_read_reactions(); }
  std::vector<int> reaction_limits() const override;
  void friction_limit_tangent(const State& s, SparseMatrix& along_multiplier) const override;

  /// A friction element whose limit reads reactions that are not unique, because equations were
  /// left out, or -1: the limits of reactions without effect would not be zero.
  int undetermined_limit(const State& full_state) const;

 private:
  void add_reactions(State& full_state) const override;
  void number_rows();
  /// Columns that span the reactions of joints and rolling without effect, one per equation left
  /// out, and how good the choice is.
  const Matrix& dependencies(const State& full_state) const;
  /// Of the joints, then of rolling: its place among the kept ones, or -1.
  int place_of(int row) const;
  /// The exchanges for the row left out as number `d`, whose gradient is this long.
  void judge(int d, double length) const;

  System* finder_ = nullptr;        ///< the full system, when it may be changed
  std::vector<int> kept_elements_;  ///< friction elements that stay
  Vector held_, held_nonholonomic_;
  mutable SparseMatrix directions_;
  mutable RowCombination combination_;
  mutable Matrix dependencies_;
  mutable Vector lengths_;  ///< of the gradients of the kept ones
  mutable std::vector<int> dropped_, row_of_;
  /// The best exchange: a row left out, a kept one, and by how much the volume grows.
  struct Exchange {
    int in = -1, out = -1;
    double gain = 0.0;
  };
  mutable Exchange best_;
  mutable double independent_part_ = 0.0;
};

}  // namespace picus
