// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/simulation/adaptive_step.h"
#include "picus/simulation/rates.h"

namespace picus {

/// A method for a system, ready for make_stepper() and AdaptiveStep.
struct Choice {
  std::string stepper;
  OptionValues options;
  AdaptiveOptions control;
  bool adaptive = true;  ///< false for methods that have no error control
  std::string reason;    ///< "chosen because …", with the numbers that decided
  std::string brief;     ///< the same in a few words: "the motion is smooth and not stiff"
};

/// What the method is chosen for.
struct Occasion {
  double tolerance = AdaptiveOptions{}.tolerance;
  double duration = 0.0;  ///< of the run [s]
  double step = 0.0;      ///< the constant step requested [s]; 0: error control
  Rates rates = {};       ///< at its start; unknown ones are zero, and nothing is stiff then
  int corners = 0;        ///< see most_corners()
};

/// The largest number of contacts with friction between the same bodies, such as the corners of a
/// box on a floor.
int most_corners(const System& system, const State& state);

/// What `integrator: auto` means. The rule follows what bench/method_choice measures on the shipped
/// models, see docs/methods.md.
Choice choose_method(const System& system, const Occasion& occasion);

/// The same without a known state.
Choice choose_method(const System& system, double tolerance = AdaptiveOptions{}.tolerance);

}  // namespace picus
