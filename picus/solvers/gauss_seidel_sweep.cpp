// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/gauss_seidel_sweep.h"

#include <algorithm>
#include <cmath>

#include "picus/solvers/contact_iteration.h"

namespace picus {
namespace {

constexpr int kProvingSweeps = 100;

}  // namespace

void GaussSeidelSweep::prepare(const ContactProblem& problem) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  locals_.resize(count);
  mobilities_.resize(count);
  for (int i = 0; i < problem.contacts(); ++i) {
    locals_[static_cast<std::size_t>(i)].prepare(problem.W.diagonal(i), problem.law(i));
    const double inertia = contact_inertia(problem, i);
    mobilities_[static_cast<std::size_t>(i)] = 1.0 / (inertia * inertia);
  }
}

// Processors that have them use wider registers here, where most of the time of large problems
// goes. Nothing is rounded otherwise: sums keep their order, and products and sums stay apart.
#if defined(__x86_64__) && !defined(__clang__)
[[gnu::target_clones("avx2", "default")]]
#endif
double
GaussSeidelSweep::run(const ContactProblem& problem, double relaxation, bool backwards,
                      Vector& p) const {
  const int count = problem.contacts();
  double change = 0.0;
  for (int k = 0; k < count; ++k) {
    const int i = backwards ? count - 1 - k : k;
    const auto at = static_cast<std::size_t>(i);
    const Vector3 old = p.segment<3>(3 * i);
    const Vector3 b = problem.velocity(i, p) - problem.W.diagonal(i) * old;
    Vector3 step = locals_[at].solve(b) - old;
    if (relaxation != 1.0) step *= relaxation;
    p.segment<3>(3 * i) = old + step;
    if (relaxation > 1.0) p(3 * i) = std::max(0.0, p(3 * i));
    change = std::max(change, step.squaredNorm() * mobilities_[at]);
  }
  return std::sqrt(change);
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
