// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "picus/solvers/anderson_mixing.h"
#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/gauss_seidel_sweep.h"

namespace picus {

/// Pairs of Gauss–Seidel sweeps, forwards and backwards, as a map of the impulses whose iteration
/// is accelerated by Anderson's method. Where that loses its way plain sweeps find it again, and
/// where they lose it again and again smaller steps break the cycle.
class AcceleratedSweeps {
 public:
  explicit AcceleratedSweeps(const GaussSeidelOptions& options) : options_(options) {}

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
  bool converged() const { return progress_.best() <= options_.tolerance; }

 private:
  void accelerate();
  void begin_plain_sweeps();

  GaussSeidelOptions options_;
  GaussSeidelSweep sweep_;
  AndersonMixing mixing_;
  ContactProgress progress_;
  Vector p_, swept_, weights_;
  double relaxation_ = 1.0;
  double least_miss_ = std::numeric_limits<double>::infinity();
  int sweeps_ = 0;
  int idle_ = 0;    ///< evaluations without gain
  int stalls_ = 0;  ///< times the acceleration has lost its way
  int plain_ = 0;   ///< pairs of sweeps left without acceleration
};

}  // namespace picus
