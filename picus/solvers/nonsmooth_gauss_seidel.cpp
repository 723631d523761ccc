// SPDX-License-Identifier: BSD-3-Clause
// Nonlinear block Gauss–Seidel [Jean1999]: contact after contact is solved exactly. Without
// friction it is coordinate descent of a convex quadratic function and converges for every solvable
// problem; with friction it is the method that fails least of the simple ones, but can cycle, which
// smaller steps (relaxation) usually cure. Acceleration makes impulses that many contacts pass on
// to each other settle several times sooner.
#include <fmt/format.h>

#include "picus/solvers/accelerated_sweeps.h"

namespace picus {

namespace {

class NonsmoothGaussSeidel final : public ContactSolver {
 public:
  explicit NonsmoothGaussSeidel(const GaussSeidelOptions& options)
      : options_(options), sweeps_(options) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    const ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    sweeps_.start(problem, p, report.residual);
    sweeps_.run(problem, options_.max_iterations);
    p = sweeps_.progress().impulse();
    using enum ContactReport::Status;
    const auto status = sweeps_.converged()                  ? kConverged
                        : sweeps_.prove_no_solution(problem) ? kNoSolution
                                                             : kIterationLimit;
    return {status, sweeps_.iterations(), sweeps_.progress().best()};
  }

 private:
  GaussSeidelOptions options_;
  AcceleratedSweeps sweeps_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_nonsmooth_gauss_seidel(const GaussSeidelOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  if (!(options.relaxation > 0.0 && options.relaxation < 2.0))
    throw InputError("relaxation: expected a number between 0 and 2");
  if (options.memory < 0 || options.memory > AndersonMixing::kMost)
    throw InputError(
        fmt::format("memory: found {}, expected 0 to {}", options.memory, AndersonMixing::kMost));
  return std::make_unique<NonsmoothGaussSeidel>(options);
}

}  // namespace picus
