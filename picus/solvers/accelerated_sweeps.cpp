// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/accelerated_sweeps.h"

#include <algorithm>

namespace picus {
namespace {

constexpr int kPairsPerCheck = 5;       // of sweeps, between evaluations of the residual
constexpr int kChecksWithoutGain = 10;  // then acceleration has lost its way
constexpr int kPlainPairs = 50;         // of sweeps to find it again, each time as many more
constexpr int kStallsPerShrink = 3;     // losing it again and again is a cycle: smaller steps
constexpr double kShrinkage = 0.7, kLeastRelaxation = 0.1;
// A pair of sweeps that changes velocities by less than this many tolerances may be the last.
constexpr double kNearlyThere = 3.0;
constexpr double kOvershoot = 2.0;  // of the smallest change: earlier sweeps mislead

}  // namespace

void AcceleratedSweeps::begin(const ContactProblem& problem, const Vector& p) {
  sweep_.prepare(problem);
  weights_.resize(problem.b.size());
  for (int i = 0; i < problem.contacts(); ++i)
    weights_.segment<3>(3 * i).setConstant(1.0 / contact_inertia(problem, i));
  mixing_.start(options_.memory, weights_);
  p_ = p;
  relaxation_ = options_.relaxation;
  least_miss_ = std::numeric_limits<double>::infinity();
  idle_ = stalls_ = plain_ = 0;
}

void AcceleratedSweeps::run(const ContactProblem& problem, int sweeps) {
  const double near = kNearlyThere * options_.tolerance * problem.residual_speed();
  for (const int end = iterations_ + sweeps; iterations_ + 2 <= end && !converged();) {
    iterations_ += 2;
    swept_ = p_;
    sweep_.run(problem, relaxation_, false, swept_);
    const double change = sweep_.run(problem, relaxation_, true, swept_);
    if (change <= near || iterations_ % (2 * kPairsPerCheck) == 0) {
      const bool is_best = progress_.offer(swept_, contact_residual(problem, swept_));
      idle_ = is_best || plain_ > 0 ? 0 : idle_ + 1;
    }
    accelerate();
    if (idle_ == kChecksWithoutGain) begin_plain_sweeps();
  }
}

// p becomes the impulses to go on from, given those that sweeps have made of it.
void AcceleratedSweeps::accelerate() {
  if (plain_ > 0) {
    --plain_;
    p_ = swept_;
    return;
  }
  mixing_.mix(swept_, p_);
  if (mixing_.miss() > kOvershoot * least_miss_) {
    mixing_.forget();
    p_ = swept_;
    least_miss_ = mixing_.miss();
  }
  least_miss_ = std::min(least_miss_, mixing_.miss());
}

void AcceleratedSweeps::begin_plain_sweeps() {
  idle_ = 0;
  mixing_.forget();
  plain_ = kPlainPairs * ++stalls_;
  if (stalls_ % kStallsPerShrink == 0)
    relaxation_ = std::max(kLeastRelaxation, kShrinkage * relaxation_);
}

}  // namespace picus
