// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/solvers/contact_iteration.h"

namespace picus {

/// A way to impulses that obey the laws of a contact problem, which can be gone on a bit at a time.
class ContactSearch {
 public:
  explicit ContactSearch(double tolerance) : tolerance_(tolerance) {}
  virtual ~ContactSearch() = default;

  /// Begins at p, whose residual is known.
  void start(const ContactProblem& problem, const Vector& p, double residual) {
    progress_.start(p, residual);
    iterations_ = 0;
    begin(problem, p);
  }
  /// Goes on by so many sweeps, paths or leaps; stops at the tolerance, or where it is stuck.
  virtual void run(const ContactProblem& problem, int count) = 0;
  /// Whether there is nothing more to try.
  virtual bool stuck() const { return false; }
  /// The latest impulses.
  virtual const Vector& impulse() const = 0;

  /// The best impulses so far, and their residual.
  const ContactProgress& progress() const { return progress_; }
  bool converged() const { return progress_.best() <= tolerance_; }
  /// Sweeps, pivots and paths since the start.
  int iterations() const { return iterations_; }

 protected:
  virtual void begin(const ContactProblem& problem, const Vector& p) = 0;

  double tolerance_;
  ContactProgress progress_;
  int iterations_ = 0;
};

}  // namespace picus
