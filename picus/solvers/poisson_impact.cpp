// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/poisson_impact.h"

#include <algorithm>

namespace picus {
namespace {

// Of the largest velocity: approaches that are none, and what velocities and impulses of a contact
// may miss its state by.
constexpr double kNoApproach = 1e-12;
constexpr double kAgreesWithState = 1e-9;

// Sets of contacts that part are found by trying; each round changes all that disagree, and later
// ones a single contact.
int rounds_at_once(int contacts) {
  return 4 + contacts;
}

bool any_approaches(const ContactProblem& problem, const Vector& before) {
  for (int i = 0; i < problem.contacts(); ++i)
    if (problem.law(i).kind == ContactKind::kContact &&
        before(3 * i) < -kNoApproach * max_abs(before))
      return true;
  return false;
}

}  // namespace

ContactReport PoissonImpact::compress(ContactSolver& solver, const Vector& before,
                                      ContactProblem& problem, const Vector& guess) {
  compression_ = guess;
  after_forces_ = problem.b;
  problem.b = before;
  const ContactReport report = solver.solve(problem, compression_);
  problem.b = after_forces_;
  return report;
}

ContactReport PoissonImpact::solve(ContactSolver& solver, const Vector& before,
                                   std::span<const double> parts, ContactProblem& problem,
                                   Vector& p) {
  const int count = problem.contacts();
  laws_ = problem.laws;
  bound_.assign(parts.size(), 0.0);
  parts_.assign(parts.size(), 0);
  given_.setZero(3 * count);
  after_forces_ = problem.b;
  if (!any_approaches(problem, before)) return solver.solve(problem, p);
  if (const ContactReport report = compress(solver, before, problem, p); !report.ok())
    return report;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (parts[at] == kOther) continue;
    given_.segment<3>(3 * i) = compression_.segment<3>(3 * i);
    bound_[at] = parts[at] * compression_(3 * i);
    parts_[at] = bound_[at] > 0.0;
  }
  compression_ = given_;
  const int patient = rounds_at_once(count), longest = patient + 10 * count;
  ContactReport report;
  for (int round = 0; round < longest; ++round) {
    state_expansion(problem);
    p.setZero();
    report = solver.solve(problem, p);
    if (!report.ok() || !revise(problem, p, round >= patient)) return report;
  }
  report.status = ContactReport::Status::kIterationLimit;
  return report;
}

// A contact that parts has its normal impulse, and with it the largest friction.
void PoissonImpact::state_expansion(ContactProblem& problem) {
  given_ = compression_;
  problem.laws = laws_;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!parts_[i]) continue;
    given_(static_cast<int>(3 * i)) += bound_[i];
    problem.laws[i] = {ContactKind::kFriction, laws_[i].coefficient * bound_[i]};
  }
  problem.b = after_forces_;
  for (int i = 0; i < problem.contacts(); ++i)
    problem.b.segment<3>(3 * i) += problem.W.row_times(i, given_);
}

bool PoissonImpact::revise(const ContactProblem& problem, const Vector& p, bool one_by_one) {
  const double speed = std::max(max_abs(after_forces_), max_abs(problem.b));
  bool changed = false;
  for (int i = 0; i < problem.contacts() && !(changed && one_by_one); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (bound_[at] == 0.0) continue;
    if (parts_[at]) {
      if (problem.velocity(i, p)(0) >= -kAgreesWithState * speed) continue;
    } else if (p(3 * i) >= bound_[at] - kAgreesWithState * speed * contact_inertia(problem, i)) {
      continue;
    }
    parts_[at] = !parts_[at];
    changed = true;
  }
  return changed;
}

}  // namespace picus
