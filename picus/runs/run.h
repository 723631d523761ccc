// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a loaded model to a result: assembly, choice of the integrator, the run, the record.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "picus/dynamics/consistent_state.h"
#include "picus/io/model_file.h"
#include "picus/runs/audit.h"
#include "picus/runs/plan.h"
#include "picus/runs/record.h"
#include "picus/simulation/simulate.h"

namespace picus {

/// A body that assembly had to move.
struct MovedBody {
  std::string name;
  double distance = 0.0;  ///< [m]
  double angle = 0.0;     ///< [rad]
};

/// The mechanism at its start: joints closed, velocities and reactions consistent.
struct Start {
  State state;
  Consistency consistency;
  std::vector<MovedBody> moved;         ///< the farthest first; empty when nothing moved noticeably
  std::vector<std::string> notes = {};  ///< on an equilibrium to start from
};

/// The bodies that are elsewhere at the second position, the farthest first.
std::vector<MovedBody> moved_bodies(const Mechanism& mechanism, const Vector& from,
                                    const Vector& to);

Start assemble_start(const Mechanism& mechanism);

/// Sizes of the steps of a run [s].
struct StepRange {
  double shortest = 0.0, longest = 0.0, total = 0.0;

  void add(double h);
};

struct RunOutcome {
  Summary summary;
  State end;
  StepRange steps;
  AuditReport audit;
  /// Impacts, changes of modes, restarts, and what ended the run early.
  std::vector<Event> events;
  long impacts = 0;
  double seconds = 0.0;                ///< on the clock
  double tolerance = 0.0;              ///< of errors of steps; 0 for constant steps
  bool has_formula_fault = false;      ///< a formula that is no number has ended the run
  std::optional<double> energy_drift;  ///< of conservative runs with a tolerance, see EnergyAccount
};

/// Runs from a start; samples go to `record`, events to `report_event` as they happen, and `watch`
/// may end the run by returning false (all may be empty).
RunOutcome run_mechanism(const Mechanism& mechanism, const Start& start, const RunPlan& plan,
                         const std::function<void(const Sample&)>& record,
                         const std::function<bool(const Moment&)>& watch = {},
                         const std::function<void(const Event&)>& report_event = {});

/// Head of the result file of a run.
ResultHeader header_of(const LoadedModel& loaded, const RunPlan& plan,
                       const MechanismRecord& record);

/// The summary as JSON, for the result file and for `--json`.
std::string to_json(const RunOutcome& outcome, const RunPlan& plan);

/// The same for people, in one line: how it ended, time simulated, steps, accuracy, audit.
std::string headline_of(const RunOutcome& outcome);

/// The same with all counts, a few lines: for `--verbose`.
std::string to_text(const RunOutcome& outcome);

/// What to try after a run that failed; empty when it did not.
std::string advice_of(const RunOutcome& outcome, const RunPlan& plan);

/// Sizes of steps, factorisations by reason, restarts: for `--verbose`.
std::string details_of(const RunOutcome& outcome);

}  // namespace picus
