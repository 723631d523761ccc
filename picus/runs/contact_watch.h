// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What contacts do during a run: impulses, modes, impacts.

#include <functional>
#include <span>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/results/impact.h"
#include "picus/runs/contact_impulse.h"
#include "picus/runs/phase_contacts.h"
#include "picus/simulation/simulate.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

/// Follows the contacts of a mechanism step by step.
class ContactWatch {
 public:
  /// Below this part of its largest impulse a contact is open.
  static constexpr double kNone = 1e-9;
  /// A contact that approaches more slowly than this part of the largest gap velocity so far, or
  /// than kStill, is at rest: it has what rounding and the solver of impulses left when it came to
  /// rest.
  static constexpr double kAtRest = 1e-9;
  static constexpr double kStill = 1e-12;  ///< [m/s]
  /// A contact that was open for fewer steps has not been seen to fly: methods let contacts with
  /// restitution on curved surfaces hop by the order of a step.
  static constexpr long kFlight = 3;

  explicit ContactWatch(const Mechanism& mechanism);

  /// Call it for every moment of a run; `tell` hears of impacts.
  void see(const Moment& moment, const std::function<void(const Impact&)>& tell);

  /// One per contact of the mechanism.
  std::span<const ContactStatus> status() const { return status_; }
  /// The same within the step seen last; `state` is its dense output at that fraction.
  std::span<const ContactStatus> status_at(const Moment& moment, double fraction,
                                           const State& state);

 private:
  ContactImpulse impulse_of(const AssembledContact& contact, const Moment& moment) const;
  ContactMode mode_of(std::size_t index, const ContactImpulse& impulse) const;
  /// Whether it did before the step, or before the impact in it.
  bool approaches(std::size_t index) const;
  /// What touches at the start, by its reactions.
  void see_start(const State& state);

  const Mechanism& mechanism_;
  std::vector<ContactStatus> status_;
  std::vector<double> largest_;  ///< impulse of a step so far, by which none is told
  double fastest_ = 0.0;         ///< gap velocity so far, by which rest is told
  std::vector<long> open_steps_;
  State before_impact_;
  ContactRates rates_;
  PhaseContacts phase_;  ///< of methods that stop at events
};

}  // namespace picus
