// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "picus/solvers/anderson_mixing.h"
#include "picus/solvers/contact_search.h"
#include "picus/solvers/gauss_seidel_sweep.h"

namespace picus {

/// Pairs of Gauss–Seidel sweeps, forwards and backwards, as a map of the impulses whose iteration
/// is accelerated by Anderson's method. Where that loses its way plain sweeps find it again, and
/// where they lose it again and again smaller steps break the cycle.
class AcceleratedSweeps final : public ContactSearch {
 public:
  explicit AcceleratedSweeps(const GaussSeidelOptions& options)
      : ContactSearch(options.tolerance), options_(options) {}

  void run(const ContactProblem& problem, int sweeps) override;
  const Vector& impulse() const override { return p_; }
  /// See GaussSeidelSweep.
  bool prove_no_solution(const ContactProblem& problem) {
    return sweep_.proves_no_solution(problem, progress_.impulse());
  }

 private:
  void begin(const ContactProblem& problem, const Vector& p) override;
  void accelerate();
  void begin_plain_sweeps();

  GaussSeidelOptions options_;
  GaussSeidelSweep sweep_;
  AndersonMixing mixing_;
  Vector p_, swept_, weights_;
  double relaxation_ = 1.0;
  double least_miss_ = std::numeric_limits<double>::infinity();
  int idle_ = 0;    ///< evaluations without gain
  int stalls_ = 0;  ///< times the acceleration has lost its way
  int plain_ = 0;   ///< pairs of sweeps left without acceleration
};

}  // namespace picus
