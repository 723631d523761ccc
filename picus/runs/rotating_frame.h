// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The equations of a mechanism as a frame sees them that turns at a constant angular velocity.

#include <array>
#include <vector>

#include "picus/dynamics/system.h"
#include "picus/mechanism/bodies.h"

namespace picus {

/// The frame turns with ω about the origin. With the velocities u relative to it,
///
///   v = u + v_s(q),   v̇ = u̇ + C u + a_s(q)
///
///   place x in space                     v_s = ω × x    a_s = ω × (ω × x)   C u = 2 ω × u
///   angular velocity in the body's axes  v_s = Aᵀω      a_s = 0             C u = (Aᵀω) × u
///
/// What rests in it turns steadily, and small motions about that have constant coefficients:
/// M u̇ + (D + M C) u + (K + D ∂v_s/∂q + M ∂a_s/∂q) δq = 0. For equilibria and modes: tangents are
/// those at rest, u = 0, and steppers integrate in space. The full system and the bodies must
/// outlive it.
class RotatingFrame final : public System {
 public:
  /// Throws InputError when there are coordinates that do not turn with the frame.
  RotatingFrame(const System& full, const Bodies& bodies, const Vector3& spin);

  /// The state in space of one that is seen from the frame.
  void to_space(const State& s, State& space) const;
  /// Throws InputError unless joints, drives and forces turn with the frame; s is one of it.
  void check(const State& s) const;

  SystemSizes sizes() const override { return full_.sizes(); }
  bool is_flat() const override { return full_.is_flat(); }
  bool has_linear_reactions() const override { return full_.has_linear_reactions(); }
  std::string name_of(Equation kind, int index) const override {
    return full_.name_of(kind, index);
  }
  Unit unit_of(int index) const override { return full_.unit_of(index); }
  double extent(const State& s) const override { return full_.extent(s); }

  void retract(const Vector& q, const Vector& dq, Vector& result) const override {
    full_.retract(q, dq, result);
  }
  void difference(const Vector& from, const Vector& to, Vector& dq) const override {
    full_.difference(from, to, dq);
  }
  void mass_matrix(const State& s, SparseMatrix& M) const override { full_.mass_matrix(s, M); }
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void constraint(const State& s, Vector& g) const override { full_.constraint(s, g); }
  void constraint_velocity(const State& s, Vector& rate) const override;
  void constraint_acceleration(const State& s, Vector& acceleration) const override;
  void constraint_jacobian(const State& s, SparseMatrix& G) const override {
    full_.constraint_jacobian(s, G);
  }
  void constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const override {
    full_.constraint_tangent(s, chart, G);
  }
  void constraint_acceleration_tangent(const State& s, const Chart& chart,
                                       SparseMatrix& along_position,
                                       SparseMatrix& along_velocity) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                          SparseMatrix& along_nonholonomic) const override;
  void control(const State& s, Vector& d) const override;
  void control_tangent(const State& s, const Chart& chart, ControlTangent& tangent) const override;

 private:
  /// The rows of ∂v_s/∂q, ∂a_s/∂q and C that belong to a velocity; they have three entries.
  struct Row {
    std::array<int, 3> columns{-1, -1, -1};
    Vector3 turn = Vector3::Zero(), pull = Vector3::Zero(), coriolis = Vector3::Zero();
  };

  void find_rows(const Vector& q) const;
  void find_steady(const Vector& q, Vector& v, Vector& a) const;
  /// to = plain + B rows, for the rows of one kind; twice.
  void combine(const SparseMatrix& plain, const SparseMatrix& B, Vector3 Row::*of_B,
               const SparseMatrix& also, Vector3 Row::*of_also, SparseMatrix& to) const;

  const System& full_;
  const Bodies& bodies_;
  Vector3 spin_;
  mutable std::vector<Row> rows_;
  mutable State space_;
  mutable Vector scratch_v_, scratch_a_;
  mutable SparseMatrix M_, K_, D_, none_;
  mutable ControlTangent control_;
};

}  // namespace picus
