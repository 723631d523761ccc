// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/contact_cascade.h"

#include <algorithm>

namespace picus {
namespace {

constexpr int kFew = 24;  // contacts, up to which factorisations are the cheapest way
// Newton steps of few contacts: more lead nowhere, but for the last resort.
constexpr int kFirstNewtonSteps = 200;
// Sweeps before a factorisation: for tolerances that they reach many, which is cheaper than a
// solution by factorisations; for tighter ones, where they stall, what brings a good guess.
// Measured on heaps of disks and spheres.
constexpr double kReachedBySweeps = 1e-4;
constexpr int kManySweeps = 2000, kPlanarSweeps = 300, kSpatialSweeps = 3000;
// Contacts for which Newton's method, the last resort of fewer, would take minutes.
constexpr int kMany = 500;
constexpr int kInteriorSteps = 2000;  // most heaps take 15 to 35, few some hundred

// Tries a solver from `guess`; p stays the best impulses.
void continue_with(const ContactProblem& problem, ContactSolver& solver, Vector& guess,
                   ContactReport& report, Vector& p) {
  const ContactReport next = solver.solve(problem, guess);
  report.status = next.status;
  report.iterations += next.iterations;
  if (!(next.residual < report.residual)) return;
  report.residual = next.residual;
  p = guess;
}

}  // namespace

ContactCascade::ContactCascade(const AutomaticOptions& options, int pivots, bool has_last_resort)
    : options_(options),
      most_pivots_(pivots),
      has_last_resort_(has_last_resort),
      first_newton_(make_semismooth_newton(
          {options.tolerance, std::min(options.max_iterations, kFirstNewtonSteps)})) {}

int ContactCascade::sweeps(const ContactProblem& problem, double tolerance) {
  if (tolerance >= kReachedBySweeps) return kManySweeps;
  return is_planar(problem) ? kPlanarSweeps : kSpatialSweeps;
}

ContactReport ContactCascade::solve(const ContactProblem& problem, Vector& p) {
  const bool is_small = problem.contacts() <= kFew;
  if (!is_small) prepare_for_many();
  ContactReport report = (is_small             ? first_newton_
                          : is_planar(problem) ? planar_sweeps_
                                               : spatial_sweeps_)
                             ->solve(problem, p);
  if (report.status != ContactReport::Status::kIterationLimit) return report;
  prepare_for_many();
  guess_ = p;
  continue_with(problem, *pivoting_, guess_, report, p);
  const bool is_done = report.status != ContactReport::Status::kIterationLimit;
  return is_done || !has_last_resort_ ? report : solve_at_last(problem, p, report);
}

ContactReport ContactCascade::solve_at_last(const ContactProblem& problem, Vector& p,
                                            ContactReport report) {
  prepare_for_many();
  for (const bool has_guess : {true, false}) {
    guess_ = p;
    if (!has_guess) guess_.setZero();
    continue_with(problem, *interior_point_, guess_, report, p);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
  }
  if (problem.contacts() >= kMany) return report;
  guess_ = p;
  continue_with(problem, *last_newton_, guess_, report, p);
  return report;
}

// Most runs never see as many.
void ContactCascade::prepare_for_many() {
  if (interior_point_) return;
  const double tolerance = options_.tolerance;
  const auto sweeps = [&](int for_a_guess) {
    return make_nonsmooth_gauss_seidel(
        {.tolerance = tolerance,
         .max_iterations = tolerance >= kReachedBySweeps ? kManySweeps : for_a_guess});
  };
  planar_sweeps_ = sweeps(kPlanarSweeps);
  spatial_sweeps_ = sweeps(kSpatialSweeps);
  pivoting_ = make_proximal_pivoting({.tolerance = tolerance, .max_iterations = most_pivots_});
  interior_point_ = make_interior_point({.tolerance = tolerance, .max_iterations = kInteriorSteps});
  last_newton_ = make_semismooth_newton({tolerance, options_.max_iterations});
}

}  // namespace picus
