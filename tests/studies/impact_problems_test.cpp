// SPDX-License-Identifier: BSD-3-Clause
#include "studies/impact_problems.h"

#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "picus/steppers/catalog.h"
#include "studies/event_driven_motion.h"
#include "studies/impact_methods.h"
#include "studies/problems/woodpecker.h"

namespace picus::studies {
namespace {

// Impacts by quadrature of the energy integral with 40 digits.
TEST(ImpactProblems, ThePendulumTouchesItsWallWhenAQuadratureSaysSo) {
  const ImpactProblem pendulum = pendulum_problem();
  const double wall = 0.25 * std::numbers::pi;
  for (const double t : {0.3511865254015655, 0.9447410575195277, 1.443416848405957,
                         1.858297629619569, 2.200048810225190, 2.479191216271920}) {
    EXPECT_NEAR(pendulum.exact(t)(2), wall, 1e-13) << t;
    EXPECT_LT(pendulum.exact(t - 0.01)(2), wall);
    EXPECT_LT(pendulum.exact(t + 0.01)(2), wall);
  }
  EXPECT_LT(pendulum.exact(3.6)(2), wall - 1e-6);
  EXPECT_EQ(pendulum.exact(3.6302382965)(2), wall);  // impacts accumulate at 3.630238296418
}

// Events of an independent event-driven solution with matrix exponentials, from the published
// initial state: when contacts close and when sticking begins and ends.
TEST(ImpactProblems, TheWoodpeckerMeetsThePoleWhenMatrixExponentialsSaySo) {
  const problems::Woodpecker toy;
  LinearContacts contacts = woodpecker_contacts();
  contacts.position = toy.start().position;
  const auto q = event_driven_motion(contacts, 0.35);
  const double upper = (toy.rM - toy.r0) / toy.hM;  // of the angle of the sleeve
  const double beak = (toy.lM + toy.lG - toy.lS - toy.r0) / toy.hS;
  EXPECT_NEAR(q(0.077907193992)(1), upper, 1e-8);  // at 10 rad/s, times have 12 digits
  EXPECT_NEAR(q(0.081013497384)(2), beak, 1e-9);
  EXPECT_NEAR(q(0.118696833642)(1), -upper, 1e-8);
  EXPECT_NEAR(q(0.35)(0), -0.04327054, 1e-8);
  EXPECT_NEAR(q(0.35)(1), -0.10344828, 1e-8);
  EXPECT_NEAR(q(0.35)(2), -0.26028136, 1e-8);
  EXPECT_NEAR(q(0.03)(0), q(0.06)(0), 1e-15);  // sticks from 0.021649 to 0.061229 s
  EXPECT_LT(q(0.064)(0), q(0.03)(0) - 1e-7);
}

TEST(ImpactProblems, TheErrorOfAPathIsThatAtItsEndPlusItsMean) {
  const ImpactProblem ball = ball_problem();
  ImpactPath path;
  for (int i = 0; i <= 4; ++i) {  // off by 0.1 from the start to t = 2, by 0.3 after t = 3
    const double q = ball.exact(i)(0) + (i <= 2 ? 0.1 : 0.3);
    path.add(i, &q, 1);
  }
  EXPECT_NEAR(path_error(ball, path), 0.3 + (2 * 0.1 + 0.2 + 0.3) / 4.0, 1e-14);
  path.time.back() = 3.5;
  EXPECT_THROW(path_error(ball, path), std::runtime_error);
}

TEST(ImpactMethods, EveryMethodOfTheTableRunsThroughImpacts) {
  const ImpactProblem oscillator = oscillator_problem();
  for (const ImpactMethod& method : impact_methods()) {
    const MethodRun run = run_method(oscillator, method, method.first);
    EXPECT_LT(path_error(oscillator, run.path), 0.1) << method.name;
    EXPECT_GT(run.evaluations, 0) << method.name;
  }
}

TEST(ImpactMethods, TheTableHasEveryMethodOfTheCatalogThatHandlesImpacts) {
  const std::vector<ImpactMethod> methods = impact_methods();  // throws if not
  for (const StepperEntry& entry : stepper_catalog())
    EXPECT_EQ(entry.make({})->traits().handles_impacts,
              std::any_of(methods.begin(), methods.end(),
                          [&](const ImpactMethod& m) { return m.stepper == entry.name; }))
        << entry.name;
}

}  // namespace
}  // namespace picus::studies
