// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs as studies need them: to a given time, with a failure that cannot be overlooked.

#include <vector>

#include "picus/picus.h"

namespace picus::studies {

/// The option that lets Newton iterations go on to round-off, where it cannot be confused with the
/// errors under study.
inline OptionValues to_round_off(OptionValues options = {}) {
  options.emplace_back("newton_tolerance", "1e-14");
  return options;
}

/// Steps alternating between h/3 and 2h/3, jay-negrut §8.
inline StepSequence alternating(double h) {
  return StepSequence({h / 3.0, 2.0 * h / 3.0});
}

/// The end of a run. Throws std::runtime_error when the run fails.
State run(const System& system, State state, Stepper& stepper, Controller& controller,
          double end_time, const Observer& observe = {});

/// {first, first/2, first/4, …}, `count` of them.
std::vector<double> halved(double first, int count);

/// One column of a list of rows.
std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t index);

}  // namespace picus::studies
