// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "picus/solvers/contact_solver.h"

namespace picus {

/// Solvers one after the other, the cheap ones first, each from where the last has ended. Few
/// contacts are for Newton's method; of many, most problems are solved by accelerated Gauss–Seidel
/// sweeps. Where those crawl, as in heaps near the limit of friction, or Newton's method is lost,
/// as on corners of a box that can not all stick, pivoting goes on. The last resort is the interior
/// point method, with and without a guess, whose paths are others, and a long run of Newton's.
class ContactCascade final : public ContactSolver {
 public:
  /// Pivots before the last resort; regular pyramids of 400 disks take ten thousand.
  static constexpr int kPivots = 30000;

  /// Without a last resort it gives up after so many pivots.
  explicit ContactCascade(const AutomaticOptions& options, int pivots = kPivots,
                          bool has_last_resort = true);

  ContactReport solve(const ContactProblem& problem, Vector& p) override;
  /// What is tried last, after sweeps and pivots have led to p, with the residual of `report`.
  ContactReport solve_at_last(const ContactProblem& problem, Vector& p, ContactReport report);
  /// Sweeps before anything is factorised.
  static int sweeps(const ContactProblem& problem, double tolerance);

 private:
  void prepare_for_many();

  AutomaticOptions options_;
  int most_pivots_;
  bool has_last_resort_;
  std::unique_ptr<ContactSolver> first_newton_, planar_sweeps_, spatial_sweeps_, pivoting_,
      interior_point_, last_newton_;
  Vector guess_;
};

}  // namespace picus
