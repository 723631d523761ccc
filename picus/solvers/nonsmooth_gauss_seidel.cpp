// SPDX-License-Identifier: BSD-3-Clause
// Nonlinear block Gauss–Seidel [Jean1999]: contact after contact is solved exactly. Without
// friction it is coordinate descent of a convex quadratic function and converges for every solvable
// problem; with friction it is the method that fails least of the simple ones, but can cycle, which
// smaller steps (relaxation) usually cure. Acceleration makes impulses that many contacts pass on
// to each other settle several times sooner.
#include <algorithm>

#include <fmt/format.h>

#include "picus/solvers/accelerated_sweeps.h"

namespace picus {

void GaussSeidelSweep::prepare(const ContactProblem& problem) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  locals_.resize(count);
  inertias_.resize(count);
  for (int i = 0; i < problem.contacts(); ++i) {
    locals_[static_cast<std::size_t>(i)].prepare(problem.W.diagonal(i), problem.law(i));
    inertias_[static_cast<std::size_t>(i)] = contact_inertia(problem, i);
  }
}

double GaussSeidelSweep::visit(const ContactProblem& problem, int contact, double relaxation,
                               Vector& p) const {
  auto mine = p.segment<3>(3 * contact);
  const Vector3 old = mine;
  const Vector3 b = problem.velocity(contact, p) - problem.W.diagonal(contact) * old;
  const Vector3 solved = locals_[static_cast<std::size_t>(contact)].solve(b);
  mine = relaxation == 1.0 ? solved : Vector3(old + relaxation * (solved - old));
  if (relaxation > 1.0) mine(0) = std::max(0.0, mine(0));
  return (mine - old).norm() / inertias_[static_cast<std::size_t>(contact)];
}

double GaussSeidelSweep::run(const ContactProblem& problem, double relaxation, bool backwards,
                             Vector& p) const {
  const int count = problem.contacts();
  double change = 0.0;
  for (int k = 0; k < count; ++k)
    change = std::max(change, visit(problem, backwards ? count - 1 - k : k, relaxation, p));
  return change;
}

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
    return {status, sweeps_.sweeps(), sweeps_.progress().best()};
  }

 private:
  GaussSeidelOptions options_;
  AcceleratedSweeps sweeps_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_nonsmooth_gauss_seidel(const GaussSeidelOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  if (!(options.relaxation > 0.0 && options.relaxation < 2.0))
    throw InputError("relaxation of nonsmooth_gauss_seidel must lie between 0 and 2");
  if (options.memory < 0 || options.memory > AndersonMixing::kMost)
    throw InputError(fmt::format("memory of nonsmooth_gauss_seidel is {}, expected 0 to {}",
                                 options.memory, AndersonMixing::kMost));
  return std::make_unique<NonsmoothGaussSeidel>(options);
}

}  // namespace picus
