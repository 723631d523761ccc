// SPDX-License-Identifier: BSD-3-Clause
// Methods that step across impacts, against closed forms and event-driven references.
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "picus/steppers/nonsmooth_methods.h"
#include "studies/problems/impacts.h"
#include "tests/steppers/step_through.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

class Impacts : public ::testing::TestWithParam<std::string> {};

// acary (10): impacts at 3 - 2^(1-n) accumulate at t = 3, then the ball rests.
TEST_P(Impacts, ABallComesToRestAfterInfinitelyManyBounces) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  const auto stepper = make_stepper(GetParam());
  const double h = 1e-3;
  double at_two_and_a_half = 0.0;
  const State end =
      step_through(*system, ball.at(1.0, 0.0), *stepper, h, 4.0, [&](const State&, const State& s) {
        EXPECT_GT(s.position(0), -3.0 * h);
        if (std::abs(s.time - 2.75) < 0.1 * h) at_two_and_a_half = s.position(0);
      });
  EXPECT_NEAR(end.position(0), 0.0, 3.0 * h);
  EXPECT_NEAR(end.velocity(0), 0.0, 3.0 * h);
  // between the impacts at 2.5 and 2.75 the ball rises to 1/64 and is back at the ground
  EXPECT_NEAR(at_two_and_a_half, 0.0, 10.0 * h);
}

// No impact and no numerical damping adds energy; what a step may add is stated per method.
TEST_P(Impacts, NeverAddEnergy) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  const auto stepper = make_stepper(GetParam());
  double rise = 0.0, energy = p.energy(p.at(std::numbers::pi / 12.0, 0.0));
  step_through(*system, p.at(std::numbers::pi / 12.0, 0.0), *stepper, 1e-3, 4.0,
               [&](const State&, const State& s) {
                 rise = std::max(rise, p.energy(s) - energy);
                 energy = p.energy(s);
               });
  EXPECT_LT(rise, 1e-4);
}

TEST_P(Impacts, NewtonsLawHoldsAtTheFirstImpact) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  const auto stepper = make_stepper(GetParam());
  Vector rate;
  double before = 0.0, after = 0.0, when = 0.0;
  step_through(*system, p.at(std::numbers::pi / 12.0, 0.0), *stepper, 1e-4, 0.4,
               [&](const State& from, const State& to) {
                 system->constraint_velocity(from, rate);
                 const double was = rate(2);
                 system->constraint_velocity(to, rate);
                 if (when == 0.0 && was < 0.0 && rate(2) > 0.0) {
                   when = to.time;
                   before = was;
                   after = rate(2);
                 }
               });
  EXPECT_NEAR(when, 0.3511865254, 3e-4);  // event-driven reference
  EXPECT_NEAR(before, -2.0187478930, 3e-3);
  EXPECT_NEAR(after, -0.8 * before, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Impacts, ::testing::ValuesIn(methods_for_impacts()),
                         [](const auto& method) { return method.param; });

// What a run of the bouncing pendulum looks like, bruls-acary-cardona Figs. 5-8.
struct PendulumRun {
  std::vector<double> impacts;
  double open_until = 0.0, rise = 0.0, position = 0.0, velocity = 0.0;
  State end;
};

PendulumRun run_pendulum(Stepper& stepper) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  PendulumRun run;
  Vector g, was;
  const State start = p.at(std::numbers::pi / 12.0, 0.0);
  double energy = p.energy(start);
  run.end =
      step_through(*system, start, stepper, 1e-3, 4.0, [&](const State& from, const State& to) {
        system->constraint_velocity(from, was);
        system->constraint_velocity(to, g);
        if (was(2) < -0.5 && g(2) > 0.4) run.impacts.push_back(to.time);
        run.velocity = std::max(run.velocity, max_abs(Vector(g.head(2))));
        system->constraint(to, g);
        run.position = std::max(run.position, max_abs(Vector(g.head(2))));
        if (g(2) > 1e-9) run.open_until = to.time;
        run.rise = std::max(run.rise, p.energy(to) - energy);
        energy = p.energy(to);
      });
  return run;
}

