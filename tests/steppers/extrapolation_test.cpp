// SPDX-License-Identifier: BSD-3-Clause
// Extrapolation of Moreau's methods: orders, the tableau where contacts endure, flags, options.
#include "picus/steppers/extrapolation.h"

#include <cmath>

#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "studies/problems/friction_elements.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/impact_systems.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

using Switching = StepReport::Switching;

std::unique_ptr<Stepper> of_order(int order, BaseMethod base = BaseMethod::kMoreauMidpoint) {
  return make_extrapolation({.base = base, .order = order});
}

// From h and h/2, against the exact solution, or against steps of h/8.
double order_on(const TestProblem& problem, int order, BaseMethod base, double h) {
  const auto end = [&](double step) { return run(problem, *of_order(order, base), step); };
  const State best =
      problem.exact ? problem.exact(problem.start.time + problem.duration) : end(h / 8.0);
  return std::log2(distance(end(h), best) / distance(end(0.5 * h), best));
}

TEST(ExtrapolationOrder, IsTheNumberOfRowsWhereErrorsHaveAllPowers) {
  for (int order = 1; order <= 4; ++order)
    EXPECT_NEAR(order_on(variable_mass(), order, BaseMethod::kMoreauMidpoint, 0.05), order, 0.4);
}

// Constraints of the midpoint rule hold at the middle of substeps: the first of them changes the
// velocity at once, by an error that does not fall with the size of the step as the others do.
// Those of moreau_jean hold at the end and cost nothing.
TEST(ExtrapolationOrder, IsOneLessWhereConstraintsTurnAndHoldInTheMiddle) {
  for (int rows = 2; rows <= 4; ++rows)
    EXPECT_GT(order_on(skate(), rows, BaseMethod::kMoreauJean, 0.05), rows - 0.2);
  for (int rows = 3; rows <= 4; ++rows)
    EXPECT_GT(order_on(pendulum(), rows, BaseMethod::kMoreauMidpoint, 0.01), rows - 1.2);
}

TEST(ExtrapolationOrder, IsTwiceTheRowsOfASymmetricBase) {
  for (int rows = 1; rows <= 3; ++rows)
    EXPECT_NEAR(order_on(variable_mass(), rows, BaseMethod::kMoreauJean, 0.2), 2.0 * rows, 0.4);
}

TEST(ExtrapolationOrder, HoldsOnRotations) {
  for (int rows = 3; rows <= 4; ++rows)
    EXPECT_GT(order_on(heavy_top(), rows, BaseMethod::kMoreauMidpoint, 5e-3), rows - 1.3);
  const TestProblem top = heavy_top();
  const State end = run(top, *of_order(4), 5e-3);
  EXPECT_NEAR(end.position.tail<4>().norm(), 1.0, 1e-12);
}

// A ball in contact with a small velocity, studer-leine-glocker (47) and what comes with odd
// numbers of substeps in its place.
double factor_of_contact(SubstepSequence substeps, int order) {
  const problems::BouncingBall ball{.f = -9.81, .e = 0.7};
  const auto system = make_system(ball);
  State from = ball.at(-1e-6, 1e-9);
  EXPECT_TRUE(make_consistent(*system, from).ok());
  const auto stepper = make_extrapolation({.order = order, .substeps = substeps});
  stepper->start(*system, from);
  State to = from;
  const StepReport report = stepper->attempt(*system, from, 1e-3, to);
  EXPECT_EQ(report.switching, Switching::kSmooth);
  EXPECT_EQ(report.order, order);
  return to.velocity(0) / 1e-9;
}

TEST(ExtrapolationTableau, GrowsWithAllSubstepsAndDecaysWithOddOnes) {
  const double all[] = {-0.7, 1.68, -3.8535, 9.2682};
  const double odd[] = {-0.7, -0.1645, 0.15903125, 0.16032760625};
  for (int order = 1; order <= 4; ++order) {
    EXPECT_NEAR(factor_of_contact(SubstepSequence::kAll, order), all[order - 1], 1e-4);
    EXPECT_NEAR(factor_of_contact(SubstepSequence::kOdd, order), odd[order - 1], 1e-4);
  }
}

// One ball, five millimetres and five milliseconds above the floor.
class ExtrapolationFlags : public ::testing::Test {
 protected:
  ExtrapolationFlags() {
    from_ = ball_.at(5e-3, -1.0);
    EXPECT_TRUE(make_consistent(*system_, from_).ok());
    to_ = from_;
  }
  StepReport first_then(Stepper& stepper, double h) {
    stepper.start(*system_, from_);
    EXPECT_TRUE(stepper.attempt(*system_, from_, 1e-6, to_).ok());
    stepper.accept();
    return stepper.attempt(*system_, from_, h, to_);
  }

  problems::BouncingBall ball_{.f = -9.81, .e = 0.7};
  std::unique_ptr<System> system_ = make_system(ball_);
  State from_, to_;
};

TEST_F(ExtrapolationFlags, ASmoothStepIsExactOnAParabola) {
  const auto stepper = make_extrapolation();
  const StepReport report = first_then(*stepper, 4e-3);
  EXPECT_EQ(report.switching, Switching::kSmooth);
  EXPECT_EQ(report.order, 2);
  EXPECT_NEAR(to_.position(0), 5e-3 - 4e-3 - 0.5 * 9.81 * 16e-6, 1e-16);
  EXPECT_EQ(stepper->law_modes()[0].mode, ContactMode::kOpen);
}

