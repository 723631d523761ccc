// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/steppers/stepper.h"

namespace picus {

/// Methods compare gaps and limits of friction with others, and what is not a number compares as if
/// nothing had happened: a step that ends there fails here. Internal to the room.
class FiniteLaws {
 public:
  void expect(const System& system, const State& state, StepReport& report);

 private:
  Vector gap_, limit_;
};

}  // namespace picus
