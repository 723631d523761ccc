// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/reaction_limits.h"

#include <cmath>
#include <limits>

namespace picus {
namespace {

constexpr int kMemory = 4;
// Mixing helps on one branch of the laws. Where they change from stick to slip and back it may not
// settle, and plain iterations, which contract by about the coefficient of friction, may.
constexpr int kPlainFrom = 60;
constexpr double kWorse = 10.0;  // times the best so far: images of another branch
constexpr double kLeap = 4.0;
// Of its largest so far: a limit that vanishes with its reaction need not be known better.
constexpr double kSmall = 1e-3;

}  // namespace

void ReactionLimits::start(const Vector& guess) {
  if (largest_.size() != guess.size()) largest_ = Vector::Zero(guess.size());
  now_ = guess;
  count_ = 0;
  least_miss_ = std::numeric_limits<double>::infinity();
  largest_ = largest_.cwiseMax(guess.cwiseAbs());
}

bool ReactionLimits::take(const Vector& follows) {
  miss_ = 0.0;
  for (int j = 0; j < now_.size(); ++j) {
    const double size = std::max(std::abs(follows(j)), std::abs(now_(j)));
    largest_(j) = std::max(largest_(j), size);
    const double off = std::abs(follows(j) - now_(j));
    if (off > 0.0) miss_ = std::max(miss_, off / std::max(size, kSmall * largest_(j)));
  }
  if (miss_ <= tolerance_) return true;
  if (count_ == 0)
    mixing_.start(kMemory, largest_.unaryExpr([](double x) { return x > 0.0 ? 1.0 / x : 0.0; }));
  ++count_;
  if (miss_ > kWorse * least_miss_) mixing_.forget();
  least_miss_ = std::min(least_miss_, miss_);
  if (count_ < kPlainFrom)
    mixing_.mix(follows, now_);
  else
    now_ = follows;
  // a limit below zero would agree: on this branch there is none, and limits grow until another
  // one, where friction holds what presses, ends that
  if (now_.size() > 0 && now_.minCoeff() < 0.0) now_ = kLeap * follows;
  return false;
}

}  // namespace picus
