// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/newton.h"

#include <cmath>

namespace picus {
namespace {

constexpr double kStagnation = 0.5;  // slower convergence than this may be rounding
constexpr double kSolved = 1e-8;     // of the residual is left by one correction
constexpr int kMaxGrowth = 4;        // corrections that grow so often will not shrink again

}  // namespace

void Newton::reset(int unknowns) {
  r_.setZero(unknowns);
  correction_.setZero(unknowns);
  guess_.setZero(unknowns);
  forget_matrix(Refresh::kStart);
}

void Newton::forget_matrix(Refresh why) {
  if (has_matrix_ || why == Refresh::kStart) missing_ = why;
  has_matrix_ = false;
}

NewtonReport Newton::solve(NewtonProblem& problem, Vector& x) {
  NewtonReport report;
  guess_ = x;
  bool fresh = !has_matrix_ ||
               (options_.jacobian_reuse != JacobianReuse::kAcrossSteps && !problem.is_linear());
  for (;;) {
    const Pass pass = iterate(problem, x, report, fresh);
    if (pass == Pass::kConverged) return report;
    forget_matrix(Refresh::kFailure);
    if (pass == Pass::kFailed && fresh) return report;
    fresh = true;  // an old matrix led nowhere: begin again with a new one
    x = guess_;
    report.status = NewtonReport::Status::kConverged;
  }
}

// Runs until convergence, failure, or the discovery that the matrix is too old.
Newton::Pass Newton::iterate(NewtonProblem& problem, Vector& x, NewtonReport& report, bool fresh) {
  using Status = NewtonReport::Status;
  const bool full_newton = options_.jacobian_reuse == JacobianReuse::kEveryIteration;
  int limit = report.iterations + options_.newton_max_iterations;
  Progress progress{
      .renew = fresh, .is_fresh = fresh, .why = has_matrix_ ? Refresh::kPolicy : missing_};
  for (;;) {
    problem.residual(x, r_);
    if (!r_.allFinite()) return fail(report, Status::kNotFinite, progress);
    if (problem.cycling_row() >= 0) return fail_cycling(problem, report);
    if (problem.wants_restart()) {
      x = guess_;
      limit = report.iterations + options_.newton_max_iterations;
      problem.residual(x, r_);
    }
    // a ball in free flight needs no correction; the first matrix is made all the same, since error
    // estimates use it
    if (has_matrix_ && r_.isZero(0.0)) return Pass::kConverged;
    if (report.iterations >= limit) return fail(report, Status::kTooManyIterations, {});
    if (problem.is_stale()) progress.begin_anew(Refresh::kActiveSet);
    if ((progress.renew || full_newton) && !refresh(problem, x, report, progress))
      return fail(report, Status::kSingular, {});
    const Pass pass = correct(problem, x, report, progress);
    if (pass != Pass::kGoOn) return pass;
  }
}

// One correction, and what its size tells.
Newton::Pass Newton::correct(NewtonProblem& problem, Vector& x, NewtonReport& report,
                             Progress& progress) {
  using Status = NewtonReport::Status;
  correction_ = r_;
  problem.solve(correction_);
  x -= correction_;
  ++report.iterations;
  const double size = problem.error_norm(correction_, x);
  if (!std::isfinite(size)) return fail(report, Status::kNotFinite, progress);
  if (problem.is_linear() && is_solved_at_once(problem, x)) return Pass::kConverged;
  if (progress.rate_is_known) report.rate = size / progress.last;
  if (has_arrived(problem, size, progress) && has_settled(problem, x)) return Pass::kConverged;
  progress.note(size, options_.slow_rate);
  if (progress.growing > 0 && !progress.is_fresh) return Pass::kRenew;
  if (progress.growing >= kMaxGrowth) return fail(report, Status::kDiverged, {});
  return Pass::kGoOn;
}

bool Newton::refresh(NewtonProblem& problem, const Vector& x, NewtonReport& report,
                     Progress& progress) {
  ++report.factorizations;
  ++report.refreshed[progress.why];
  progress.why = Refresh::kPolicy;
  if (!problem.linearize(x)) return false;
  has_matrix_ = progress.is_fresh = true;
  if (progress.renew) progress.rate_is_known = false;
  progress.renew = false;
  return true;
}

// The last correction may have changed the active set; then it was none for these equations.
bool Newton::has_settled(NewtonProblem& problem, const Vector& x) {
  if (!problem.has_active_set()) return true;
  problem.residual(x, r_);
  return !problem.is_stale();
}

// The promise of linearity is checked by the residual, which tells the active set anyway.
bool Newton::is_solved_at_once(NewtonProblem& problem, const Vector& x) {
  const double before = max_abs(r_);
  problem.residual(x, r_);
  return !problem.is_stale() && max_abs(r_) <= kSolved * before;
}

void Newton::Progress::begin_anew(Refresh reason) {
  renew = true;
  why = reason;
  growing = 0;
  rate_is_known = false;
}

void Newton::Progress::note(double size, double slow_rate) {
  if (rate_is_known) {
    growing = size > last ? growing + 1 : 0;
    renew = size > slow_rate * last;
    if (renew) why = Refresh::kSlow;
  }
  last = size;
  rate_is_known = true;
}

// The error left is θ/(1-θ) times the last correction, once the rate θ has been observed; a first
// correction below the tolerance needs no rate; and stagnation at rounding is arrival. A rate
// remembered from the last solve is not used: it grows too fast while a matrix ages.
bool Newton::has_arrived(const NewtonProblem& problem, double size,
                         const Progress& progress) const {
  if (size == 0.0) return true;
  if (progress.last > 0.0 && size > kStagnation * progress.last && problem.is_rounding(correction_))
    return true;
  if (!progress.rate_is_known) return size <= 1.0;
  const double rate = size / progress.last;
  return rate < 1.0 && rate / (1.0 - rate) * size <= 1.0;
}

// A failure with an old matrix is worth another try with a new one.
Newton::Pass Newton::fail(NewtonReport& report, NewtonReport::Status status,
                          const Progress& progress) const {
  blame(report, status);
  return progress.is_fresh ? Pass::kFailed : Pass::kRenew;
}

Newton::Pass Newton::fail_cycling(const NewtonProblem& problem, NewtonReport& report) const {
  report.status = NewtonReport::Status::kCycling;
  report.worst_row = problem.cycling_row();
  report.worst_residual = std::abs(r_(report.worst_row));
  return Pass::kFailed;
}

void Newton::blame(NewtonReport& report, NewtonReport::Status status) const {
  report.status = status;
  report.worst_row = 0;
  report.worst_residual = 0.0;
  for (int i = 0; i < r_.size(); ++i) {
    const double size = std::abs(r_(i));
    if (size <= report.worst_residual) continue;
    report.worst_row = i;
    report.worst_residual = size;
    if (!std::isfinite(size)) break;
  }
}

}  // namespace picus
