// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/solvers/anderson_mixing.h"

namespace picus {

/// Limits of friction elements that reactions of joints add to: friction within limits gives
/// reactions, and these give limits. Finds those that agree.
///
///     limits.start(guess);
///     do { … solve with limits.now() … } while (!limits.take(those of the reactions found) &&
///                                               !limits.is_spent());
class ReactionLimits {
 public:
  /// Agreement relative to each limit, or to a small part of its largest so far.
  explicit ReactionLimits(double tolerance) : tolerance_(tolerance) {}

  void start(const Vector& guess);
  /// Whether the limits that follow from now() agree with it; otherwise now() is another guess.
  bool take(const Vector& follows);
  const Vector& now() const { return now_; }
  /// No limits were found: friction presses the joint more than it is allowed by that pressure.
  bool is_spent() const { return count_ >= kMost || !now_.allFinite(); }
  /// The largest disagreement of the last limits, relative.
  double miss() const { return miss_; }

 private:
  static constexpr int kMost = 300;

  double tolerance_;
  Vector now_, largest_;
  AndersonMixing mixing_;
  int count_ = 0;
  double miss_ = 0.0, least_miss_ = 0.0;
};

}  // namespace picus
