// SPDX-License-Identifier: BSD-3-Clause
// What steppers do with systems that promise to be linear: less, and the same.
#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "studies/problems/bar.h"
#include "tests/support/impact_systems.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

// Nothing but the absence of the promise.
struct Unpromised {
  static constexpr int kCoordinates = 1;
};

problems::ElasticBar short_bar() {
  problems::ElasticBar bar;
  bar.elements = 8;
  return bar;
}

std::unique_ptr<System> bar_system(bool has_wall, bool is_promised) {
  const problems::ElasticBar bar = short_bar();
  SystemBuilder builder = bar.elements_alone();
  if (has_wall) builder.add(problems::BarEnd{bar.distance, bar.e}, "wall", {0});
  if (!is_promised) builder.add(Unpromised{}, "none", {0});
  return builder.build();
}

struct LinearRun {
  State end;
  long iterations = 0, factorizations = 0;
};

// Two step sizes, so that a matrix must be made anew.
LinearRun run_bar(Stepper& stepper, const System& system, State s) {
  const Consistency start = make_consistent(system, s);
  EXPECT_TRUE(start.ok()) << start.message;
  stepper.start(system, s);
  State to = s;
  LinearRun run;
  for (int n = 0; n < 300; ++n) {
    const double h = n < 100 ? 5e-3 : 4e-3;
    const StepReport report = stepper.attempt(system, s, h, to);
    EXPECT_TRUE(report.ok()) << explain(system, report, s.time, h);
    if (!report.ok()) break;
    run.iterations += report.newton_iterations;
    run.factorizations += report.factorizations;
    stepper.accept();
    std::swap(s, to);
  }
  run.end = s;
  return run;
}

void expect_the_same(const StepperEntry& entry, bool has_wall) {
  const auto promised = bar_system(has_wall, true), unpromised = bar_system(has_wall, false);
  ASSERT_TRUE(promised->is_linear());
  ASSERT_FALSE(unpromised->is_linear());
  State start = short_bar().start();
  start.position(3) += 0.1;  // so that it vibrates before the impact, too
  const LinearRun once = run_bar(*entry.make({}), *promised, start);
  const LinearRun twice = run_bar(*entry.make({}), *unpromised, start);
  EXPECT_LT(max_abs(Vector(once.end.position - twice.end.position)), 1e-8) << entry.name;
  EXPECT_LT(max_abs(Vector(once.end.velocity - twice.end.velocity)), 1e-7) << entry.name;
  EXPECT_LE(once.iterations, twice.iterations) << entry.name;
  // explicit methods see that a constant mass has not changed, promised or not; those that stop at
  // events have a matrix for the free bar and one for the bar at the wall
  const long least = has_wall && entry.make({})->traits().stops_at_events ? 2 : 1;
  EXPECT_LE(once.factorizations, std::max(least, (twice.factorizations - 1) / 5)) << entry.name;
}

class AcrossImpacts : public ::testing::TestWithParam<StepperEntry> {};

TEST_P(AcrossImpacts, ALinearSystemIsTheSameWithFewerMatrices) {
  expect_the_same(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(Catalog, AcrossImpacts, every_stepper_across_impacts(), stepper_name);

TEST(SmoothMethods, TreatALinearSystemTheSameWithFewerMatrices) {
  for (const StepperEntry& entry : stepper_catalog())
    expect_the_same(entry, false);
}

// Velocities of a ball at rest become as small as numbers can be.
TEST(RestingBall, StaysAtRest) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  for (const char* name : {"nonsmooth_pva", "nonsmooth_pvv", "moreau_jean"}) {
    const auto stepper = make_stepper(name);
    State s = ball.at(0.0, -1e-300), to = s;
    ASSERT_TRUE(make_consistent(*system, s).ok());
    stepper->start(*system, s);
    for (int n = 0; n < 100; ++n) {
      const StepReport report = stepper->attempt(*system, s, 1e-4, to);
      ASSERT_TRUE(report.ok()) << name << explain(*system, report, s.time, 1e-4);
      stepper->accept();
      std::swap(s, to);
    }
    EXPECT_NEAR(s.position(0), 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace picus::testing
