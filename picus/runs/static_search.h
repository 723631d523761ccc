// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search of an equilibrium, on a system with independent constraints.

#include <vector>

#include "picus/math/block_matrix.h"
#include "picus/runs/equilibrium.h"

namespace picus {

/// Two ways to a position at which forces balance. `load` is Newton's method with the stresses of
/// flexible parts as iterates, for all loads at once or, where that does not converge, in steps:
/// the forces out of balance at the start are taken away bit by bit. `relax` follows M q̇ = F.
class StaticSearch {
 public:
  StaticSearch(const System& system, const std::vector<const FlexiblePart*>& parts, State& s,
               const EquilibriumOptions& options);

  /// Whether a part has stresses that `load` may take as iterates.
  bool has_stresses() const;
  /// True when the forces balance; iterations() and the residuals tell the rest.
  bool load();
  bool relax();
  /// Evaluates the forces at a position that was set from outside.
  void look();

  int iterations() const { return iterations_; }
  int load_steps() const { return load_steps_; }
  double load_reached() const { return reached_; }
  const Vector& unbalanced() const { return F_; }
  const Vector& violation() const { return g_; }
  const Vector& unsettled() const { return d_; }
  double force_scale() const { return scale_; }
  bool is_closed() const;
  bool is_balanced() const;

 private:
  void evaluate();
  bool is_finite() const;
  double merit() const;
  double first_delta();
  double reach(int coordinate) const;
  bool factorize(double inverse_delta);
  double force_of_rounding() const;
  double curvature(const Vector& dq) const;
  bool step();
  bool solve();
  bool balance_load();
  double apply(const State& from);

  const System& system_;
  const std::vector<const FlexiblePart*>& parts_;
  State& s_;
  EquilibriumOptions options_;
  SystemSizes n_;
  double extent_ = 1.0, scale_ = 0.0, delta_ = 1.0, rounding_ = 0.0;
  int iterations_ = 0, load_steps_ = 0;
  double reached_ = 0.0;  ///< part of the loads that `load` has balanced
  Vector zero_, F_, g_, d_, x_;
  Vector withheld_;             ///< forces of the start that do not act yet
  std::vector<Vector> stress_;  ///< of each part, foreseen; none: those of the positions
  SparseMatrix M_, K_, D_, G_, F_lambda_, F_psi_, k_q_, k_v_, K_stress_;
  ControlTangent control_;
  BlockMatrix matrix_;
};

}  // namespace picus
