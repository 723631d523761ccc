// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/proximal_pivots.h"

#include <algorithm>

namespace picus {
namespace {

// Measured on contact problems of heaps of a thousand disks and spheres.
constexpr double kFirstEpsilon = 1e-3, kLeastEpsilon = 1e-10, kMostEpsilon = 1e3;
constexpr double kEpsilonGrowth = 3.0;
constexpr int kPathPivots = 200;      // after which a path counts as lost
constexpr double kEasyEpsilon = 0.1;  // from which it may be as long as there are contacts
constexpr int kPivotsPerContact = 4;
constexpr double kPromisedGain = 0.1;  // part of what t promises that F must have lost

// What ε is multiplied by after a path that has arrived.
double shrinkage_after(int pivots) {
  return pivots < 5 ? 0.1 : pivots < 20 ? 0.3 : 0.5;
}

}  // namespace

void ProximalPivots::begin(const ContactProblem& problem, const Vector& p) {
  path_.prepare(problem);
  p_ = p;
  epsilon_ = kFirstEpsilon;
}

bool ProximalPivots::stuck() const {
  return epsilon_ > kMostEpsilon;
}

void ProximalPivots::run(const ContactProblem& problem, int iterations) {
  const int longest = std::max(kPathPivots, kPivotsPerContact * problem.contacts());
  for (const int end = iterations_ + iterations; iterations_ < end && !converged() && !stuck();) {
    path_.begin(problem, p_, epsilon_);
    path_.follow(problem, epsilon_ < kEasyEpsilon ? kPathPivots : longest);
    iterations_ += 1 + path_.pivots();
    const Gain gain = path_.arrives() ? take_from_path(problem) : Gain::kNone;
    if (gain == Gain::kWhole) epsilon_ *= shrinkage_after(path_.pivots());
    if (gain == Gain::kNone) epsilon_ *= kEpsilonGrowth;
    epsilon_ = std::max(kLeastEpsilon, epsilon_);
  }
}

// p becomes the impulses of the last stop where F is smaller than at the start.
ProximalPivots::Gain ProximalPivots::take_from_path(const ContactProblem& problem) {
  path_.straighten(problem);
  for (std::size_t stop = PivotingPath::kStops.size(); stop-- > 0;) {
    const double t = PivotingPath::kStops[stop];
    const double miss = path_.impulses_at(problem, stop, trial_);
    if (!(miss < (1.0 - kPromisedGain * (1.0 - t)) * path_.miss())) continue;
    p_.swap(trial_);
    progress_.offer(p_, contact_residual(problem, p_));
    return t == 0.0 ? Gain::kWhole : Gain::kPart;
  }
  return Gain::kNone;
}

}  // namespace picus
