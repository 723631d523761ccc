// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/momentum_sweeps.h"

#include <algorithm>

namespace picus {
namespace {

// 1 − β of a contact: at first, its bounds, and what becomes of it where momentum helps and where
// it leads astray. Measured on problems of a thousand spheres.
constexpr double kFirstDrag = 0.1, kLeastDrag = 0.01, kMostDrag = 1.0;
constexpr double kSpeedingUp = 0.98, kSlowingDown = 1.5;
// Where so many sweeps do not halve the residual the heap as a whole swings: everywhere more drag.
constexpr int kSweepsPerGain = 300;
constexpr double kExpectedGain = 0.5, kCalming = 2.0, kRecovery = 0.7;
// Up to this at first; later, where even that has led nowhere, to plain sweeps.
constexpr double kCalm = 0.15;
constexpr int kLongSweeps = 4000;
// Within so many tolerances it is momentum that disturbs: it has to settle, too.
constexpr double kSettling = 5.0, kSettlingDrag = 0.08;
constexpr int kPlainSweeps = 10;     // at first, while contacts adjust to their neighbours
constexpr int kSweepsPerCheck = 20;  // between evaluations of the residual
// A sweep that changes velocities by less than this many tolerances may be the last.
constexpr double kArrival = 1.0;

}  // namespace

void MomentumSweeps::begin(const ContactProblem& problem, const Vector& p) {
  sweep_.prepare(problem);
  p_ = swept_ = last_ = p;
  drag_.assign(problem.laws.size(), kFirstDrag);
  least_drag_ = kLeastDrag;
  before_ = now_ = progress_.best();
}

void MomentumSweeps::run(const ContactProblem& problem, int sweeps) {
  const double near = kArrival * tolerance_ * problem.residual_speed();
  for (const int end = iterations_ + sweeps; iterations_ < end && !converged();) {
    ++iterations_;
    swept_ = p_;
    const double change = sweep_.run(problem, 1.0, false, swept_);
    if (change <= near || iterations_ % kSweepsPerCheck == 0 || iterations_ == end)
      progress_.offer(swept_, now_ = contact_residual(problem, swept_));
    if (iterations_ % kSweepsPerGain == 0) adjust_drag();
    if (iterations_ > kPlainSweeps) {
      go_further();
    } else {
      p_ = last_ = swept_;
    }
  }
}

void MomentumSweeps::adjust_drag() {
  const bool has_gained = progress_.best() <= kExpectedGain * before_;
  least_drag_ = std::clamp(least_drag_ * (has_gained ? kRecovery : kCalming), kLeastDrag,
                           iterations_ < kLongSweeps ? kCalm : kMostDrag);
  before_ = progress_.best();
}

// A contact that the sweep has sent back has too much momentum.
void MomentumSweeps::go_further() {
  const bool settles = !is_brief_ && now_ < kSettling * tolerance_;
  const double least = settles ? std::max(least_drag_, kSettlingDrag) : least_drag_;
  for (std::size_t i = 0; i < drag_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    const Vector3 here = swept_.segment<3>(at), way = here - last_.segment<3>(at);
    const bool continues = way.dot(here - p_.segment<3>(at)) >= 0.0;
    drag_[i] = std::clamp(drag_[i] * (continues ? kSpeedingUp : kSlowingDown), least, kMostDrag);
    p_.segment<3>(at) = here + (1.0 - drag_[i]) * way;
  }
  last_ = swept_;
}

}  // namespace picus
