// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/system.h"
#include "picus/math/block_matrix.h"

namespace picus {

/// The same system without some of its constraint equations, which follow from the others.
///
/// Integrators then meet a regular problem; the motion is the same. The reactions of the full set
/// are not unique: restore() gives the shortest ones. Holds scratch memory, so one simulation uses
/// it at a time; the full system must outlive it.
class IndependentConstraints final : public System {
 public:
  /// `kept` and `kept_nonholonomic` list the equations that stay, ascending.
  IndependentConstraints(const System& full, std::vector<int> kept,
                         std::vector<int> kept_nonholonomic);
  /// The same for a system whose contacts may be found anew; all of them stay.
  IndependentConstraints(System& full, std::vector<int> kept, std::vector<int> kept_nonholonomic);

  const System& full() const { return full_; }

  /// A state of this system from one of the full system.
  void reduce(const State& full_state, State& reduced) const;
  /// Gives the equations that were left out the reactions they have in this state of the full
  /// system; without it they have none.
  void hold(const State& full_state);
  /// The state of the full system; equations that were left out have the reactions held.
  void expand(const State& reduced, State& full_state) const;
  /// The state of the full system, with the reactions of least norm.
  void restore(const State& reduced, State& full_state) const;

  SystemSizes sizes() const override { return sizes_; }
  bool is_flat() const override { return full_.is_flat(); }
  bool has_linear_reactions() const override { return full_.has_linear_reactions(); }
  bool is_linear() const override { return full_.is_linear(); }
  std::string name_of(Equation kind, int index) const override;

  Unit unit_of(int index) const override { return full_.unit_of(index); }
  double extent(const State& s) const override;
  int switches() const override { return full_.switches(); }
  void switch_values(const State& s, Vector& values) const override;
  std::string name_of_switch(int index) const override { return full_.name_of_switch(index); }

  void retract(const Vector& q, const Vector& dq, Vector& result) const override;
  void difference(const Vector& from, const Vector& to, Vector& dq) const override;
  void mass_matrix(const State& s, SparseMatrix& M) const override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void correction_tangent(const State& s, const Chart& chart, SparseMatrix& along_position,
                          SparseMatrix& along_velocity) const override;
  void constraint(const State& s, Vector& g) const override;
  void constraint_velocity(const State& s, Vector& rate) const override;
  void constraint_acceleration(const State& s, Vector& acceleration) const override;
  void constraint_jacobian(const State& s, SparseMatrix& G) const override;
  void constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const override;
  void constraint_velocity_tangent(const State& s, const Chart& chart,
                                   SparseMatrix& along_position) const override;
  void constraint_acceleration_tangent(const State& s, const Chart& chart,
                                       SparseMatrix& along_position,
                                       SparseMatrix& along_velocity) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                          SparseMatrix& along_nonholonomic) const override;
  void nonholonomic(const State& s, Vector& k) const override;
  void nonholonomic_rate(const State& s, Vector& rate) const override;
  void nonholonomic_jacobian(const State& s, SparseMatrix& along_velocity) const override;
  void nonholonomic_tangent(const State& s, const Chart& chart, SparseMatrix& along_position,
                            SparseMatrix& along_velocity) const override;
  void nonholonomic_rate_tangent(const State& s, const Chart& chart, SparseMatrix& along_position,
                                 SparseMatrix& along_velocity) const override;
  void control(const State& s, Vector& d) const override;
  void control_tangent(const State& s, const Chart& chart, ControlTangent& tangent) const override;
  ContactLaw contact_law(int contact) const override;
  bool finds_contacts() const override { return finder_ != nullptr && finder_->finds_contacts(); }
  bool find_contacts(const State& s, double duration, ContactChange& change) override;
  void friction_limits(const State& s, Vector& limits) const override;

 private:
  void number_rows();
  const State& expanded(const State& s) const;
  /// Columns that span the reactions without effect, one per equation left out.
  Matrix dependencies(const State& full_state) const;

  const System& full_;
  System* finder_ = nullptr;  ///< the full system, when it may be changed
  std::vector<int> kept_, kept_nonholonomic_;
  std::vector<int> place_, place_nonholonomic_;  ///< full row → reduced row, or -1
  std::vector<int> kept_elements_;               ///< friction elements that stay
  SystemSizes sizes_;
  Vector held_, held_nonholonomic_;
  mutable State scratch_;
  mutable Vector scratch_vector_;
  mutable SparseMatrix scratch_a_, scratch_b_;
  mutable ControlTangent scratch_control_;
  mutable SparseMatrix directions_, identity_;
  mutable BlockMatrix dependency_;
};

}  // namespace picus
