// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "picus/dynamics/system.h"

namespace picus::testing {

/// A system with a consistent start, and where known its exact positions and velocities.
struct TestProblem {
  std::string name;
  std::unique_ptr<System> system;
  State start;
  double duration = 1.0;
  double step = 1e-2;                  ///< a step small enough for asymptotic behaviour
  std::function<State(double)> exact;  ///< empty when only self-convergence is possible
};

TestProblem pendulum();         ///< holonomic, bruls-acary-cardona §5
TestProblem spring_pendulum();  ///< holonomic and stiff, jay-negrut (16)
TestProblem slider_crank();     ///< holonomic, a closed loop
TestProblem chain(int links);   ///< holonomic, sparse
TestProblem driven_pendulum();  ///< rheonomic
TestProblem heavy_top();        ///< holonomic, on SO(3)
TestProblem skate();            ///< nonholonomic
TestProblem nonlinear();        ///< jay-negrut (15): everything nonlinear in the multipliers
TestProblem oscillator();       ///< unconstrained, linear
TestProblem variable_mass();    ///< unconstrained, M(t,q)
TestProblem controlled_mass();  ///< first-order state and algebraic variable

/// All of them.
std::vector<TestProblem> all_problems();

}  // namespace picus::testing
