// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What contacts do during a run: impulses, modes, impacts.

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/results/impact.h"
#include "picus/runs/contact_impulse.h"
#include "picus/simulation/simulate.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

/// A contact in the step that led to a moment.
struct ContactStatus {
  ContactMode mode = ContactMode::kOpen;
  double total_impulse = 0.0;               ///< along the normal since the start [N s]
  double force = 0.0;                       ///< impulse of the step over its size [N]
  std::array<double, 2> friction = {0, 0};  ///< the same along the slips [N]
};

/// Follows the contacts of a mechanism step by step.
class ContactWatch {
 public:
  /// Below this part of its largest impulse a contact is open.
  static constexpr double kNone = 1e-9;
  /// A contact that was open for fewer steps has not been seen to fly: methods let contacts with
  /// restitution on curved surfaces hop by the order of a step.
  static constexpr long kFlight = 3;

  explicit ContactWatch(const Mechanism& mechanism);

  /// Call it for every moment of a run; `tell` hears of impacts.
  void see(const Moment& moment, const std::function<void(const Impact&)>& tell);

  /// One per contact of the mechanism.
  std::span<const ContactStatus> status() const { return status_; }

 private:
  ContactImpulse impulse_of(const AssembledContact& contact, const Moment& moment) const;
  ContactMode mode_of(std::size_t index, const ContactImpulse& impulse) const;

  const Mechanism& mechanism_;
  std::vector<ContactStatus> status_;
  std::vector<double> largest_;  ///< impulse of a step so far, by which none is told
  std::vector<long> open_steps_;
  State before_impact_;
  ContactRates rates_;
};

}  // namespace picus
