// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/pivoting_path.h"

namespace picus {

/// Proximal problems one after the other, each with the solution of the last as p₀, and each solved
/// by pivots along its path. ε says how far one may lead: where a path arrives after few pivots ε
/// shrinks, where it is lost ε grows. For small ε leave the impulses of redundant contacts nearly
/// free, and paths fold again and again. In space, where a path is straightened, its end may be no
/// better than its start; the impulses are those of the way there then.
class ProximalPivots {
 public:
  explicit ProximalPivots(double tolerance) : tolerance_(tolerance) {}

  /// Begins at p, whose residual is known.
  void start(const ContactProblem& problem, const Vector& p, double residual);
  /// About so many further pivots and paths; stops at the tolerance, or where ε cannot grow.
  void run(const ContactProblem& problem, int iterations);
  /// Pivots and paths since the start.
  int iterations() const { return iterations_; }
  /// The best impulses so far, and their residual.
  const ContactProgress& progress() const { return progress_; }
  bool converged() const { return progress_.best() <= tolerance_; }
  /// Whether there is nothing more to try.
  bool stuck() const;
  /// Where the last path has ended.
  const Vector& impulse() const { return p_; }

 private:
  enum class Gain { kWhole, kPart, kNone };
  Gain take_from_path(const ContactProblem& problem);

  double tolerance_;
  PivotingPath path_;
  ContactProgress progress_;
  Vector p_, trial_;
  double epsilon_ = 0.0;
  int iterations_ = 0;
};

}  // namespace picus
