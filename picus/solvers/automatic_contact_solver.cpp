// SPDX-License-Identifier: BSD-3-Clause
// The solvers one after the other. Few contacts are for Newton's method. Of many, most problems are
// solved by accelerated Gauss–Seidel sweeps, which cost little; where those crawl, as in heaps near
// the limit of friction, pivoting goes on from where they have stalled. The last resort is the
// interior point method, with and without a guess: its paths are others.
#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"

namespace picus {
namespace {

constexpr int kFew = 24;  // contacts, up to which factorisations are the cheapest way
// Sweeps before a factorisation: for tolerances that they reach many, which is cheaper than a
// solution by factorisations; for tighter ones, where they stall, what brings a good guess.
// Measured on heaps of disks and spheres.
constexpr double kReachedBySweeps = 1e-4;
constexpr int kManySweeps = 2000, kPlanarSweeps = 300, kSpatialSweeps = 600;
// Contacts for which Newton's method, the last resort of fewer, would take minutes.
constexpr int kMany = 500;
constexpr int kInteriorSteps = 2000;  // most heaps take 15 to 35, few some hundred

class AutomaticContactSolver final : public ContactSolver {
 public:
  explicit AutomaticContactSolver(const AutomaticOptions& options)
      : tolerance_(options.tolerance),
        few_(make_semismooth_newton({options.tolerance, options.max_iterations})) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    if (problem.contacts() <= kFew) return few_->solve(problem, p);
    prepare_for_many();
    const bool is_planar = problem.W.diagonal(0)(2, 2) == 0.0;
    ContactSolver& sweeps = is_planar ? *planar_ : *spatial_;
    ContactReport report = sweeps.solve(problem, p);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    guess_ = p;
    go_on(problem, *pivoting_, guess_, report, p);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    for (const bool has_guess : {true, false}) {
      guess_ = p;
      if (!has_guess) guess_.setZero();
      go_on(problem, *interior_, guess_, report, p);
      if (report.status != ContactReport::Status::kIterationLimit) return report;
    }
    if (problem.contacts() >= kMany) return report;
    guess_ = p;
    go_on(problem, *few_, guess_, report, p);
    return report;
  }

 private:
  // Most runs never see as many.
  void prepare_for_many() {
    if (interior_) return;
    const auto sweeps = [&](int for_a_guess) {
      return make_nonsmooth_gauss_seidel(
          {.tolerance = tolerance_,
           .max_iterations = tolerance_ >= kReachedBySweeps ? kManySweeps : for_a_guess});
    };
    planar_ = sweeps(kPlanarSweeps);
    spatial_ = sweeps(kSpatialSweeps);
    pivoting_ = make_proximal_pivoting({.tolerance = tolerance_});
    interior_ = make_interior_point({.tolerance = tolerance_, .max_iterations = kInteriorSteps});
  }

  // Tries a solver from `guess`; p stays the best impulses.
  static void go_on(const ContactProblem& problem, ContactSolver& solver, Vector& guess,
                    ContactReport& report, Vector& p) {
    const ContactReport next = solver.solve(problem, guess);
    report.status = next.status;
    report.iterations += next.iterations;
    if (!(next.residual < report.residual)) return;
    report.residual = next.residual;
    p = guess;
  }

  double tolerance_;
  std::unique_ptr<ContactSolver> few_, planar_, spatial_, pivoting_, interior_;
  Vector guess_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_automatic_contact_solver(const AutomaticOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  return std::make_unique<AutomaticContactSolver>(options);
}

}  // namespace picus
