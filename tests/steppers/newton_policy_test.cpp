// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/newton.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

class NewtonPolicy : public StepperTest {};

// What a matrix reuses changes the cost of a step, never its result.
TEST_P(NewtonPolicy, EveryReusePolicyGivesTheSameTrajectoryToEightDigits) {
  for (const TestProblem& problem : all_problems()) {
    if (!accepts(*make(), *problem.system)) continue;
    State full;
    for (const std::string_view policy : EnumNames<JacobianReuse>::names) {
      const auto stepper = make({{"jacobian_reuse", std::string(policy)}});
      const State state = run(problem, *stepper, problem.step);
      if (full.position.size() == 0) full = state;
      const double scale = std::max(max_abs(full.position), max_abs(full.velocity));
      EXPECT_LT(distance(state, full), 1e-8 * scale) << problem.name << " " << policy;
      const double forces = 1.0 + max_abs(full.multiplier);
      EXPECT_LT(max_abs(state.multiplier - full.multiplier), 1e-7 * forces) << problem.name;
    }
  }
}

// With the exact matrix Newton converges quadratically: the last observed rate is tiny even for
// large steps. A missing or wrong term in the matrix leaves a linear rate of the order of h.
TEST_P(NewtonPolicy, FullNewtonConvergesQuadratically) {
  for (const TestProblem& problem : all_problems()) {
    const auto stepper =
        make({{"jacobian_reuse", "every_iteration"}, {"newton_tolerance", "1e-9"}});
    if (!accepts(*stepper, *problem.system)) continue;
    State state = problem.start, next = problem.start;
    stepper->start(*problem.system, state);
    double worst = 0.0;
    for (int i = 0; i < 10; ++i) {
      const StepReport report = stepper->attempt(*problem.system, state, 2.0 * problem.step, next);
      ASSERT_TRUE(report.ok()) << problem.name;
      worst = std::max(worst, report.newton_rate);
      stepper->accept();
      std::swap(state, next);
    }
    EXPECT_LT(worst, 2e-3) << problem.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, NewtonPolicy, every_stepper_of_order(2), stepper_name);

}  // namespace
}  // namespace picus::testing
