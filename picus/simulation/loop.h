// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/dynamics/independent_constraints.h"
#include "picus/simulation/simulate.h"

namespace picus {

/// What a run is made of, besides the system and its state.
struct LoopParts {
  Stepper& stepper;
  Controller& controller;
  const SimulateOptions& options;
  Summary& summary;
};

/// The time loop of simulate(), on a regular system and a consistent state; internal to the room.
/// `finder` is the system if its contacts are to be found, `reduced` if it leaves out equations.
void run_loop(const System& system, System* finder, IndependentConstraints* reduced,
              const LoopParts& run, const Observer& observe, State& state);

}  // namespace picus
