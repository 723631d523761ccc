// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/newton.h"

#include <cmath>

namespace picus {
namespace {

constexpr double kStagnation = 0.5;  // slower convergence than this may be rounding

}  // namespace

void Newton::reset(int unknowns) {
  r_.setZero(unknowns);
  correction_.setZero(unknowns);
  guess_.setZero(unknowns);
  has_matrix_ = false;
}

NewtonReport Newton::solve(NewtonProblem& problem, Vector& x) {
  NewtonReport report;
  guess_ = x;
  bool fresh = !has_matrix_ || options_.jacobian_reuse != JacobianReuse::kAcrossSteps;
  for (;;) {
    const Pass pass = iterate(problem, x, report, fresh);
    if (pass == Pass::kConverged) return report;
    if (pass == Pass::kFailed) {
      has_matrix_ = false;
      return report;
    }
    fresh = true;  // an old matrix led nowhere: begin again with a new one
    x = guess_;
  }
}

// Runs until convergence, failure, or the discovery that the matrix is too old.
Newton::Pass Newton::iterate(NewtonProblem& problem, Vector& x, NewtonReport& report, bool fresh) {
  using Status = NewtonReport::Status;
  bool renew = fresh;
  bool matrix_from_here = fresh;
  int growing = 0;
  bool rate_is_known = false;  // the last two corrections used the same matrix
  double last = 0.0;
  for (;;) {
    problem.residual(x, r_);
    if (!r_.allFinite()) {
      blame(report, Status::kNotFinite);
      return matrix_from_here ? Pass::kFailed : Pass::kRenew;
    }
    if (report.iterations >= options_.newton_max_iterations) {
      blame(report, Status::kTooManyIterations);
      return Pass::kFailed;
    }
    if (renew || options_.jacobian_reuse == JacobianReuse::kEveryIteration) {
      ++report.factorizations;
      if (!problem.linearize(x)) {
        blame(report, Status::kSingular);
        return Pass::kFailed;
      }
      has_matrix_ = matrix_from_here = true;
      if (renew) rate_is_known = false;
      renew = false;
    }
    correction_ = r_;
    problem.solve(correction_);
    x -= correction_;
    ++report.iterations;

    const double size = problem.error_norm(correction_, x);
    if (!std::isfinite(size)) {
      blame(report, Status::kNotFinite);
      return matrix_from_here ? Pass::kFailed : Pass::kRenew;
    }
    if (size == 0.0) return Pass::kConverged;
    if (last > 0.0 && size > kStagnation * last && problem.is_rounding(correction_))
      return Pass::kConverged;
    if (rate_is_known) {
      const double rate = size / last;
      report.rate = rate;
      if (rate < 1.0 && rate / (1.0 - rate) * size <= 1.0) return Pass::kConverged;
      growing = rate > 1.0 ? growing + 1 : 0;
      if (growing > 0 && !matrix_from_here) return Pass::kRenew;
      if (growing >= 4) {
        blame(report, Status::kDiverged);
        return Pass::kFailed;
      }
      renew = rate > options_.slow_rate;
    } else if (size <= 1.0) {
      return Pass::kConverged;
    }
    last = size;
    rate_is_known = true;
  }
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
