// SPDX-License-Identifier: BSD-3-Clause
// Constant steps, and how they are taken in parts.
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "picus/simulation/controller.h"

namespace picus {
namespace {

StepReport unsolved() {
  StepReport report;
  report.status = StepReport::Status::kNoImpulses;
  return report;
}

TEST(FixedStep, PartsAreHalvesOfHalvesAndKeepTheirSizeAcrossSteps) {
  FixedStep control(1.0);
  EXPECT_EQ(control.first_step({}, 10.0), 1.0);
  EXPECT_EQ(control.judge(unsolved(), 1.0).next_step, 0.5);
  EXPECT_EQ(control.judge(unsolved(), 0.5).next_step, 0.25);
  // after two failures four parts are taken before a larger one is tried
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(control.judge({}, 0.25).next_step, 0.25);
  EXPECT_EQ(control.judge({}, 0.25).next_step, 0.5);
  EXPECT_EQ(control.judge(unsolved(), 0.5).next_step, 0.25);
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(control.judge({}, 0.25).next_step, 0.25);
  EXPECT_EQ(control.judge({}, 0.25).next_step, 0.5);
  EXPECT_EQ(control.judge({}, 0.5).next_step, 0.5) << "half of a step is left";
  EXPECT_EQ(control.judge({}, 0.5).next_step, 1.0);
  EXPECT_EQ(control.judge({}, 1.0).next_step, 1.0);
}

// Whatever is hard, the parts of a step add up to it.
TEST(FixedStep, PartsNeverCrossTheEndOfAStep) {
  FixedStep control(1.0);
  double time = 0.0, h = control.first_step({}, 100.0);
  unsigned random = 1;
  for (int k = 0; k < 3000; ++k) {
    random = random * 1664525u + 1013904223u;
    const bool is_hard =
        control.search_effort() != SearchEffort::kUnlimited && (random >> 16) % 3 == 0;
    const Verdict verdict = control.judge(is_hard ? unsolved() : StepReport{}, h);
    if (!is_hard) {
      ASSERT_LE(std::floor(time + h - 1e-9), std::floor(time + 1e-9)) << time << " + " << h;
      time += h;
    }
    h = verdict.next_step;
  }
  EXPECT_GT(time, 30.0);
}

// Seven sizes soon given up, the whole step with more effort, then smaller parts, for the least of
// which everything is tried.
TEST(FixedStep, TriesAWholeStepWithPatienceBeforeTheSmallestParts) {
  FixedStep control(1.0);
  double h = control.first_step({}, 10.0);
  const auto fails = [&](double size, SearchEffort effort) {
    EXPECT_EQ(h, size);
    EXPECT_EQ(control.search_effort(), effort) << size;
    const Verdict verdict = control.judge(unsolved(), h);
    h = verdict.next_step;
    return verdict.action == Verdict::Action::kRetry;
  };
  for (int part = 1; part <= 64; part *= 2)
    EXPECT_TRUE(fails(1.0 / part, SearchEffort::kBrief));
  EXPECT_TRUE(fails(1.0, SearchEffort::kFair));
  EXPECT_TRUE(fails(1.0 / 128, SearchEffort::kBrief));
  EXPECT_FALSE(fails(1.0 / 256, SearchEffort::kUnlimited));
}

// Patience that was of no use is a loss of many parts: it has to wait for as many, each time
// longer.
TEST(FixedStep, WaitsBeforeItTriesAWholeStepWithPatienceAgain) {
  FixedStep control(1.0);
  double h = control.first_step({}, 1000.0);
  int parts = 0;
  std::vector<int> parts_before;
  for (int k = 0; k < 20000 && parts_before.size() < 4; ++k) {
    const SearchEffort effort = control.search_effort();
    if (effort == SearchEffort::kFair) parts_before.push_back(std::exchange(parts, 0));
    const bool is_hard = effort != SearchEffort::kUnlimited;
    if (!is_hard) ++parts;
    h = control.judge(is_hard ? unsolved() : StepReport{}, h).next_step;
  }
  EXPECT_EQ(parts_before, (std::vector{0, 128, 256, 512}));
}

TEST(FixedStep, GoesOnWithWholeStepsBehindAHardOne) {
  FixedStep control(1.0);
  double h = control.first_step({}, 10.0);
  h = control.judge(unsolved(), h).next_step;
  h = control.judge(unsolved(), h).next_step;
  h = control.judge({}, h).next_step;  // a quarter
  while (control.search_effort() == SearchEffort::kBrief)
    h = control.judge(unsolved(), h).next_step;
  EXPECT_EQ(h, 3.0 / 4) << "what is left";
  EXPECT_EQ(control.search_effort(), SearchEffort::kFair);
  h = control.judge({}, h).next_step;
  EXPECT_EQ(h, 1.0);
  EXPECT_EQ(control.search_effort(), SearchEffort::kBrief);
}

// Methods that end a step early, as at an event, do not divide it.
TEST(FixedStep, AStepThatEndsEarlyIsFollowedByAWholeOne) {
  FixedStep control(1.0);
  control.first_step({}, 10.0);
  EXPECT_EQ(control.judge({}, 0.1).next_step, 1.0);
}

}  // namespace
}  // namespace picus
