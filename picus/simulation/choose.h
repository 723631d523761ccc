// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/simulation/adaptive_step.h"

namespace picus {

/// A method for a system, ready for make_stepper() and AdaptiveStep.
struct Choice {
  std::string stepper;
  OptionValues options;
  AdaptiveOptions control;
  bool adaptive = true;  ///< false for methods that have no error control
  std::string reason;    ///< "chosen because …"
};

/// What `integrator: auto` means: error control with the method that fits the constraints.
Choice choose_method(const System& system, double tolerance = AdaptiveOptions{}.tolerance);

}  // namespace picus
