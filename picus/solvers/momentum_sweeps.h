// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/gauss_seidel_sweep.h"

namespace picus {

/// Gauss–Seidel sweeps with momentum [Polyak1964]: each begins where the last one has led, and a
/// part β of the way it has gone further. What many contacts pass on to each other, and plain
/// sweeps creep after, settles 1/(1−β) times sooner. Where that does not get on β shrinks, and
/// at last smaller steps break the cycle.
class MomentumSweeps {
 public:
  explicit MomentumSweeps(double tolerance) : tolerance_(tolerance) {}

  /// Begins at p, whose residual is known.
  void start(const ContactProblem& problem, const Vector& p, double residual);
  /// Up to so many further sweeps; stops at the tolerance.
  void run(const ContactProblem& problem, int sweeps);
  /// See GaussSeidelSweep.
  bool prove_no_solution(const ContactProblem& problem) {
    return sweep_.proves_no_solution(problem, progress_.impulse());
  }
  /// Sweeps since the start.
  int sweeps() const { return sweeps_; }
  /// The best impulses so far, and their residual.
  const ContactProgress& progress() const { return progress_; }
  /// The latest impulses.
  const Vector& impulse() const { return swept_; }
  bool converged() const { return progress_.best() <= tolerance_; }

 private:
  void calm_down();

  double tolerance_;
  GaussSeidelSweep sweep_;
  ContactProgress progress_;
  Vector p_;      ///< where the next sweep begins
  Vector swept_;  ///< where the last one has led
  Vector last_;   ///< and the one before
  double relaxation_ = 1.0, momentum_ = 0.0;
  int sweeps_ = 0;
  int idle_ = 0;  ///< evaluations of the residual without gain
};

}  // namespace picus
