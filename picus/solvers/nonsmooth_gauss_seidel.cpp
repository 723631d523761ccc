// SPDX-License-Identifier: BSD-3-Clause
// Nonlinear block Gauss–Seidel [Jean1999]: contact after contact is solved exactly. Without
// friction it is coordinate descent of a convex quadratic function and converges for every solvable
// problem; with friction it is the method that fails least of the simple ones, but can cycle, which
// smaller steps (relaxation) usually cure.
#include <algorithm>
#include <cmath>

#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/gauss_seidel_sweep.h"

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

constexpr int kSweepsPerCheck = 10;     // between evaluations of the residual
constexpr int kChecksWithoutGain = 10;  // then the relaxation shrinks
constexpr double kLeastRelaxation = 0.1;

class NonsmoothGaussSeidel final : public ContactSolver {
 public:
  explicit NonsmoothGaussSeidel(const GaussSeidelOptions& options) : options_(options) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    sweep_.prepare(problem);
    progress_.start(p, report.residual);
    before_ = p;
    const double scale = max_abs(problem.b);
    double relaxation = options_.relaxation;
    int idle = 0;
    for (int k = 1; k <= options_.max_iterations; ++k) {
      const double change = sweep_.run(problem, relaxation, k % 2 == 0, p);
      if (k == options_.max_iterations / 2) before_ = p;
      if (change > options_.tolerance * scale && k % kSweepsPerCheck != 0) continue;
      const double residual = contact_residual(problem, p);
      if (residual <= options_.tolerance) return {ContactReport::Status::kConverged, k, residual};
      idle = progress_.offer(p, residual) ? 0 : idle + 1;
      if (idle < kChecksWithoutGain) continue;
      idle = 0;
      relaxation = std::max(kLeastRelaxation, 0.7 * relaxation);
    }
    return end_contact_solve(problem, progress_, before_, p, options_.max_iterations);
  }

 private:
  GaussSeidelOptions options_;
  GaussSeidelSweep sweep_;
  ContactProgress progress_;
  Vector before_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_nonsmooth_gauss_seidel(const GaussSeidelOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  if (!(options.relaxation > 0.0 && options.relaxation < 2.0))
    throw InputError("relaxation of nonsmooth_gauss_seidel must lie between 0 and 2");
  return std::make_unique<NonsmoothGaussSeidel>(options);
}

}  // namespace picus
