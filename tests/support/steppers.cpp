// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/steppers.h"

namespace picus::testing {

bool accepts(const Stepper& stepper, const System& system) {
  const StepperTraits can = stepper.traits();
  const SystemSizes n = system.sizes();
  return (n.constraints == 0 || can.holonomic) && (n.nonholonomic == 0 || can.nonholonomic) &&
         (n.controls == 0 || can.controls) &&
         (system.has_linear_reactions() || can.general_reactions);
}

State run(const TestProblem& problem, Stepper& stepper, Controller& controller) {
  State state = problem.start;
  const Summary summary = simulate(*problem.system, state, stepper, controller,
                                   {.end_time = problem.start.time + problem.duration});
  EXPECT_TRUE(summary.ok()) << problem.name << ": " << summary.message;
  return state;
}

State run(const TestProblem& problem, Stepper& stepper, double h) {
  FixedStep controller(h);
  return run(problem, stepper, controller);
}

double distance(const State& a, const State& b) {
  return std::max(max_abs(a.position - b.position), max_abs(a.velocity - b.velocity));
}

}  // namespace picus::testing
