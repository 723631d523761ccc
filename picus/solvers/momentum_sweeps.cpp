// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/momentum_sweeps.h"

#include <algorithm>

namespace picus {
namespace {

// β: problems of a thousand spheres are solved by 0.93 soonest; 0.97 does not converge there.
constexpr double kMomentum = 0.93;
constexpr int kPlainSweeps = 10;     // at first, while contacts adjust to their neighbours
constexpr int kSweepsPerCheck = 10;  // between evaluations of the residual
constexpr int kIdleChecks = 40;      // then β is too large
constexpr double kCalming = 1.5;     // of 1 − β
constexpr double kLeastMomentum = 0.3;
constexpr double kSmaller = 0.7, kSmallest = 0.1;
// A sweep that changes velocities by less than this many tolerances may be the last.
constexpr double kArrival = 1.0;

}  // namespace

void MomentumSweeps::start(const ContactProblem& problem, const Vector& p, double residual) {
  sweep_.prepare(problem);
  progress_.start(p, residual);
  p_ = swept_ = p;
  relaxation_ = 1.0;
  momentum_ = kMomentum;
  sweeps_ = idle_ = 0;
}

void MomentumSweeps::run(const ContactProblem& problem, int sweeps) {
  const double near = kArrival * tolerance_ * problem.residual_speed();
  for (const int end = sweeps_ + sweeps; sweeps_ < end && !converged();) {
    ++sweeps_;
    last_.swap(swept_);
    swept_ = p_;
    const double change = sweep_.run(problem, relaxation_, false, swept_);
    if (change <= near || sweeps_ % kSweepsPerCheck == 0)
      idle_ = progress_.offer(swept_, contact_residual(problem, swept_)) ? 0 : idle_ + 1;
    p_ = swept_;
    if (sweeps_ > kPlainSweeps) p_ += momentum_ * (swept_ - last_);
    if (idle_ == kIdleChecks) calm_down();
  }
}

void MomentumSweeps::calm_down() {
  idle_ = 0;
  p_ = swept_;
  if (momentum_ == 0.0) relaxation_ = std::max(kSmallest, kSmaller * relaxation_);
  momentum_ = 1.0 - kCalming * (1.0 - momentum_);
  if (momentum_ < kLeastMomentum) momentum_ = 0.0;
}

}  // namespace picus
