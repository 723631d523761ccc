// SPDX-License-Identifier: BSD-3-Clause
// The solvers one after the other, each from the best impulses of the one before. Few contacts are
// for Newton's method. Of many, most problems are solved by accelerated Gauss–Seidel sweeps, which
// cost little; where those crawl, as in heaps near the limit of friction, the interior point method
// takes over.
#include <algorithm>

#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"

namespace picus {
namespace {

constexpr int kFew = 24;  // contacts, up to which factorisations are the cheapest way
// Sweeps before a factorisation: about what one solution by factorisations costs, measured on heaps
// of disks and spheres. Factors of contacts in space fill up as their number grows.
constexpr int kPlanarSweeps = 300, kSpatialSweeps = 600;
// Beyond, factors fill up and sweeps are what is affordable: heaps of a thousand balls need up to a
// thousand of them for residuals of 1e-3. Newton's method, the last resort of few, would take
// minutes.
constexpr int kMany = 500;
constexpr int kManySweeps = 2000;

class AutomaticContactSolver final : public ContactSolver {
 public:
  explicit AutomaticContactSolver(const AutomaticOptions& options)
      : few_(make_semismooth_newton({options.tolerance, options.max_iterations})),
        planar_(make_nonsmooth_gauss_seidel(
            {.tolerance = options.tolerance, .max_iterations = kPlanarSweeps})),
        spatial_(make_nonsmooth_gauss_seidel(
            {.tolerance = options.tolerance, .max_iterations = kSpatialSweeps})),
        large_(make_nonsmooth_gauss_seidel(
            {.tolerance = options.tolerance, .max_iterations = kManySweeps})),
        interior_(make_interior_point({.tolerance = options.tolerance})) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    if (problem.contacts() <= kFew) return few_->solve(problem, p);
    const bool is_planar = problem.W.diagonal(0)(2, 2) == 0.0;
    if (problem.contacts() >= kMany) return solve_many(problem, p);
    ContactReport report;
    for (ContactSolver* solver :
         {is_planar ? planar_.get() : spatial_.get(), interior_.get(), few_.get()}) {
      const ContactReport next = solver->solve(problem, p);
      report = {next.status, report.iterations + next.iterations, next.residual};
      if (report.status != ContactReport::Status::kIterationLimit) break;
    }
    return report;
  }

 private:
  // From the middle of the cones the interior point method finds its way more often than from where
  // sweeps have stalled.
  ContactReport solve_many(const ContactProblem& problem, Vector& p) {
    const ContactReport swept = large_->solve(problem, p);
    if (swept.status != ContactReport::Status::kIterationLimit) return swept;
    guess_.setZero(p.size());
    ContactReport report = interior_->solve(problem, guess_);
    report.iterations += swept.iterations;
    if (report.residual < swept.residual) p = guess_;
    report.residual = std::min(report.residual, swept.residual);
    return report;
  }

  std::unique_ptr<ContactSolver> few_, planar_, spatial_, large_, interior_;
  Vector guess_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_automatic_contact_solver(const AutomaticOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<AutomaticContactSolver>(options);
}

}  // namespace picus
