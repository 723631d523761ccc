// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "picus/math/block_matrix.h"
#include "picus/steppers/common/control_rounding.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// M + t D + t² K: what a motion costs that stiff parts have to follow for a time t.
struct StiffMetric {
  const SparseMatrix* stiffness = nullptr;  ///< K; none: M alone
  const SparseMatrix* damping = nullptr;    ///< D
  double time = 0.0;                        ///< t [s]

  explicit operator bool() const { return stiffness != nullptr; }
};

/// The equations of motion with joints at acceleration level, acary (71) with the curvature of the
/// constraints, which the paper leaves out:
///
///     M v̇ = F(t,q,v,λ,ψ,x),  g̈ = G v̇ + … = 0,  k̇ = k_v v̇ + … = 0,  d = 0
///
/// solved for v̇, λ, ψ, the rates of states and the variables where t, q, v and the states are
/// given. A matrix in which nothing has changed is not factorised again.
class IndexOne {
 public:
  /// Allocates only when the sizes have changed.
  void start(const System& system);

  /// What was factorised before serves no more as it is.
  void begin_step() { is_evaluated_ = false; }

  /// Completes `s`; what it holds is the guess. False leaves the reason in the report.
  bool solve(const System& system, State& s, StepReport& report);

  /// Moves s.position = base ⊕ increment onto g = 0 and s.velocity onto ġ = 0, k = 0, by the
  /// smallest changes that do not slip, in the sense of kinetic energy or of the metric. Without
  /// one it uses the matrix of the last solve() as long as it serves; false leaves the reason in
  /// the report.
  bool project(const System& system, const Vector& base, Vector& increment, State& s,
               StepReport& report, const StiffMetric& metric = {});

 private:
  enum Block { kMotion, kReaction, kRolling, kControls };

  void residual(const System& system, const State& s);
  void evaluate(const System& system, const State& s);
  void split_controls();
  bool has_changed();
  bool factorize(const System& system, const State& s, StepReport& report);
  void add_reactions(BlockMatrix& matrix) const;
  /// The matrix of the projection, if that has a metric.
  bool factorize(const System& system, const State& s, const StiffMetric& metric,
                 StepReport& report);
  void apply(State& s) const;
  double relative_change(const State& s, const ControlTerms& terms = {}) const;
  /// Whether the last change is rounding of terms that cancel.
  bool is_rounding(const System& system, const State& s);
  bool is_rounding_of_reactions(const State& s);
  bool is_rounding_of_variables(const System& system, const State& s);

  /// Violations at one level; x_ becomes the right-hand side.
  double violation(const System& system, const State& s, bool of_velocities);
  bool correct(const System& system, const Vector& base, Vector& increment, State& s,
               bool velocities, const StiffMetric& metric, StepReport& report);
  double steepest() const;

  bool fail(StepReport& report, StepReport::Status status) const;
  void blame(StepReport& report, int row) const;
  auto part(int block) { return x_.segment(matrix_.offset(block), matrix_.block_size(block)); }
  auto part(int block) const {
    return x_.segment(matrix_.offset(block), matrix_.block_size(block));
  }

  SystemSizes sizes_;
  bool is_solved_at_once_ = true;  ///< the equations are linear in what is solved for
  bool is_mechanical_ = true;      ///< F = f + Gᵀλ + k_vᵀψ
  bool is_linear_ = false;
  double force_scale_ = 0.0;   ///< largest force in the last residual
  bool has_matrix_ = false;    ///< one is factorised
  bool is_of_system_ = false;  ///< its pieces are of the system that was started with …
  bool is_evaluated_ = false;  ///< … and of the step under way
  BlockMatrix matrix_, projection_;
  SparseMatrix M_, G_, k_v_, F_lambda_, F_psi_, control_columns_, force_variables_, identity_;
  ControlTangent control_;
  ControlRounding control_rounding_;
  std::vector<double> values_;           ///< entries of the pieces that were factorised
  std::array<unsigned, 9> revisions_{};  ///< of their patterns
  Vector none_, F_, g_, k_, d_, x_, step_, rate_, terms_;
};

}  // namespace picus
