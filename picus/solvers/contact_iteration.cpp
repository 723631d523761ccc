// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/contact_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/base/contract.h"

namespace picus {
namespace {

// Part of the motion that the same impulses would cause one by one; less is rounding.
constexpr double kNoMotion = 1e-8;

void clear_idle_components(const ContactProblem& problem, Vector& p) {
  for (int i = 0; i < problem.contacts(); ++i) {
    const ImpulseLaw& law = problem.law(i);
    if (law.kind == ContactKind::kFriction) p(3 * i) = 0.0;
    for (int k = 1; k < 3; ++k)
      if (law.coefficient == 0.0 ||
          (problem.W.diagonal(i)(k, k) == 0.0 && problem.b(3 * i + k) == 0.0))
        p(3 * i + k) = 0.0;
  }
}

}  // namespace

void check_contact_options(double tolerance, int max_iterations) {
  if (!(tolerance > 0.0))
    throw InputError(fmt::format("tolerance: found {}, expected a positive number", tolerance));
  if (max_iterations < 1)
    throw InputError(fmt::format("max_iterations: found {}, expected at least 1", max_iterations));
}

ContactReport begin_contact_solve(const ContactProblem& problem, Vector& p, double tolerance) {
  const auto size = static_cast<Eigen::Index>(3 * problem.contacts());
  expects(problem.W.size() == size && problem.b.size() == size && p.size() == size,
          "three rows per contact in W, b and p");
  if (!p.allFinite()) p.setZero();
  clear_idle_components(problem, p);
  ContactReport report;
  report.residual = contact_residual(problem, p);
  // a guess beside which b drowns in rounding, as where b is zero: begin at rest
  if (!(report.residual * std::numeric_limits<double>::epsilon() < 1.0)) {
    p.setZero();
    report.residual = contact_residual(problem, p);
  }
  if (!std::isfinite(report.residual)) {
    report.status = ContactReport::Status::kNotFinite;
  } else if (report.residual <= tolerance) {
    report.status = ContactReport::Status::kConverged;
  }
  return report;
}

bool proves_no_solution(const ContactProblem& problem, const Vector& y) {
  double power = 0.0;   // b·y
  double motion = 0.0;  // W y
  double effort = 0.0;  // what y could move
  const auto normal = [&](int i) {
    return problem.law(i).kind == ContactKind::kContact ? std::max(0.0, y(3 * i)) : 0.0;
  };
  for (int i = 0; i < problem.contacts(); ++i) {
    const BlockMatrix3::Row row = problem.W.row(i);
    Vector3 u = Vector3::Zero();
    for (std::size_t k = 0; k < row.columns.size(); ++k)
      u += row.values[k].col(0) * normal(row.columns[k]);
    motion = std::max(motion, u.cwiseAbs().maxCoeff());
    power += problem.b(3 * i) * normal(i);
    effort = std::max(effort, normal(i) * problem.W.diagonal(i)(0, 0));
  }
  return effort > 0.0 && motion <= kNoMotion * effort && power < 0.0;
}

void ContactProgress::start(const Vector& p, double residual) {
  p_ = p;
  residual_ = residual;
}

bool ContactProgress::offer(const Vector& p, double residual) {
  if (!(residual < residual_)) return false;
  start(p, residual);
  return true;
}

ContactReport end_contact_solve(const ContactProblem& problem, const ContactProgress& progress,
                                const Vector& before, Vector& p, int iterations) {
  ContactReport report;
  report.iterations = iterations;
  report.residual = progress.best();
  p -= before;
  if (proves_no_solution(problem, p)) report.status = ContactReport::Status::kNoSolution;
  p = progress.impulse();
  return report;
}

}  // namespace picus
