// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Generalized-α with constraints at position, velocity and acceleration level at once,
// bruls-acary-cardona (65) with (65j) corrected:
//
//   M v̇ - Gᵀ λ - k_vᵀ ψ = f        G v̇ + … = 0,  k̇ = 0           smooth motion
//   M U - Gᵀ ν = 0                  g(q_{n+1}) = 0                 correction of the positions
//         - h/2 k_vᵀ Ψ                                             by slips of contacts alone
//   M W - Gᵀ Λ - k_vᵀ Ψ = 0         G v_{n+1} + g_t = 0,  k = 0    correction of the velocities
//
// Unknowns are scaled to accelerations and forces: U = dq Û, ν = dq ν̂, W = dv Ŵ, Λ = dv Λ̂, Ψ = dv
// Ψ̂, with dq and dv the derivatives of positions and velocities by the accelerations.
//
// Positions know nothing of W, and nothing holds them along a contact. So friction impulses move
// them as a constant force would that acts during the step; otherwise a block that sticks by
// impulses alone would creep.
//
// Derived methods may replace equations of single constraints, those of contacts that are open.

#include "picus/steppers/common/auxiliary_alpha.h"

namespace picus {

/// The base of stabilized_index1, where all constraints hold, and of NonsmoothAlpha. A derived
/// class gives the rows of a level that hold by in_force() and replaces the others: their residuals
/// in replace_residuals(), their rows of the matrix in add_replaced_rows().
class ThreeLevels : public AuxiliaryAlpha {
 public:
  using AuxiliaryAlpha::AuxiliaryAlpha;

 protected:
  enum Part {
    kMotion,         // v̇
    kReaction,       // λ
    kRolling,        // ψ
    kCorrection,     // Û
    kPositionLevel,  // ν̂
    kJump,           // Ŵ
    kVelocityLevel,  // Λ̂
    kRollingLevel    // Ψ̂
  };

  std::vector<Block> blocks() const override;
  void guess(const State& state, Vector& x) const override;
  void move(const Vector& x) override;
  void equations(const Vector& x, Vector& r) override;
  void assemble(const Vector& x) override;

  /// The equation of the smooth motion: G v̇ + … by default.
  virtual void smooth_constraint(const Vector& x, Vector& r);
  virtual void add_smooth_rows();

  /// Called at the end of equations(): replaces the residuals of constraints that do not hold.
  virtual void replace_residuals(const Vector& /*x*/, Vector& /*r*/) {}
  /// The rows of a derivative that are in force at a level; all of them by default.
  virtual const SparseMatrix& in_force(Part /*level*/, const SparseMatrix& rows) { return rows; }
  /// Whether friction impulses move positions in this step.
  virtual bool slips_move_positions() const { return true; }
  /// Called at the end of assemble(): adds the rows that take the place of others.
  virtual void add_replaced_rows() {}

  /// Adds the derivatives of a row by everything that moves q and v: by v̇, Û and Ŵ.
  void add_through_motion(int row, double factor, const SparseMatrix* along_position,
                          const SparseMatrix* along_velocity);

 private:
  /// M u - Gᵀ ν - k_vᵀ p; without p when it is null.
  void correction_residual(const Vector& x, Vector& r, Part motion, Part level, const Vector* p);
  void add_correction_row(const Vector& x, Part motion, Part level, const Vector* p,
                          SparseMatrix& along_position, SparseMatrix& along_velocity);
  /// What Ψ̂ contributes to the equation of Û: the slips alone.
  void sum_slip_impulses(const Vector& x);
  double slip_share() const { return slips_move_positions() ? 0.5 * h_ * dv_ / dq_ : 0.0; }

  SparseMatrix U_q_, U_v_, W_q_, W_v_, slip_rows_;
  Vector slip_impulses_, rolling_impulses_;
  State point_;
  Vector u_, nu_;
};

}  // namespace picus
