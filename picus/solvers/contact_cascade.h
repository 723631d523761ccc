// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "picus/solvers/contact_solver.h"

namespace picus {

/// Solvers one after the other, the cheap ones first, each from where the last has ended. Few
/// contacts are for Newton's method. Of many, most problems are solved by accelerated Gauss–Seidel
/// sweeps; where those crawl, as in heaps near the limit of friction, pivoting goes on. The last
/// resort is the interior point method, with and without a guess: its paths are others.
class ContactCascade final : public ContactSolver {
 public:
  explicit ContactCascade(const AutomaticOptions& options);

  ContactReport solve(const ContactProblem& problem, Vector& p) override;
  /// The same without sweeps, for impulses p that sweeps have made and that `report` is about.
  ContactReport solve_after_sweeps(const ContactProblem& problem, Vector& p, ContactReport report);
  /// Sweeps before anything is factorised.
  static int sweeps_first(const ContactProblem& problem, double tolerance);

 private:
  void prepare_for_many();

  AutomaticOptions options_;
  std::unique_ptr<ContactSolver> few_, planar_, spatial_, pivoting_, interior_;
  Vector guess_;
};

}  // namespace picus
