// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all contact solvers do before, between and after their iterations.

#include "picus/solvers/contact_solver.h"

namespace picus {

/// Throws InputError unless both are positive.
void check_contact_options(double tolerance, int max_iterations);

/// Cleans the guess: zero where it is not finite as a whole, and in the components that take no
/// part (tangents without friction, the dead tangent of planar contacts, the normal of kFriction).
/// Says kConverged or kNotFinite when there is nothing to iterate, kIterationLimit otherwise.
ContactReport begin_contact_solve(const ContactProblem& problem, Vector& p, double tolerance);

/// True when y, a direction in which impulses grow without end, proves that nothing helps: its
/// normal part y_n ≥ 0 moves nothing, W y = 0, and b·y < 0. For then u·y = b·y < 0 whatever the
/// impulses, although u_n ≥ 0 is asked for.
bool proves_no_solution(const ContactProblem& problem, const Vector& y);

/// The best impulse so far, and whether iterations still get on.
class ContactProgress {
 public:
  void start(const Vector& p, double residual);
  /// Notes an iterate; true when it is the best yet.
  bool offer(const Vector& p, double residual);
  double best() const { return residual_; }
  const Vector& impulse() const { return p_; }

 private:
  Vector p_;
  double residual_ = 0.0;
};

/// Ends a solve that did not converge: p becomes the best impulse. `before` is an iterate much
/// earlier than `p`; their difference is tried as a proof that there is no solution.
ContactReport end_contact_solve(const ContactProblem& problem, const ContactProgress& progress,
                                const Vector& before, Vector& p, int iterations);

}  // namespace picus