TEST(NonsmoothAlpha, FollowsTheBouncingPendulum) {
  // where steps end in which the event-driven reference has its impacts, or up to two later
  const std::vector<double> impacts{0.3511865, 0.9447411, 1.4434168,
                                    1.8582976, 2.2000488, 2.4791912};
  for (const double rho : {0.9, 1.0}) {
    for (const bool pva : {true, false}) {
      SCOPED_TRACE(::testing::Message() << (pva ? "pva" : "pvv") << ", rho " << rho);
      NonsmoothAlphaOptions options;
      options.rho = rho;
      const auto stepper = pva ? make_nonsmooth_pva(options) : make_nonsmooth_pvv(options);
      const PendulumRun run = run_pendulum(*stepper);
      ASSERT_GE(run.impacts.size(), impacts.size());
      for (std::size_t i = 0; i < impacts.size(); ++i)
        EXPECT_NEAR(run.impacts[i], impacts[i], 2.5e-3);
      EXPECT_NEAR(run.open_until, 3.5445, 1e-3);
      EXPECT_LT(run.rise, 1e-4);
      EXPECT_LT(run.position, 1e-10);
      EXPECT_LT(run.velocity, 1e-10);
      const Vector& impulse = *stepper->internal("impulse");
      EXPECT_NEAR(impulse(0), -10e-3, 1e-9);
      EXPECT_NEAR(impulse(1), -10e-3, 1e-9);
      EXPECT_NEAR(impulse(2), 10e-3, 1e-9);
      if (pva) {  // the smooth motion carries all of it
        EXPECT_NEAR(run.end.multiplier(2), 10.0, 1e-6);
        EXPECT_NEAR(run.end.multiplier(0), -10.0, 1e-6);
      } else {
        EXPECT_EQ(run.end.multiplier(2), 0.0);
      }
    }
  }
}

// As printed, an open contact keeps a part of its reaction: the energy rises after impacts, and
// there are steps without an active set that agrees with itself.
TEST(NonsmoothAlpha, AsPrintedGainsEnergyAndMeetsStepsWithoutSolution) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  NonsmoothAlphaOptions options;
  options.rho = 0.9;
  options.open_contacts = OpenContacts::kPaper;
  const auto stepper = make_nonsmooth_pva(options);
  State s = p.at(std::numbers::pi / 12.0, 0.0), to;
  ASSERT_TRUE(make_consistent(*system, s).ok());
  to = s;
  stepper->start(*system, s);
  double rise = 0.0;
  StepReport report;
  for (int n = 1; n <= 4000; ++n) {
    report = stepper->attempt(*system, s, 1e-3, to);
    if (!report.ok()) break;
    stepper->accept();
    rise = std::max(rise, p.energy(to) - p.energy(s));
    std::swap(s, to);
  }
  EXPECT_NEAR(rise, 1.44e-2, 2e-4);
  EXPECT_NEAR(s.time, 3.642, 1e-9);
  EXPECT_EQ(report.status, StepReport::Status::kNoActiveSet);
  EXPECT_EQ(report.cycles, 3) << "one for every remedy";
  EXPECT_LT(report.newton_iterations, 60);
  const std::string message = explain(*system, report, s.time, 1e-3);
  EXPECT_NE(message.find("constraint 2 opens and closes in turn"), std::string::npos) << message;
  EXPECT_NE(message.find("open_contacts = complementary"), std::string::npos) << message;
}

// acary Fig. 2: first order in L1 through an accumulation of impacts.
TEST(MoreauJean, IsOfFirstOrderOnTheBouncingBall) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  const auto error = [&](double h) {
    double sum = 0.0;
    step_through(*system, ball.at(1.0, 0.0), *make_moreau_jean(), h, 4.0,
                 [&](const State&, const State& s) {
                   sum += h * std::abs(s.position(0) - ball.height(s.time));
                 });
    return sum;
  };
  const double coarse = error(1e-2), fine = error(1e-4);
  EXPECT_NEAR(std::log10(coarse / fine) / 2.0, 1.0, 0.15) << coarse << " " << fine;
}

