// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/gauss_seidel_sweep.h"

#include <algorithm>

#include "picus/solvers/contact_iteration.h"

namespace picus {
namespace {

constexpr int kProvingSweeps = 100;

}  // namespace

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

bool GaussSeidelSweep::proves_no_solution(const ContactProblem& problem, Vector p) const {
  Vector half;
  for (int k = 0; k < kProvingSweeps; ++k) {
    if (2 * k == kProvingSweeps) half = p;
    run(problem, 1.0, k % 2 == 1, p);
  }
  p -= half;
  return picus::proves_no_solution(problem, p);
}

}  // namespace picus
