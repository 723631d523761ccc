// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/choose.h"

#include <cmath>

#include <gtest/gtest.h>

#include "picus/dynamics/equation_system.h"
#include "picus/simulation/simulate.h"
#include "picus/steppers/catalog.h"
#include "studies/problems/oscillator.h"
#include "tests/support/problems.h"

namespace picus::testing {
namespace {

Rates rates_of(const TestProblem& problem) {
  return picus::rates_of(*problem.system, problem.start,
                         find_redundant_constraints(*problem.system, problem.start));
}

TEST(ChooseMethod, TakesOneThatRunsForEveryKindOfSmoothSystem) {
  for (const TestProblem& problem : all_problems()) {
    const Choice choice = choose_method(
        *problem.system, {.tolerance = 1e-6, .duration = 0.1, .rates = rates_of(problem)});
    EXPECT_EQ(choice.stepper, "half_explicit") << problem.name << ": " << choice.reason;
    EXPECT_EQ(choice.reason.find("chosen because "), 0u) << choice.reason;
    EXPECT_EQ(choice.control.tolerance, 1e-6);
    State state = problem.start;
    const auto stepper = make_stepper(choice.stepper, choice.options);
    AdaptiveStep control(choice.control);
    const double end = problem.start.time + 0.1;
    EXPECT_TRUE(simulate(*problem.system, state, *stepper, control, {.end_time = end}).ok())
        << problem.name;
  }
}

TEST(ChooseMethod, WeighsStabilityAgainstAccuracy) {
  const auto system = make_system(problems::Oscillator{});
  const auto taken = [&](double forces, double motion, double tolerance) {
    return choose_method(*system, {.tolerance = tolerance,
                                   .duration = 1.0,
                                   .rates = {.forces = forces, .motion = motion}})
        .stepper;
  };
  EXPECT_EQ(taken(599.0, 0.0, 1e-6), "half_explicit");  // 200 steps are few
  EXPECT_EQ(taken(601.0, 0.0, 1e-6), "radau_iia");
  EXPECT_EQ(taken(601.0, 60.0, 1e-6), "half_explicit");  // 240 steps are wanted anyway
  EXPECT_EQ(taken(3000.0, 60.0, 1e-6), "radau_iia");
  EXPECT_EQ(taken(3000.0, 60.0, 1e-10), "half_explicit");  // 6.3 times as many
}

// The longest constant step for which an explicit method is taken, for a rate that is known to a
// tenth: 1e5 steps do not make an undamped oscillation grow.
TEST(ChooseMethod, TakesExplicitMethodsWhereConstantStepsAreStable) {
  const auto system = make_system(problems::Oscillator{.omega = 1.0});
  const auto taken = [&](double step) {
    return choose_method(*system, {.step = step, .rates = {.forces = 1.0}}).stepper;
  };
  double longest = 0.01;
  while (taken(1.01 * longest) == "half_explicit")
    longest *= 1.01;
  EXPECT_GT(longest, 0.8);
  State state;
  state.position = Vector::Constant(1, 1.0);
  const auto stepper = make_stepper("half_explicit");
  const double h = 1.1 * longest;
  FixedStep control(h);
  ASSERT_TRUE(simulate(*system, state, *stepper, control, {.end_time = 1e5 * h}).ok());
  EXPECT_LE(std::hypot(state.position(0), state.velocity(0)), 1.0);
}

TEST(Rates, OfAnOscillatorAreItsFrequency) {
  const auto system = make_system(problems::Oscillator{.omega = 40.0});
  State state;
  state.position = Vector::Constant(1, 0.0);
  ASSERT_TRUE(make_consistent(*system, state).ok());
  const Rates rates = picus::rates_of(*system, state, find_redundant_constraints(*system, state));
  EXPECT_NEAR(rates.forces, 40.0, 1e-9);
  EXPECT_EQ(rates.controls, 0.0);
  EXPECT_EQ(rates.motion, 0.0);
}

// ω₂ = 10 rad/s along x, 1000 rad/s along y, and a rail along x.
struct OnARail {
  static constexpr int kCoordinates = 2;
  static constexpr int kConstraints = 1;

  auto mass(const auto&) const { return diagonal(1.0, 1.0); }
  auto force(const auto& s) const {
    return s.vector(-100.0 * s.q(0) - 500.0 * s.v(0), -1e6 * s.q(1));
  }
  auto constraint(const auto& s) const { return s.vector(s.q(1)); }
};

TEST(Rates, AreThoseOfMotionsThatJointsAllow) {
  const auto system = make_system(OnARail{});
  State state;
  state.position = Vector::Zero(2);
  const Consistency consistency = make_consistent(*system, state);
  ASSERT_TRUE(consistency.ok());
  // the larger root of μ² − 500 μ + 100 = 0
  EXPECT_NEAR(picus::rates_of(*system, state, consistency).forces, 499.79992, 1e-4);
}

}  // namespace
}  // namespace picus::testing