TEST_F(ExtrapolationFlags, AnImpactIsDetectedInALargeStepAndResolvedInTheSmallest) {
  const auto stepper = make_extrapolation();
  stepper->limit_division(1e-3);
  EXPECT_EQ(first_then(*stepper, 2e-2).switching, Switching::kDetected);
  from_ = ball_.at(1e-4, -1.0);
  const StepReport report = first_then(*stepper, 1e-3);
  EXPECT_EQ(report.switching, Switching::kResolved);
  EXPECT_EQ(report.order, 1);
  EXPECT_EQ(stepper->law_modes()[0].mode, ContactMode::kClosed);
  EXPECT_DOUBLE_EQ(to_.velocity(0), 0.7);
  // the last substep of five closes, none of those before
  from_ = ball_.at(9e-3, -1.0);
  EXPECT_EQ(first_then(*make_extrapolation({.order = 2}), 1e-2).switching, Switching::kSmooth);
  EXPECT_EQ(first_then(*make_extrapolation({.order = 3}), 1e-2).switching, Switching::kDetected);
}

TEST(ExtrapolationAccuracy, IsAFlagWhenRowsOrSubstepsRunOut) {
  const TestProblem problem = variable_mass();
  State to = problem.start;
  const auto report = [&](int max_order, double h_min, double atol) {
    const auto stepper = make_extrapolation({.max_order = max_order, .atol = atol, .rtol = 1e-14});
    stepper->limit_division(h_min);
    stepper->start(*problem.system, problem.start);
    return stepper->attempt(*problem.system, problem.start, 0.1, to);
  };
  EXPECT_EQ(report(3, 0.0, 1e-12).switching, Switching::kInaccurate);
  EXPECT_GT(report(3, 0.0, 1e-12).error, 1.0);
  EXPECT_EQ(report(9, 0.03, 1e-12).order, 2);  // a fifth of h is too small
  EXPECT_EQ(report(9, 0.03, 1e-12).switching, Switching::kInaccurate);
  EXPECT_EQ(report(9, 0.08, 1e-12).switching, Switching::kSmooth);  // nothing to compare with
  const StepReport good = report(9, 0.0, 1e-6);
  EXPECT_EQ(good.switching, Switching::kSmooth);
  EXPECT_LE(good.error, 1.0);
  EXPECT_GT(good.order, 2);
}

TEST(ExtrapolationModes, TellTheSideOfSlipAlongOneDirection) {
  const problems::SlidingBlock block;
  const auto system = make_system(block);
  for (const double speed : {1.0, -1.0}) {
    State from = block.at(speed), to;
    ASSERT_TRUE(make_consistent(*system, from).ok());
    to = from;
    const auto stepper = make_extrapolation();
    stepper->start(*system, from);
    ASSERT_TRUE(stepper->attempt(*system, from, 1e-3, to).ok());
    ASSERT_EQ(stepper->law_modes().size(), 1u);
    EXPECT_EQ(stepper->law_modes()[0].mode, ContactMode::kSlip);
    EXPECT_EQ(stepper->law_modes()[0].side, speed > 0.0 ? -1 : 1);
    // impulses are those of the whole step
    ASSERT_NE(stepper->impulses().normal, nullptr);
    EXPECT_NEAR((*stepper->impulses().normal)(0), block.m * block.g * 1e-3, 1e-12);
  }
}

TEST(ExtrapolationAcceptedStep, StaysWhileTheNextIsAttempted) {
  const TestProblem problem = oscillator();
  const auto stepper = of_order(4);
  stepper->start(*problem.system, problem.start);
  State middle = problem.start, end = problem.start, at;
  ASSERT_TRUE(stepper->attempt(*problem.system, problem.start, 0.1, middle).ok());
  stepper->accept();
  ASSERT_TRUE(stepper->attempt(*problem.system, middle, 0.1, end).ok());
  stepper->accepted().interpolate(*problem.system, 1.0, at);
  EXPECT_EQ(at.position, middle.position);
  stepper->accepted().interpolate(*problem.system, 0.5, at);
  EXPECT_LT(distance(at, problem.exact(0.05)), 1e-5);
  stepper->interpolate(*problem.system, 0.0, at);
  EXPECT_LT(distance(at, middle), 1e-15);
}

TEST(ExtrapolationOptions, OutOfRangeAreRefused) {
  EXPECT_THROW(make_stepper("extrapolation", {{"order", "-1"}}), InputError);
  EXPECT_THROW(make_stepper("extrapolation", {{"order", "99"}}), InputError);
  EXPECT_THROW(make_stepper("extrapolation", {{"max_order", "0"}}), InputError);
  EXPECT_THROW(make_stepper("extrapolation", {{"atol", "-1e-6"}}), InputError);
  EXPECT_THROW(make_stepper("extrapolation", {{"rtol", "2"}}), InputError);
  EXPECT_THROW(make_stepper("extrapolation", {{"substeps", "even"}}), InputError);
  EXPECT_THROW(make_stepper("extrapolation", {{"base", "hht"}}), InputError);
  EXPECT_THROW(make_extrapolation({}, make_stepper("hht_i3")), InputError);
}

}  // namespace
}  // namespace picus::testing
