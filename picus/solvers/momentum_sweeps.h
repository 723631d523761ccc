// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/solvers/contact_search.h"
#include "picus/solvers/gauss_seidel_sweep.h"

namespace picus {

/// Gauss–Seidel sweeps with momentum [Polyak1964]: each begins where the last one has led, and a
/// part β of the way it has gone further. What many contacts pass on to each other, and plain
/// sweeps creep after, settles 1/(1−β) times sooner. Every contact has its own β, which grows while
/// sweeps agree with where it was sent and shrinks when one sends it back: loads that drift through
/// a heap get up to a hundredfold speed, and what would swing keeps little.
class MomentumSweeps final : public ContactSearch {
 public:
  using ContactSearch::ContactSearch;

  /// Brief ones arrive soon or not at all, and keep their momentum; others let it settle near the
  /// tolerance.
  void be_brief(bool is_brief) { is_brief_ = is_brief; }
  void run(const ContactProblem& problem, int sweeps) override;
  const Vector& impulse() const override { return swept_; }
  /// See GaussSeidelSweep.
  bool prove_no_solution(const ContactProblem& problem) {
    return sweep_.proves_no_solution(problem, progress_.impulse());
  }

 private:
  void begin(const ContactProblem& problem, const Vector& p) override;
  void adjust_drag();
  void go_further();

  GaussSeidelSweep sweep_;
  Vector p_;                  ///< where the next sweep begins
  Vector swept_;              ///< where the last one has led
  Vector last_;               ///< and the one before
  std::vector<double> drag_;  ///< 1 − β, for each contact
  double least_drag_ = 0.0;
  double before_ = 0.0;  ///< the best residual when drag was adjusted last
  double now_ = 0.0;     ///< the residual seen last
  bool is_brief_ = false;
};

}  // namespace picus
