// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/solvers/momentum_sweeps.h"
#include "picus/solvers/pivoting_path.h"

namespace picus {

/// Leads sweeps on where they drift. In a heap that jams, some contacts stick that can not all
/// stick: the impulses between them grow from sweep to sweep by the same small amount, and the
/// residual stays, until one of them reaches its limit of friction thousands of sweeps later. A
/// path of pivots whose ε hardly holds it back goes there at once. What lies beyond is rarely a
/// solution but another place to sweep from: a leap is taken wherever it leads, and the sweeps
/// behind it put right what it has put out of place, mostly directions of sliding that turn on the
/// way.
class ContactLeaps {
 public:
  explicit ContactLeaps(double tolerance) : sweeps_(tolerance) {}

  /// See MomentumSweeps.
  void be_brief(bool is_brief) { sweeps_.be_brief(is_brief); }
  /// Begins at p, whose residual is known.
  void start(const ContactProblem& problem, const Vector& p, double residual);
  /// Up to so many further leaps, with sweeps behind each; stops at the tolerance.
  void run(const ContactProblem& problem, int leaps);
  /// Leaps, their pivots and sweeps since the start.
  int iterations() const { return iterations_; }
  /// The best impulses so far, and their residual.
  const ContactProgress& progress() const { return progress_; }
  bool converged() const { return progress_.best() <= sweeps_.tolerance(); }
  /// There is always something to try.
  static bool stuck() { return false; }
  /// Where the last sweeps have ended.
  const Vector& impulse() const { return p_; }

 private:
  PivotingPath path_;
  MomentumSweeps sweeps_;
  ContactProgress progress_;
  Vector p_, landing_;
  int iterations_ = 0;
};

}  // namespace picus
