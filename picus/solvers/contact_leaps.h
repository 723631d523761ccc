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
/// after it put right what it has put out of place, mostly directions of sliding that turn on the
/// way.
class ContactLeaps final : public ContactSearch {
 public:
  explicit ContactLeaps(double tolerance) : ContactSearch(tolerance), sweeps_(tolerance) {}

  /// See MomentumSweeps.
  void be_brief(bool is_brief) { sweeps_.be_brief(is_brief); }
  /// So many leaps, with sweeps after each.
  void run(const ContactProblem& problem, int leaps) override;
  /// Where the last sweeps have ended.
  const Vector& impulse() const override { return p_; }

 private:
  void begin(const ContactProblem& problem, const Vector& p) override;

  PivotingPath path_;
  MomentumSweeps sweeps_;
  Vector p_, landing_;
};

}  // namespace picus
