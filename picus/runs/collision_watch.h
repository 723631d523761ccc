// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What groups of colliding balls do during a run.

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/results/impact.h"
#include "picus/runs/contact_impulse.h"
#include "picus/simulation/simulate.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

class CollisionBatch;

/// A contact of a group that carries a force.
struct Touch {
  Vector3 point = Vector3::Zero();  ///< [m]
  Vector3 force = Vector3::Zero();  ///< on the ball, impulse of the step over its size [N]
  ContactMode mode = ContactMode::kOpen;
};

/// A group in the step that led to a moment.
struct CollisionStatus {
  int contacts = 0;          ///< that carry an impulse
  double force = 0.0;        ///< the largest normal one: impulse of the step over its size [N]
  double penetration = 0.0;  ///< the deepest [m]
  std::vector<Touch> touches = {};  ///< the strongest ones, kMostTouches at most
};

/// Follows the contacts that are found as balls move; they have no numbers of their own that last.
class CollisionWatch {
 public:
  /// Up to this number of contacts of a group are reported one by one.
  static constexpr std::size_t kMostTouches = 64;

  explicit CollisionWatch(const Mechanism& mechanism) : status_(mechanism.collisions().size()) {}

  /// Call it for every moment of a run; `report_impact` receives impacts.
  void observe(const Moment& moment, const std::function<void(const Impact&)>& report_impact);

  /// One per group of the mechanism.
  std::span<const CollisionStatus> status() const { return status_; }

 private:
  void observe_group(std::size_t group, const Moment& moment,
                     const std::function<void(const Impact&)>& report_impact);
  ContactMode mode_of(const CollisionBatch& batch, int contact, const Moment& moment,
                      const ContactImpulse& impulse) const;
  Impact impact(const CollisionBatch& batch, int contact, const Moment& moment,
                const ImpulsesAtContacts& impulses) const;
  void tell_touches(const CollisionBatch& batch, const Moment& moment, CollisionStatus& status);

  std::vector<CollisionStatus> status_;
  std::unordered_map<std::uint64_t, long> last_acted_;  ///< pair → step
  long step_ = 0;
  double largest_ = 0.0;  ///< impulse so far, relative to which one counts as none
  State before_;
  Vector gap_;
  ContactRates rates_;
  std::vector<std::pair<double, int>> acting_;  ///< impulse and contact, of the group under way
};

}  // namespace picus
