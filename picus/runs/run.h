// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a loaded model to a result: assembly, choice of the integrator, the run, the record.

#include <functional>
#include <string>
#include <vector>

#include "picus/dynamics/consistent_state.h"
#include "picus/io/model_file.h"
#include "picus/runs/record.h"
#include "picus/simulation/choose.h"
#include "picus/simulation/simulate.h"
#include "picus/simulation/switching_search.h"

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
  std::vector<MovedBody> moved;  ///< the farthest first; empty when nothing moved noticeably
};

/// The bodies that are elsewhere at the second position, the farthest first.
std::vector<MovedBody> moved_bodies(const Mechanism& mechanism, const Vector& from,
                                    const Vector& to);

Start assemble_start(const Mechanism& mechanism);

/// How to integrate, spelled out.
struct RunPlan {
  double end_time = 1.0;         ///< [s]
  double output_interval = 0.0;  ///< [s]; 0 for 500 samples, negative for every step
  std::string integrator;        ///< name of the stepper
  OptionValues options;
  bool adaptive = true;
  AdaptiveOptions control;  ///< of adaptive runs
  bool searches = false;    ///< of adaptive runs: for switching points
  SwitchingOptions search;  ///< of those
  double step = 0.0;        ///< of others [s]
  std::string reason;       ///< why this integrator
};

/// Bad input in the part `run` of a model.
class PlacedError : public InputError {
 public:
  PlacedError(Place place, const std::string& message) : InputError(message), place_(place) {}
  Place place() const { return place_; }

 private:
  Place place_;
};

/// The plan a model asks for; `integrator: auto` is decided here. Throws ModelError with the place
/// in the file, or InputError for what the command line says.
RunPlan plan_of(const LoadedModel& loaded);
/// The same without the text of the model. Throws PlacedError.
RunPlan plan_of(const RunPart& run, const Mechanism& mechanism);

/// Sizes of the steps of a run [s].
struct StepRange {
  double shortest = 0.0, longest = 0.0, total = 0.0;

  void see(double h);
};

struct RunOutcome {
  Summary summary;
  State end;
  StepRange steps;
  std::vector<Event> events;  ///< impacts, restarts, and what ended the run early
  long impacts = 0;
  double seconds = 0.0;  ///< on the clock
};

/// Runs from a start; samples go to `record`, events to `tell` as they happen, and `watch` may end
/// the run by returning false (all may be empty).
RunOutcome run_mechanism(Mechanism& mechanism, const Start& start, const RunPlan& plan,
                         const std::function<void(const Sample&)>& record,
                         const std::function<bool(const Moment&)>& watch = {},
                         const std::function<void(const Event&)>& tell = {});

/// Head of the result file of a run.
ResultHeader header_of(const LoadedModel& loaded, const RunPlan& plan,
                       const MechanismRecord& record);

/// The summary as JSON, for the result file and for `--json`.
std::string to_json(const RunOutcome& outcome, const RunPlan& plan);

/// The same for people, a few lines.
std::string to_text(const RunOutcome& outcome);

/// What to try after a run that failed; empty when it did not.
std::string advice_of(const RunOutcome& outcome, const RunPlan& plan);

/// Sizes of steps, factorisations by reason, restarts: for `--verbose`.
std::string details_of(const RunOutcome& outcome);

}  // namespace picus
