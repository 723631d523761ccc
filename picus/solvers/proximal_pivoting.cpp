// SPDX-License-Identifier: BSD-3-Clause
// Pivoting on all contacts at once, from the guess.
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/proximal_pivots.h"

namespace picus {
namespace {

class ProximalPivoting final : public ContactSolver {
 public:
  explicit ProximalPivoting(const PivotingOptions& options)
      : options_(options), pivots_(options.tolerance) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    const ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    before_ = p;
    pivots_.start(problem, p, report.residual);
    pivots_.run(problem, options_.max_iterations);
    p = pivots_.impulse();
    if (!pivots_.converged())
      return end_contact_solve(problem, pivots_.progress(), before_, p, pivots_.iterations());
    p = pivots_.progress().impulse();
    return {ContactReport::Status::kConverged, pivots_.iterations(), pivots_.progress().best()};
  }

 private:
  PivotingOptions options_;
  ProximalPivots pivots_;
  Vector before_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_proximal_pivoting(const PivotingOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<ProximalPivoting>(options);
}

}  // namespace picus
