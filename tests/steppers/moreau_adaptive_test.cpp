// SPDX-License-Identifier: BSD-3-Clause
// Moreau–Jean with error control, acary §5, through accumulations, with joints and with friction.
#include <algorithm>

#include "picus/simulation/adaptive_step.h"
#include "picus/simulation/simulate.h"
#include "tests/steppers/step_through.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/impact_systems.h"

namespace picus::testing {
namespace {

using problems::BouncingBall;

struct BallRun {
  double error = 0.0, deepest = 0.0;
  long attempts = 0;
};

// The ball of acary's example 1, past the accumulation of its impacts at 3 s.
BallRun run_ball(double tolerance, const OptionValues& options) {
  const BouncingBall ball;
  const auto system = make_system(ball);
  const auto stepper = make_stepper("moreau_adaptive", options);
  AdaptiveStep control({.tolerance = tolerance, .h_initial = 1e-3});
  State state = ball.at(1.0, 0.0);
  BallRun run;
  const Summary summary =
      simulate(*system, state, *stepper, control, {.end_time = 5.0}, [&](const Moment& now) {
        const double q = now.state.position(0);
        run.error = std::max(run.error, std::abs(q - BouncingBall::height(now.state.time)));
        run.deepest = std::max(run.deepest, -q);
        return true;
      });
  EXPECT_TRUE(summary.ok()) << summary.message;
  EXPECT_NEAR(state.velocity(0), 0.0, 10.0 * tolerance);
  run.attempts = summary.attempts();
  return run;
}

TEST(MoreauAdaptive, ErrorsOfTheBallFollowTheTolerance) {
  for (const char* order : {"zero", "variable"}) {
    const BallRun coarse = run_ball(1e-3, {{"order", order}});
    const BallRun fine = run_ball(1e-6, {{"order", order}});
    EXPECT_LT(coarse.error, 20.0 * 1e-3) << order;
    EXPECT_LT(fine.error, 20.0 * 1e-6) << order;
    EXPECT_LE(fine.deepest, 2e-6) << order;
    EXPECT_LT(fine.attempts, 1500) << order;  // constant steps: a million for the same error
  }
}

TEST(MoreauAdaptive, HalvedStepsAloneOverlookImpacts) {
  const BallRun run = run_ball(1e-6, {{"order", "zero"}, {"penetration", "ignored"}});
  EXPECT_GT(run.deepest, 1e-3);
  EXPECT_GT(run.error, 1e-3);
}

// What watches contacts must see both halves: m (v⁺ − v⁻) = h f + P in every step.
TEST(MoreauAdaptive, ImpulsesAreThoseOfBothHalves) {
  const BouncingBall ball;
  const auto system = make_system(ball);
  const auto stepper = make_stepper("moreau_adaptive");
  double impulse = 0.0;
  step_through(*system, ball.at(1.0, 0.0), *stepper, 7e-3, 4.0,
               [&](const State& from, const State& to) {
                 const double P = (*stepper->impulses().normal)(0);
                 const double change = ball.m * (to.velocity(0) - from.velocity(0));
                 EXPECT_NEAR(change, 7e-3 * ball.m * ball.f + P, 1e-12) << to.time;
                 EXPECT_NEAR(to.multiplier(0), P / 7e-3, 1e-9) << to.time;
                 impulse += P;
               });
  EXPECT_NEAR(impulse, -ball.m * ball.f * 4.0, 0.02);  // it rests
}

TEST(MoreauAdaptive, GuessesTheOrderFromTheGaps) {
  const BouncingBall ball;
  const auto system = make_system(ball);
  const auto order_from = [&](double q, double v, const char* kind) {
    const auto stepper = make_stepper("moreau_adaptive", {{"order", kind}});
    State from = ball.at(q, v);
    EXPECT_TRUE(make_consistent(*system, from).ok());
    State to = from;
    stepper->control_error(1e-3);
    stepper->start(*system, from);
    EXPECT_TRUE(stepper->attempt(*system, from, 1e-2, to).ok());
    return (*stepper->internal("consistency_order"))(0);
  };
  EXPECT_EQ(order_from(1.0, 0.0, "variable"), 1.0);    // free
  EXPECT_EQ(order_from(3e-3, -1.0, "variable"), 0.0);  // impacting
  EXPECT_EQ(order_from(-1e-9, 1.0, "variable"), 1.0);  // losing contact
  EXPECT_EQ(order_from(0.0, 0.0, "variable"), 1.0);    // persistent
  EXPECT_EQ(order_from(1.0, 0.0, "zero"), 0.0);
}

// Joints and impacts: the bouncing pendulum hits its wall first at 0.3485 s, by the energy
// integral.
TEST(MoreauAdaptive, HitsTheWallWithAPendulumOnItsJoint) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  const auto stepper = make_stepper("moreau_adaptive", {{"positions", "projected"}});
  AdaptiveStep control({.tolerance = 1e-5, .h_initial = 1e-3});
  State state = p.at(std::acos(-1.0) / 12.0, 0.0);
  const double start = p.energy(state);
  double first_impact = 0.0;
  const Summary summary =
      simulate(*system, state, *stepper, control, {.end_time = 0.6}, [&](const Moment& now) {
        if (!now.is_first() && first_impact == 0.0 && (*now.stepper.impulses().normal)(2) > 0.0)
          first_impact = now.state.time;
        return true;
      });
  ASSERT_TRUE(summary.ok()) << summary.message;
  EXPECT_NEAR(first_impact, 0.35118653, 1e-3);
  EXPECT_NEAR(std::hypot(state.position(0), state.position(1)), p.L, 1e-9);
  const double rate = 2.01874789 / std::sqrt(0.5);  // of the angle, before the impact
  const double lost = 0.5 * (1.0 - p.e * p.e) * (p.J + p.m * p.L * p.L) * rate * rate;
  EXPECT_NEAR(start - p.energy(state), lost, 0.03 * lost);
}

TEST(MoreauAdaptive, FollowsTheWoodpeckerWithFrictionAndLongSteps) {
  const problems::Woodpecker toy;
  const auto system = make_system(toy);
  const auto stepper = make_stepper("moreau_adaptive");
  AdaptiveStep control({.tolerance = 1e-4, .h_initial = 1e-4});
  State state = toy.start();
  const Summary summary = simulate(*system, state, *stepper, control, {.end_time = 0.35});
  ASSERT_TRUE(summary.ok()) << summary.message;
  EXPECT_NEAR(state.position(0), -0.043270536, 5e-4);
  EXPECT_NEAR(state.position(2), -0.260281365, 1e-2);
}

TEST(MoreauAdaptive, AllocatesNothingUnderErrorControl) {
  const problems::Woodpecker toy;
  const auto system = make_system(toy);
  const auto stepper = make_stepper("moreau_adaptive");
  stepper->control_error(1e-4);
  State state = toy.start();
  ASSERT_TRUE(make_consistent(*system, state).ok());
  stepper->start(*system, state);
  AdaptiveStep control({.tolerance = 1e-4, .h_initial = 1e-4});
  double h = control.first_step(stepper->traits(), 1.0);
  State next = state;
  long before = 0;
  bool ok = true;
  for (int n = 0; n < 1500; ++n) {
    if (n == 700) before = allocations();  // every contact has closed by then
    const StepReport report = stepper->attempt(*system, state, h, next);
    const Verdict verdict = control.judge(report, h);
    ok = ok && report.ok() && verdict.action != Verdict::Action::kGiveUp;
    if (verdict.action == Verdict::Action::kAccept) {
      stepper->accept();
      std::swap(state, next);
    }
    h = verdict.next_step;
  }
  EXPECT_TRUE(ok);
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_GT(state.time, 0.1);
}

TEST(MoreauAdaptive, RefusesWhatItsOptionsDoNotKnow) {
  EXPECT_THROW(make_stepper("moreau_adaptive", {{"order", "two"}}), InputError);
  EXPECT_THROW(make_stepper("moreau_adaptive", {{"gamma", "2"}}), InputError);
}

}  // namespace
}  // namespace picus::testing
