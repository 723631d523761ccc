// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The channels of a run kept in memory, with both sides of their jumps, to compare runs.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "picus/math/graph_distance.h"
#include "picus/runs/run.h"

namespace picus {

/// A channel of a run.
struct TraceChannel {
  std::string name, unit, quantity;  ///< "bodies.rod.position.x", "m", "bodies.position"
  bool may_jump = false;             ///< at impacts: all but positions and what follows from them
};

struct TraceOptions {
  std::vector<std::string> channels;  ///< patterns of names; empty for traced_by_default()
  int samples = 1000;                 ///< at equal distances
  std::function<bool(const Moment&)> watch = {};  ///< false ends the run
};

/// Positions, velocities, reactions of joints, energies and outputs.
const std::vector<std::string>& traced_by_default();

/// A run and what its channels did.
struct Trace {
  RunPlan plan;
  RunOutcome outcome;
  std::vector<TraceChannel> channels;
  std::vector<double> times;                 ///< of the samples, the same for all runs to one end
  std::vector<std::vector<double>> columns;  ///< by channel, then by sample
  /// Instants at which velocities jump, and all channels on both sides: instant by instant.
  std::vector<double> jump_times;
  std::vector<std::vector<double>> before, after;

  /// The largest magnitude of each quantity, of all its channels, chosen or not.
  std::map<std::string, double> sizes;

  bool reached_end() const { return outcome.summary.ok() && !was_left; }
  bool was_left = false;  ///< by TraceOptions::watch

  /// A channel with its jumps filled in, as far as `until`; times are multiplied by `time_scale`.
  FilledGraph graph(std::size_t channel, double until, double time_scale) const;
};

/// Runs a model from a start by a plan. Throws InputError when a pattern of channels matches none.
Trace trace_run(const LoadedModel& loaded, const Start& start, const RunPlan& plan,
                const TraceOptions& options);

}  // namespace picus
