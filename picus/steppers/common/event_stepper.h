// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "picus/steppers/common/contact_transition.h"
#include "picus/steppers/common/error_weights.h"
#include "picus/steppers/common/event_bracket.h"
#include "picus/steppers/common/event_phases.h"
#include "picus/steppers/event_methods.h"

namespace picus {

/// From event to event: a smooth method on the phase under way; when it has passed an event, the
/// event is located by shorter attempts, the step ends there (StepReport::taken), and the next one
/// begins in another phase.
///
/// A step without an event allocates nothing; one that ends at an event may, the first time that
/// the phase after it is met.
///
/// Where a spatial slip begins or ends, its direction k/‖k‖ follows the forces within no time at
/// all: an explicit smooth method gives way to an implicit one there.
class EventStepper final : public Stepper, private StatesWithin, private SmoothMethods {
 public:
  /// `critical` is C of acary, Algorithm 1; 0 locates events as exactly as the clock can tell.
  EventStepper(std::string_view name, double critical, const EventDrivenOptions& options,
               OptionValues smooth_options);

  StepperTraits traits() const override;
  void control_error(double tolerance) override { tolerance_ = tolerance; }
  void start(const System& system, const State& state) override;
  /// Modes stay, and so do phases: what follows from joints follows from others that say the same.
  void follow_constraints(const System& system, const State& state) override;
  /// Contacts stay closed, and slip or stick as they do under the forces of now.
  void restart(const System& system, State& state) override;
  StepReport attempt(const System& system, const State& from, double h, State& to) override;
  void accept() override;
  /// Accelerations and reactions follow from positions and velocities where the smooth method has
  /// better ones of these than their straight lines.
  void interpolate(const System& system, double fraction, State& result) const override;
  double smooth_part() const override { return smooth_h_ < taken_ ? smooth_h_ / taken_ : 1.0; }
  StepImpulses impulses() const override;
  /// Of the phase that the step was in.
  std::span<const LawMode> law_modes() const override { return modes_; }
  std::span<const LawMode> next_modes() const override { return next_modes_; }

 private:
  using Phase = EventPhase;

  std::unique_ptr<Stepper> make_smooth() override;
  std::unique_ptr<Stepper> make_implicit() override;
  Phase& phase_of(const System& system, const std::vector<PhaseMode>& modes, const State& state);
  /// Closed contacts keep the gaps of the start; those that close later have none.
  void keep_gaps(const System& system, const State& state, const std::vector<PhaseMode>& modes);
  void close_gaps(const std::vector<PhaseMode>& before, const std::vector<PhaseMode>& after);
  /// Enters the phase of the transition: makes a full state one of it, with its accelerations and
  /// reactions.
  StepReport enter(State& state);
  /// Closes contacts that would bounce too little, where impacts accumulate.
  StepReport close_bounces(const ContactEvent& event, double flight, State& state);
  bool place(Phase& phase);
  void start_phase(const State& from);
  void set_least_slip(const State& from);
  /// Takes the implicit method for a step of this size from now_->from if a slip turns too fast.
  void choose_method(double h);
  /// One attempt of the smooth method; what it says is added to the report.
  bool advance(double h, StepReport& report);
  /// Shortens attempts until every event in them can be resolved; false when none succeeds.
  bool advance_resolved(double& tried, StepReport& report);
  /// The event that the attempt h has met or passed, or that it was aimed at; its function, or -1
  /// when there was none. The smooth part then ends there.
  int find(double h, int aim, StepReport& report);
  /// The same, by shorter attempts where that is no event.
  int find_resolved(double& tried, int aim, StepReport& report);
  int locate(EventBracket bracket, StepReport& report);
  /// The event that the scan of the attempt h has found.
  int locate_within(double h, ScanCrossing found, StepReport& report);
  StepReport cross(const ContactEvent& event, State& to, StepReport report);
  /// At the beginning of the step.
  ContactEvent with_direction(ContactEvent event) const;
  StepReport cross_here(const ContactEvent& event, State& to, const StepReport& report);
  StepReport jam_report(int law) const;
  bool is_accumulating();
  StepReport accumulation_report(int law) const;
  /// Length of the time within which an event near a state is known [s].
  double window(const State& s) const;
  /// The shortest that the clock can tell.
  double least_time(double h) const;
  void sum_impulses();
  /// At a full state of the phase, which may have begun with a slip.
  void find_modes(Phase& phase, const State& state, bool begins, std::vector<LawMode>& to) const;
  /// By the step under way.
  const State* at(double time, bool with_reactions) override;
  double smooth_from(double time) override;
  /// Reactions at between_, which the smooth method has interpolated; false when there are none.
  bool solve_within(Phase& phase) const;

  std::string_view name_;
  double critical_;
  EventDrivenOptions options_;
  OptionValues smooth_options_;
  std::unique_ptr<Stepper> first_smooth_;  ///< made to check its options; for the first phase
  StepperTraits smooth_traits_;
  double tolerance_ = 0.0;

  EventPhases phases_;
  const System* system_ = nullptr;
  Phase* now_ = nullptr;    ///< of the step under way
  Phase* next_ = nullptr;   ///< after it, if it ends at an event
  Phase* shown_ = nullptr;  ///< of the last attempt
  bool starts_ = true;      ///< the phase under way has no history yet
  bool chooses_ = true;     ///< the step under way has no method yet
  bool paradox_ = false;    ///< no reactions at the start obey the laws
  bool shown_impact_ = false;
  ContactTransition transition_;
  State begin_, smooth_end_, end_;  ///< full states: seen_ is where the smooth part ends
  State within_;                    ///< and one before
  mutable State between_;
  double fastest_ = 0.0;  ///< velocity since the start
  double h_ = 0.0, smooth_h_ = 0.0, taken_ = 0.0;
  Vector gaps_, next_gaps_;     ///< of closed contacts, kept; zero for others
  State shares_, next_shares_;  ///< full states, for the reactions that phases do not determine
  Vector impulse_, tangential_impulse_, velocity_before_impact_;
  ErrorWeights motion_;  ///< since the start: how large it is
  Vector moved_;         ///< by a step, or to enter a phase
  std::vector<LawMode> modes_, next_modes_;
  bool begins_ = false, next_begins_ = false;  ///< a law begins to slide with the phase
  double count_begin_ = 0.0;
  int event_count_ = 0;      ///< since then: events, and steps cut short to resolve events
  int instant_events_ = 0;   ///< consecutive events without time between them
  int unresolved_law_ = -1;  ///< the law that cut the step under way short, or -1
};

}  // namespace picus
