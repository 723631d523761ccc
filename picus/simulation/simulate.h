// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "picus/simulation/controller.h"

namespace picus {

class IndependentConstraints;

/// A condition that ends a run where it becomes true. It reads time, positions, velocities and
/// controls.
struct EndingCondition {
  std::string name;                           ///< for messages
  std::function<double(const State&)> value;  ///< positive where it holds
  int marks = 0;                              ///< numbers that change their sign where it jumps
  std::function<void(const State&, std::span<double>)> mark_values = {};
};

struct SimulateOptions {
  double end_time = 1.0;           ///< [s]
  long max_steps = 10'000'000;     ///< attempts, accepted or not
  int max_restarts_in_a_row = 20;  ///< at jumps without a step between them, see System::switches
  /// The run ends where the first of them becomes true: its last step ends there. One that holds at
  /// the start must cease to hold before.
  std::vector<EndingCondition> until = {};
};

/// What an observer sees: the initial state, then every accepted step. Steps that may still be
/// undone (Verdict::provisional) are shown when they are final.
struct Moment {
  const State& state;
  double h = 0.0;  ///< size of the step that led here; 0 at the beginning
  const StepReport& report;
  const System& system;
  const StepView& stepper;  ///< what the stepper tells about the step that led here
  const IndependentConstraints* reduced = nullptr;  ///< what the stepper sees, if not the system
  bool ends = false;                                ///< the run, by one of SimulateOptions::until

  bool is_first() const { return h == 0.0; }
  /// Dense output within the step that led here, fraction in [0, 1].
  void interpolate(double fraction, State& result) const;
};

/// Returning false stops the simulation.
using Observer = std::function<bool(const Moment&)>;

/// A sign change of a switch, behind which the run started anew.
struct Jump {
  double time = 0.0;  ///< [s]
  std::string name;   ///< of the switch
};

/// How and why a simulation ended, and what it cost.
struct [[nodiscard]] Summary {
  enum class Ending {
    kReachedEndTime,
    kReachedCondition,  ///< one of SimulateOptions::until
    kStoppedByObserver,
    kInconsistentStart,
    kStepFailed,
    kConstraintLost,  ///< a constraint that was redundant at the start no longer holds
    kChattering,      ///< a switch changes its sign again and again
    kTooManySteps,
    kAudit  ///< the run broke a law of its parts; runs/audit.h
  };
  Ending ending = Ending::kReachedEndTime;
  StepReport::Status status = StepReport::Status::kOk;  ///< of a step that ended the run
  std::string message;             ///< one sentence for a human; empty when all went well
  std::string condition;           ///< that ended the run, by its name
  std::vector<std::string> notes;  ///< redundant constraints and the like
  long accepted = 0;
  long rejected = 0;
  long newton_iterations = 0;
  long factorizations = 0;
  RefreshCounts<long> refreshed;  ///< factorizations by reason
  long cycles = 0;                ///< of active sets of contacts, see StepReport
  long restarts = 0;              ///< behind jumps
  std::vector<Jump> jumps;        ///< one per restart

  long attempts() const { return accepted + rejected; }
  bool ok() const { return ending <= Ending::kStoppedByObserver; }
};

/// The main loop. Advances `state` in place; the state stays valid whatever the ending.
///
/// A state without accelerations is made consistent first, with the reactions of contacts at rest;
/// one with accelerations is taken as it is. Redundant constraints are left out of the equations,
/// noted in the summary, and their reactions reported as the shortest ones.
///
/// A step over a jump (System::switches) is taken again so that it ends there; the stepper and the
/// controller start anew behind it, with accelerations of the other side.
///
/// A step over the place where a condition of SimulateOptions::until becomes true is taken again,
/// so that it ends there: as accurately as steps of the method know that place.
///
/// Contacts that come and go (System::finds_contacts) are found before every step, which changes
/// the system; a const one that would need it is refused.
Summary simulate(System& system, State& state, Stepper& stepper, Controller& controller,
                 const SimulateOptions& options, const Observer& observe = {});
Summary simulate(const System& system, State& state, Stepper& stepper, Controller& controller,
                 const SimulateOptions& options, const Observer& observe = {});

}  // namespace picus
