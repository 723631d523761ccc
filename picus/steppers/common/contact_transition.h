// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "picus/steppers/common/contact_events.h"
#include "picus/steppers/common/moreau_stepper.h"
#include "picus/steppers/common/resting_slips.h"
#include "picus/steppers/event_methods.h"
#include "picus/steppers/resting_contacts.h"

namespace picus {

/// From one phase to the next: the impact, if there is one, and the modes after the event.
///
/// An impact is a step of Moreau over a short time. Simultaneous: the contacts that close act
/// together with all that touch, whether a force holds them together or not. Sequential: those that
/// approach act, then those that approach after that, until none does. Modes follow from the laws
/// at the level of accelerations; where two would do, as at the very moment a law begins to slip,
/// the event decides.
///
/// Call start() once for a system, settle() for the first modes, cross() at every event; after it
/// modes(), impulse() and duration() say what came of it. If find_least_bounces() then finds any,
/// close_bounces() crosses the same event without them.
class ContactTransition {
 public:
  struct Limits {
    double duration = 0.0;                  ///< of the step of Moreau [s]
    double flight = 0.0;                    ///< shortest time between two impacts [s]
    double zero_force = 0.0;                ///< a contact with a reaction below this opens
    const RestingSlips* resting = nullptr;  ///< of the phase, right before the event
  };

  explicit ContactTransition(ImpactOrder order);
  void start(const System& system, const State& state);

  /// Modes at a state, without an event: of contacts at rest. When there are none, the report says
  /// so, and all that touches is closed: cross() the paradox.
  StepReport settle(const System& system, State& state, std::vector<PhaseMode>& modes);
  /// Crosses an event of `phase` at the full state `at`; `to` is after it.
  StepReport cross(const ContactPhase& phase, const ContactEvent& event, const State& at,
                   const Limits& limits, State& to);

  /// A bounce that is shorter or lower than this is not followed.
  struct LeastBounce {
    double flight = 0.0;  ///< [s]
    double height = 0.0;  ///< [m]
  };
  /// Lists the contacts that would come back so soon, at the state after an impact with the
  /// accelerations of its modes; the number of them.
  int find_least_bounces(const System& system, const LeastBounce& least, const State& state);
  /// The impact of cross() again, but they do not bounce. The impulses until they would have come
  /// to rest are the same.
  StepReport close_bounces(const ContactPhase& phase, const ContactEvent& event, const State& at,
                           State& to);

  const std::vector<PhaseMode>& modes() const { return modes_; }
  /// A contact that takes part in the impact.
  int striking() const { return striking_.front(); }
  bool had_impact() const { return had_impact_; }
  /// How long the transition took [s]; 0 without an impact.
  double duration() const { return duration_; }
  /// Whether positions or velocities have to be moved onto the equations of the new phase.
  bool needs_projection() const { return needs_projection_; }
  /// Of the impact, in the places of λ and ψ.
  const Vector& impulse() const { return impulse_; }
  const Vector& tangential_impulse() const { return tangential_impulse_; }

 private:
  /// What contacts are at the state under examination.
  struct Surfaces {
    Vector gap, gap_rate, gap_acceleration, slip, slip_rate, limits;
  };
  bool strikes(const System& system, const ContactEvent& event, const State& at, double duration);
  /// Touches at a state and does not part: it takes part in an impact of others.
  bool leans(const ContactPhase& phase, int contact) const;
  void involve(const ContactPhase& phase);
  StepReport strike(const ContactPhase& phase, const State& at, State& to);
  /// One step of Moreau in which acting_ act; adds their impulses.
  StepReport strike_once(const System& system, const State& at, State& to);
  /// Sequential: lists those that touch and approach; false when none does.
  bool find_approaching(const System& system, const State& at);
  /// Whether a law is closed after the event, as far as gaps and their rates tell.
  bool touches(const ContactPhase& phase, const ContactEvent& event, int law) const;
  /// Whether a law that slips by its mode has been at rest until the event: which of several carry
  /// their limit is a matter of how friction was shared, and is asked again.
  bool rests(int law) const { return resting_slips_ != nullptr && resting_slips_->rests(law); }
  bool rests_with(const ContactEvent& event, const PhaseMode& mode, const ContactLaw& surface,
                  const Vector2& slip) const;
  static bool is_dragged_with(const ContactEvent& event, const PhaseMode& mode,
                              const Vector2& slip);
  TouchingLaw touch_of(const ContactPhase& phase, const ContactEvent& event, int law,
                       const State& at) const;
  void list_touches(const ContactPhase& phase, const ContactEvent& event, const State& at,
                    const State& to);
  bool find_modes(const System& system, State& state, double friction = 1.0);
  /// Solves what touches; where nothing begins to move, with friction off its limits if that will
  /// do: reactions that are not determined may be shared so that a law is at its limit in vain.
  bool solve_resting(const System& system, State& state);
  /// Whether a law that rests has friction at its limit.
  bool rests_at_limit(const System& system, const State& state) const;
  /// The part of its limit that friction of what rests needs, shared as well as can be, or little
  /// more.
  double friction_needed(const State& state);
  /// Whether other reactions than those of the phase keep the law of the event as it was.
  bool share_again(const ContactPhase& phase, const ContactEvent& event, const State& at,
                   State& to);
  /// Of a law with a reaction; `limit` is the largest friction.
  static PhaseMode closed_mode(const TouchingLaw& touch, const ContactLaw& law, const State& state,
                               double limit);
  PhaseMode unheld_mode(const ContactLaw& law, const State& state) const;
  StepReport no_modes(const System& system) const;

  ImpactOrder order_;
  std::unique_ptr<MoreauStepper> critical_;
  std::unique_ptr<MoreauStepper> rounded_;  ///< where rounding keeps that one from its tolerance
  RestingContacts resting_;
  const RestingSlips* resting_slips_ = nullptr;
  std::vector<int> striking_, bouncing_;
  Vector unfollowed_;          ///< rates of contacts below which bounces are not followed [m/s]
  std::vector<int> acting_;    ///< in a step of Moreau, ascending
  std::vector<int> involved_;  ///< in the impact, ascending: striking_, and all that touch
  std::vector<TouchingLaw> touches_;
  std::vector<PhaseMode> modes_;
  bool had_impact_ = false, needs_projection_ = false;
  // sizes up to which gaps, rates and reactions count as zero
  double zero_length_ = 0.0, zero_speed_ = 0.0, zero_force_ = 0.0;
  double once_ = 0.0, duration_ = 0.0;  ///< of a step of Moreau, and of all of them
  Vector impulse_, tangential_impulse_;
  State between_;  ///< two impacts of a sequence
  State shared_;   ///< another solution of the laws
  Surfaces surfaces_;
};

}  // namespace picus
