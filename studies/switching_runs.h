// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs with a search for switching points, step by step, and how studer-leine-glocker shows them.

#include <string>
#include <vector>

#include "picus/picus.h"
#include "studies/report.h"

namespace picus::studies {

/// What the steps of a run were; the first entry is the initial state.
struct SwitchingRun {
  std::vector<double> time, h, order;
  std::vector<Vector> position, velocity;
  std::vector<Vector> impulse;              ///< of constraints and contacts [N s]
  std::vector<Vector> friction;             ///< impulse along the slips over h [N]
  std::vector<std::vector<LawMode>> modes;  ///< of every law; empty at the start
  long attempts = 0;                        ///< main steps, successful or not
  long base_steps = 0;                      ///< steps of the base scheme
  long resolved = 0;                        ///< switching points

  std::size_t size() const { return time.size(); }
  const Vector& end() const { return position.back(); }
};

/// `observe` sees the steps, too. Throws std::runtime_error when the run fails.
SwitchingRun search_switches(const System& system, State start, double end_time,
                             const ExtrapolationOptions& extrapolation,
                             const SwitchingOptions& search, const Observer& observe = {});

/// A curve over the time of the run, from `from` on.
Curve over_time(const SwitchingRun& run, std::string name, const std::vector<double>& values,
                double from = 0.0);

/// Entry i of positions or velocities.
std::vector<double> entry(const std::vector<Vector>& values, int i);

/// Sizes of the steps on a logarithmic axis, and orders.
Panel step_panel(const std::string& title);
Panel order_panel(const std::string& title);

/// A column for each list, one row per step.
Table table_of(const SwitchingRun& run);

}  // namespace picus::studies
