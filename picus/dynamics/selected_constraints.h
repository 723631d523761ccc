// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/system.h"

namespace picus {

/// The rows 0 … count − 1.
std::vector<int> first_rows(int count);

/// A system with only some of the constraint equations of another. What the reactions of the others
/// are, derived classes say. Holds scratch memory, so one simulation uses it at a time; the full
/// system must outlive it.
class SelectedConstraints : public System {
 public:
  const System& full() const { return full_; }

  /// A state of this system from one of the full system.
  void reduce(const State& full_state, State& reduced) const;
  /// The state of the full system.
  void expand(const State& reduced, State& full_state) const;

  SystemSizes sizes() const override { return sizes_; }
  bool is_flat() const override { return full_.is_flat(); }
  bool has_linear_reactions() const override { return full_.has_linear_reactions(); }
  bool is_linear() const override { return full_.is_linear(); }
  bool has_constant_mass() const override { return full_.has_constant_mass(); }
  std::string name_of(Equation kind, int index) const override;

  Unit unit_of(int index) const override { return full_.unit_of(index); }
  double extent(const State& s) const override;
  int switches() const override { return full_.switches(); }
  void switch_values(const State& s, Vector& values) const override;
  std::string name_of_switch(int index) const override { return full_.name_of_switch(index); }

  bool has_forcing() const override { return full_.has_forcing(); }
  double forcing_time(const State& s) const override;
  bool has_passages() const override { return full_.has_passages(); }
  double passing_time(const State& s, double part) const override;

  void retract(const Vector& q, const Vector& dq, Vector& result) const override;
  void difference(const Vector& from, const Vector& to, Vector& dq) const override;
  void increment_rate(const Chart& chart, const Vector& v, Vector& rate) const override;
  void increment_rate_tangent(const Chart& chart, const Vector& v, SparseMatrix& along_increment,
                              SparseMatrix& along_velocity) const override;
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

 protected:
  explicit SelectedConstraints(const System& full) : full_(full) {}

  /// Selects the equations that stay, ascending; joints and contacts are counted as they are.
  void select(std::vector<int> kept, std::vector<int> kept_nonholonomic);
  /// Puts the reactions of the equations left out into a state that has all others.
  virtual void add_reactions(State& full_state) const = 0;
  const State& expanded(const State& s) const;

  const System& full_;
  SystemSizes sizes_;
  std::vector<int> kept_, kept_nonholonomic_;
  std::vector<int> place_, place_nonholonomic_;  ///< full row → reduced row, or -1
  mutable Vector scratch_vector_;
  mutable SparseMatrix scratch_a_, scratch_b_;

 private:
  mutable State scratch_;
  mutable ControlTangent scratch_control_;
};

}  // namespace picus