TEST(MoreauJean, ABlockSlidesToAStopByCoulombsLaw) {
  const problems::SlidingBlock block;
  const auto system = make_system(block);
  const double speed = 1.5, stop = speed / (block.mu * block.g);
  const auto stepper = make_moreau_jean();
  const State end = step_through(*system, block.at(speed), *stepper, 1e-3, 1.0);
  EXPECT_NEAR(end.position(0), 0.5 * speed * stop, 2e-3);
  EXPECT_NEAR(end.velocity(0), 0.0, 1e-12);
  // at rest no friction is left beyond the tolerance of the contact problem, and the normal force
  // is the weight
  EXPECT_NEAR((*stepper->internal("tangential_impulse"))(0), 0.0, 1e-10);
  EXPECT_NEAR((*stepper->internal("impulse"))(0), block.m * block.g * 1e-3, 1e-12);
}

TEST(MoreauJean, ABlockSticksUnderASmallPushAndSlipsUnderALargeOne) {
  problems::SlidingBlock block;
  for (const double part : {0.9, 1.1}) {
    block.push = part * block.mu * block.m * block.g;
    const auto system = make_system(block);
    const auto stepper = make_moreau_jean();
    const State end = step_through(*system, block.at(0.0), *stepper, 1e-3, 1.0);
    const double pull = std::max(0.0, block.push - block.mu * block.m * block.g) / block.m;
    EXPECT_NEAR(end.velocity(0), pull * 1.0, 1e-2 * pull + 1e-12) << part;
  }
}

TEST(MoreauJean, ASpinningDiskBouncesByTheLawsOfNewtonAndCoulomb) {
  const problems::SpinningDisk disk;
  const auto system = make_system(disk);
  for (const double spin : {40.0, 2.0, -30.0}) {  // slips, sticks, slips the other way
    const auto stepper = make_moreau_jean();
    Vector before, after;
    step_through(*system, disk.at(0.5, 1.0, spin), *stepper, 1e-4, 0.4,
                 [&](const State& from, const State& to) {
                   if (after.size() > 0 || to.velocity(1) < 0.0) return;
                   before = from.velocity;
                   after = to.velocity;
                 });
    ASSERT_EQ(after.size(), 3) << spin;
    const Vector expected = disk.after_impact(before);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(after(i), expected(i), 2e-2 * std::abs(expected(i))) << spin << ": " << i;
  }
}

TEST(MoreauJean, ProjectionKeepsJointsAndContactsClosed) {
  MoreauJeanOptions options;
  options.positions = PositionCorrection::kProjected;
  const PendulumRun run = run_pendulum(*make_moreau_jean(options));
  EXPECT_LT(run.position, 1e-10);
  EXPECT_GT(run_pendulum(*make_moreau_jean()).position, 1e-6) << "without it they drift";
}

TEST(SmoothMethods, RefuseContacts) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  State s = ball.at(1.0, 0.0);
  ASSERT_TRUE(make_consistent(*system, s).ok());
  EXPECT_THROW(make_stepper("hht_i3")->start(*system, s), InputError);
}

// Gaps and slips are differentiated like joints and rolling.
TEST(ContactEquations, HaveExactDerivatives) {
  const problems::SpinningDisk disk;
  const auto spinning = make_system(disk);
  State s = disk.at(0.3, 1.0, 2.0);
  size_state(*spinning, s);
  TangentChecks("spinning disk", *spinning, s, 0.2).all();
  const problems::BouncingPendulum p;
  const auto pendulum = make_system(p);
  State t = p.at(0.4, 1.3);
  size_state(*pendulum, t);
  TangentChecks("bouncing pendulum", *pendulum, t, 0.2).all();
}

TEST(ContactEquations, ComeLastWhateverTheOrderOfParts) {
  SystemBuilder builder;
  builder.add(problems::SpinningDisk{}, "disk", {0, 1, 2});
  builder.add(problems::BouncingPendulum{}, "rod", {3, 4, 5});
  const auto system = builder.build();
  EXPECT_EQ(system->sizes().joints(), 2);
  EXPECT_EQ(system->sizes().contacts, 2);
  EXPECT_EQ(system->name_of(Equation::kConstraint, 0), "rod.0");
  EXPECT_EQ(system->contact_law(0).friction, problems::SpinningDisk{}.mu);
  EXPECT_EQ(system->contact_law(0).first_slip, 0);
  EXPECT_EQ(system->contact_law(1).restitution, problems::BouncingPendulum{}.e);
  EXPECT_EQ(system->contact_law(1).slips, 0);
}

}  // namespace
}  // namespace picus::testing
