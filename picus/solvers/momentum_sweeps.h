// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/gauss_seidel_sweep.h"

namespace picus {

/// Gauss–Seidel sweeps with momentum [Polyak1964]: each begins where the last one has led, and a
/// part β of the way it has gone further. What many contacts pass on to each other, and plain
/// sweeps creep after, settles 1/(1−β) times sooner. Every contact has its own β, which grows while
/// sweeps agree with where it was sent and shrinks when one sends it back: loads that drift through
/// a heap get up to a hundredfold speed, and what would swing keeps little.
class MomentumSweeps {
 public:
  explicit MomentumSweeps(double tolerance) : tolerance_(tolerance) {}

  /// Brief ones arrive soon or not at all, and keep their momentum; others let it settle near the
  /// tolerance.
  void be_brief(bool is_brief) { is_brief_ = is_brief; }
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
  double tolerance() const { return tolerance_; }
  bool converged() const { return progress_.best() <= tolerance_; }

 private:
  void adjust_drag();
  void go_further();

  double tolerance_;
  GaussSeidelSweep sweep_;
  ContactProgress progress_;
  Vector p_;                  ///< where the next sweep begins
  Vector swept_;              ///< where the last one has led
  Vector last_;               ///< and the one before
  std::vector<double> drag_;  ///< 1 − β, for each contact
  double least_drag_ = 0.0;
  double before_ = 0.0;  ///< the best residual when drag was adjusted last
  double now_ = 0.0;     ///< the residual seen last
  int sweeps_ = 0;
  bool is_brief_ = false;
};

}  // namespace picus
