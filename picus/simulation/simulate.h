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
  const StepView& stepper;  ///< dense output, impulses and modes of the step that led here
  const IndependentConstraints* reduced = nullptr;  ///< what the stepper integrates, if reduced
  bool ends = false;                                ///< the run, by one of SimulateOptions::until

  bool is_first() const { return h == 0.0; }
  /// Dense output within the step that led here, fraction in [0, 1].
  void interpolate(double fraction, State& result) const;
};

/// Returning false stops the simulation.
using Observer = std::function<bool(const Moment&)>;

/// A sign change of a switch, after which the run restarted.
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
    kChattering,      ///< a switch keeps changing sign without progress
    kTooManySteps,
    kAudit  ///< the run violated a law of its parts; runs/audit.h
  };
  Ending ending = Ending::kReachedEndTime;
  StepReport::Status status = StepReport::Status::kOk;  ///< of a step that ended the run
  std::string message;                                  ///< why the run failed; empty if it did not
  std::string condition;                                ///< that ended the run, by its name
  std::vector<std::string> notes;                       ///< redundant constraints and the like
  long accepted = 0;
  long rejected = 0;
  long newton_iterations = 0;
  long factorizations = 0;
  RefreshCounts<long> refreshed;  ///< factorizations by reason
  long cycles = 0;                ///< of active sets of contacts, see StepReport
  long restarts = 0;              ///< after jumps
  std::vector<Jump> jumps;        ///< one per restart

  long attempts() const { return accepted + rejected; }
  bool ok() const { return ending <= Ending::kStoppedByObserver; }
};

/// The main loop: runs `state` to options.end_time, in place. The state stays valid however the run
/// ends; check Summary::ok().
///
///     FixedStep control(1e-3);                            // or AdaptiveStep
///     const auto stepper = make_stepper("soi2");
///     const Summary summary = simulate(system, state, *stepper, control, {.end_time = 2.0});
///
/// A state without accelerations is made consistent first, with the reactions of resting contacts;
/// one with accelerations is used as it is. Redundant constraints are removed from the equations
/// and noted in the summary; their reported reactions are those of least norm.
///
/// A step across a jump (System::switches) is repeated so that it ends there; the stepper and the
/// controller then restart with the accelerations after the jump.
///
/// A step over the place where a condition of SimulateOptions::until becomes true is taken again,
/// so that it ends there: as accurately as steps of the method know that place.
///
/// Contacts that come and go (System::finds_contacts) are found before every step, in a system of
/// the run's own (System::for_run): Moment::system. Their multipliers end with the run.
Summary simulate(const System& system, State& state, Stepper& stepper, Controller& controller,
                 const SimulateOptions& options, const Observer& observe = {});

}  // namespace picus
