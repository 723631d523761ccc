// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What groups of colliding balls do during a run.

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/results/impact.h"
#include "picus/simulation/simulate.h"

namespace picus {

/// A group in the step that led to a moment.
struct CollisionStatus {
  int contacts = 0;          ///< that carry an impulse
  double force = 0.0;        ///< the largest normal one: impulse of the step over its size [N]
  double penetration = 0.0;  ///< the deepest [m]
};

/// Follows the contacts that are found as balls move; they have no numbers of their own that last.
class CollisionWatch {
 public:
  explicit CollisionWatch(const Mechanism& mechanism)
      : mechanism_(mechanism), status_(mechanism.collisions().size()) {}

  /// Call it for every moment of a run; `tell` hears of impacts.
  void see(const Moment& moment, const std::function<void(const Impact&)>& tell);

  /// One per group of the mechanism.
  std::span<const CollisionStatus> status() const { return status_; }

 private:
  void see_group(std::size_t group, const Moment& moment,
                 const std::function<void(const Impact&)>& tell);
  Impact impact(const CollisionBatch& batch, int contact, const Moment& moment,
                double impulse) const;

  const Mechanism& mechanism_;
  std::vector<CollisionStatus> status_;
  std::unordered_map<std::uint64_t, long> last_acted_;  ///< pair → step
  long step_ = 0;
  double largest_ = 0.0;  ///< impulse so far, by which none is told
  State before_;
  Vector gap_, rate_, rate_before_, slip_, slip_before_;
};

}  // namespace picus
