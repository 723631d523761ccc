// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/simulation/simulate.h"
#include "tests/support/problems.h"
#include "tests/support/stepper_tests.h"

namespace picus::testing {

/// True when the method takes the constraints and forces of the system.
bool accepts(const Stepper& stepper, const System& system);

/// The state at the end of the problem with fixed steps; fails the test if a step fails.
State run(const TestProblem& problem, Stepper& stepper, double h);
State run(const TestProblem& problem, Stepper& stepper, Controller& controller);

/// Largest difference in positions and velocities.
double distance(const State& a, const State& b);

}  // namespace picus::testing
