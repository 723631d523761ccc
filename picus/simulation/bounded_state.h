// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/steppers/stepper.h"

namespace picus {

/// No method looks at its result: a step that has grown beyond all bounds fails here.
void expect_bounded(const State& state, StepReport& report);

}  // namespace picus
