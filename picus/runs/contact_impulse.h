// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Impulses of a step at contacts, read off the stepper, and what they do. Internal to the room.

#include <array>
#include <optional>

#include "picus/simulation/simulate.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

/// The equations of a contact: its gap and how it slides.
struct ContactPlaces {
  int gap = 0;
  int first_slip = 0, slips = 0;
};

/// What a contact did in a step [N s].
struct ContactImpulse {
  double normal = 0.0;
  std::array<double, 2> tangential = {0, 0};

  double friction() const;
  /// Of a contact that pushes, with this coefficient of friction. One that does not move sticks,
  /// also with friction at its limit, which is not determined where several hold one body.
  ContactMode mode(double coefficient, bool moves) const;
};

/// The impulses of the step that led to a moment: from the stepper, whose numbering lacks redundant
/// constraints; from the forces of the state when the stepper has none to offer.
class ImpulsesAtContacts {
 public:
  explicit ImpulsesAtContacts(const Moment& moment);
  /// Of the impact alone with which the step ended; none when the method does not report it.
  static std::optional<ImpulsesAtContacts> of_impact(const Moment& moment);

  double normal(int gap) const;
  ContactImpulse of(const ContactPlaces& places) const;

 private:
  ImpulsesAtContacts(const Moment& moment, const Vector* normal, const Vector* tangential);

  const Moment& moment_;
  const Vector *normal_, *tangential_;
  int joints_left_out_ = 0, rollings_left_out_ = 0;
};

/// Whether reactions are known as impulses of the step: with contacts or dry friction, unless the
/// method stops at events, whose reactions are those of the moment and whole.
bool has_mean_reactions(const Moment& moment);
/// Where that is so, gives the state, at any time of the step, the mean reactions of the step in
/// place of its own: those of a method across impacts may be a part of them, and know no impulse.
void set_mean_reactions(const Moment& moment, State& state);

/// Rates of all gaps and slips of a system before and after a step.
struct ContactRates {
  Vector gap, gap_before, slip, slip_before;

  /// −P · (u⁺ + u⁻)/2: the work of an impulse on the mean of the velocities before and after.
  double energy_lost(const ContactPlaces& places, const ContactImpulse& impulse) const;
};

}  // namespace picus
