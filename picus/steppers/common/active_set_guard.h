// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A Newton method on active sets may come back to a set it has left, and go round for ever. But
// nonlinear problems may also come back and converge, so a few returns are allowed.

#include <algorithm>
#include <vector>

namespace picus {

/// What to do about a set that was seen before in this step, or an iteration that fails. Each
/// remedy begins the iteration again and is tried after the ones before it.
enum class Remedy {
  kAll,        ///< every contact takes the state it wants
  kSticking,   ///< but those that close stick at first: only then one sees whether they slip
  kOneByOne,   ///< one contact at a time: ends for every problem whose matrix is a P-matrix
  kImpulsive,  ///< the same, and no contact takes part in the smooth motion
  kUnmoved,    ///< the same, and friction impulses move no positions
  kHopeless    ///< all was in vain
};

/// Remembers the active sets of a step and escalates when one returns. A State is comparable, and
/// a.rank(b) is the importance of their difference: the smallest comes first.
template <class State>
class ActiveSetGuard {
 public:
  using Set = std::vector<State>;

  void start(std::size_t contacts) {
    seen_.clear();
    seen_.reserve(kMemory * contacts);
    begin_step();
  }
  void begin_step() {
    seen_.clear();
    remedy_ = Remedy::kAll;
    cycles_ = returns_ = 0;
  }

  /// From `current` towards `wanted`, as far as the remedy under way allows.
  void approach(const Set& current, const Set& wanted, Set& next) const {
    next = wanted;
    if (remedy_ < Remedy::kOneByOne) return;
    std::size_t first = next.size();
    for (std::size_t j = 0; j < next.size(); ++j) {
      if (wanted[j] == current[j]) continue;
      if (first == next.size() || current[j].rank(wanted[j]) < current[first].rank(wanted[first]))
        first = j;
    }
    for (std::size_t j = 0; j < next.size(); ++j)
      if (j != first) next[j] = current[j];
  }

  /// False when the iteration goes round: then the next remedy is under way.
  bool admits(const Set& current, const Set& next) {
    if (remedy_ == Remedy::kHopeless || next == current || !has_seen(next)) return true;
    if (++returns_ <= kMostReturns) return true;
    ++cycles_;
    escalate();
    return false;
  }
  /// The next remedy; false when none is left.
  bool escalate() {
    if (remedy_ == Remedy::kHopeless) return false;
    returns_ = 0;
    remedy_ = static_cast<Remedy>(static_cast<int>(remedy_) + 1);
    if (remedy_ == Remedy::kImpulsive && !may_be_impulsive_) remedy_ = Remedy::kHopeless;
    seen_.clear();
    return remedy_ != Remedy::kHopeless;
  }
  /// Without the remedy kImpulsive.
  void keep_smooth_motion() { may_be_impulsive_ = false; }

  void remember(const Set& set) {
    const auto size = static_cast<std::ptrdiff_t>(set.size());
    if (seen_.size() >= set.size() && std::equal(set.begin(), set.end(), seen_.end() - size))
      return;
    if (seen_.size() >= kMemory * set.size()) seen_.erase(seen_.begin(), seen_.begin() + size);
    seen_.insert(seen_.end(), set.begin(), set.end());
  }

  Remedy remedy() const { return remedy_; }
  int cycles() const { return cycles_; }

 private:
  static constexpr std::size_t kMemory = 32;  // sets
  static constexpr int kMostReturns = 5;      // returns to old sets

  bool has_seen(const Set& set) const {
    for (auto at = seen_.begin(); at != seen_.end(); at += static_cast<std::ptrdiff_t>(set.size()))
      if (std::equal(set.begin(), set.end(), at)) return true;
    return false;
  }

  Set seen_;  ///< one after the other
  Remedy remedy_ = Remedy::kAll;
  int cycles_ = 0, returns_ = 0;
  bool may_be_impulsive_ = true;
};

}  // namespace picus
