// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contacts in the steps of methods that stop at events. Internal to the room.

#include <array>
#include <span>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/runs/step_integral.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

/// A contact in the steps since the last sample: methods of time stepping let contacts hop, a step
/// pushed, a step open, and one step alone would show nothing. Of methods that stop at events, and
/// of compliant contacts, it is the contact at that moment.
struct ContactStatus {
  ContactMode mode = ContactMode::kOpen;    ///< of the last step that pushed
  double total_impulse = 0.0;               ///< along the normal since the start [N s]
  double force = 0.0;                       ///< mean: impulse over the time of the steps [N]
  std::array<double, 2> friction = {0, 0};  ///< the same along the slips [N]
};

/// Steps that end at events are long, and an impact is at the end of its step: what a contact does
/// within one follows from the phase and its reactions at that time. Its impulse is
/// that of the reactions until then; that of an impact counts from the end of its step on.
///
/// Compliant contacts are left as they are.
class PhaseContacts {
 public:
  explicit PhaseContacts(const Mechanism& mechanism)
      : mechanism_(mechanism),
        begin_(mechanism.contacts().size(), 0.0),
        total_(begin_),
        within_(mechanism.contacts().size()) {}

  /// Call it for every moment of a run; `status` is that at its state.
  void observe(const Moment& moment, std::span<ContactStatus> status);
  /// Within the step seen last: `state` is its dense output at a fraction, `last` the status at its
  /// end.
  std::span<const ContactStatus> at(const Moment& moment, double fraction, const State& state,
                                    std::span<const ContactStatus> last);

 private:
  /// Adds the impulses of reactions until a fraction of the step.
  void add_reactions(const Moment& moment, double until, std::vector<double>& total);
  void add_impact(const Moment& moment);
  void fill_status(std::span<const LawMode> modes, const State& state,
                   std::span<const double> total, std::span<ContactStatus> status) const;

  const Mechanism& mechanism_;
  std::vector<double> begin_, total_, until_;  ///< impulses before the step, after it, in it
  std::vector<ContactStatus> within_;
  StepIntegral integral_;
};

}  // namespace picus
