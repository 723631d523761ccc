// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/contact_leaps.h"

namespace picus {
namespace {

// Measured on contact problems of a heap of a thousand spheres that jams.
constexpr double kEpsilon = 1e-5;
constexpr int kLeapPivots = 30;
constexpr int kSweepsBehind = 200;
constexpr double kTooFar = 1.0;  // of all impulses, in one leap

}  // namespace

void ContactLeaps::begin(const ContactProblem& problem, const Vector& p) {
  path_.prepare(problem);
  p_ = p;
}

void ContactLeaps::run(const ContactProblem& problem, int leaps) {
  for (int k = 0; k < leaps && !converged(); ++k) {
    path_.begin(problem, p_, kEpsilon);
    path_.follow(problem, kLeapPivots);
    path_.impulses_here(landing_);
    const bool lands = (landing_ - p_).norm() <= kTooFar * p_.norm();  // not where it is NaN
    if (lands) p_.swap(landing_);
    sweeps_.start(problem, p_, contact_residual(problem, p_));
    sweeps_.run(problem, kSweepsBehind);
    iterations_ += 1 + path_.pivots() + sweeps_.iterations();
    progress_.offer(sweeps_.progress().impulse(), sweeps_.progress().best());
    p_ = sweeps_.impulse();
  }
}

}  // namespace picus
