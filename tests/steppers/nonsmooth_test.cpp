// SPDX-License-Identifier: BSD-3-Clause
// Methods that step across impacts, against closed forms and event-driven references.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/catalog.h"
#include "picus/steppers/nonsmooth_methods.h"
#include "tests/support/impact_systems.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

using See = std::function<void(const State& before, const State& after)>;

// Steps of size h until `end`; every failed step fails the test.
State step_through(const System& system, State s, Stepper& stepper, double h, double end,
                   const See& see = {}) {
  const Consistency start = make_consistent(system, s);
  EXPECT_TRUE(start.ok()) << start.message;
  stepper.start(system, s);
  State to = s;
  const long steps = std::lround(end / h);
  for (long n = 1; n <= steps; ++n) {
    const StepReport report = stepper.attempt(system, s, h, to);
    EXPECT_TRUE(report.ok()) << explain(system, report, s.time, h);
    if (!report.ok()) return s;
    stepper.accept();
    to.time = static_cast<double>(n) * h;
    if (see) see(s, to);
    std::swap(s, to);
  }
  return s;
}

std::vector<std::string> methods_for_impacts() {
  std::vector<std::string> names;
  for (const StepperEntry& entry : stepper_catalog())
    if (make_stepper(entry.name)->traits().handles_impacts) names.emplace_back(entry.name);
  return names;
}

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

// Velocities of the gap of the pendulum, one per step.
std::vector<double> gap_rates(Stepper& stepper, double h, double end) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  std::vector<double> rates;
  Vector rate;
  step_through(*system, p.at(std::numbers::pi / 12.0, 0.0), stepper, h, end,
               [&](const State&, const State& to) {
                 system->constraint_velocity(to, rate);
                 rates.push_back(rate(2));
               });
  return rates;
}

TEST_P(Impacts, NewtonsLawHoldsAtTheFirstImpact) {
  const double h = 1e-4;
  const std::vector<double> rates = gap_rates(*make_stepper(GetParam()), h, 0.4);
  const auto after =
      std::find_if(rates.begin(), rates.end(), [](double rate) { return rate > 0.0; });
  ASSERT_NE(after, rates.end());
  const auto when = static_cast<double>(after - rates.begin() + 1) * h;
  EXPECT_NEAR(when, 0.3511865254, 3e-4);  // event-driven reference
  if (GetParam() == "schatzman_paoli") {
    // acary §3.1: only after several steps, during which gravity acts
    EXPECT_NEAR(after[-3], -2.0187478930, 3e-3);
    EXPECT_NEAR(after[3], -0.8 * after[-3], 5e-3);
  } else {
    EXPECT_NEAR(after[-1], -2.0187478930, 3e-3);
    EXPECT_NEAR(after[0], -0.8 * after[-1], 1e-6);
  }
}

// acary Fig. 2 and 3: first order in L1 through an accumulation of impacts, whatever the method.
TEST_P(Impacts, AreOfFirstOrderOnTheBouncingBall) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  const auto error = [&](double h) {
    double sum = 0.0;
    step_through(*system, ball.at(1.0, 0.0), *make_stepper(GetParam()), h, 4.0,
                 [&](const State&, const State& s) {
                   sum += h * std::abs(s.position(0) - ball.height(s.time));
                 });
    return sum;
  };
  const double coarse = error(1e-2), fine = error(1e-3);
  EXPECT_NEAR(std::log10(coarse / fine), 1.0, 0.2) << coarse << " " << fine;
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
  bool failed = false;
  for (int n = 1; n <= 4000 && !failed; ++n) {
    failed = !stepper->attempt(*system, s, 1e-3, to).ok();
    if (failed) break;
    stepper->accept();
    rise = std::max(rise, p.energy(to) - p.energy(s));
    std::swap(s, to);
  }
  EXPECT_NEAR(rise, 1.44e-2, 2e-4);
  EXPECT_TRUE(failed);
  EXPECT_GT(s.time, 3.0);
}

// Methods with friction; studer-leine-glocker §3 and acary (16).
class Friction : public ::testing::TestWithParam<std::string> {};

TEST_P(Friction, ABlockSlidesToAStopByCoulombsLaw) {
  const problems::SlidingBlock block;
  const auto system = make_system(block);
  const double speed = 1.5, stop = speed / (block.mu * block.g);
  const auto stepper = make_stepper(GetParam());
  const State end = step_through(*system, block.at(speed), *stepper, 1e-3, 1.0);
  EXPECT_NEAR(end.position(0), 0.5 * speed * stop, 2e-3);
  EXPECT_NEAR(end.velocity(0), 0.0, 1e-12);
  // at rest no friction is left beyond the tolerance of the contact problem, and the normal force
  // is the weight
  EXPECT_NEAR((*stepper->internal("tangential_impulse"))(0), 0.0, 1e-10);
  EXPECT_NEAR((*stepper->internal("impulse"))(0), block.m * block.g * 1e-3, 1e-12);
}

TEST_P(Friction, ABlockSticksUnderASmallPushAndSlipsUnderALargeOne) {
  problems::SlidingBlock block;
  for (const double part : {0.9, 1.1}) {
    block.push = part * block.mu * block.m * block.g;
    const auto system = make_system(block);
    const auto stepper = make_stepper(GetParam());
    const State end = step_through(*system, block.at(0.0), *stepper, 1e-3, 1.0);
    const double pull = std::max(0.0, block.push - block.mu * block.m * block.g) / block.m;
    EXPECT_NEAR(end.velocity(0), pull * 1.0, 1e-2 * pull + 1e-12) << part;
  }
}

TEST_P(Friction, ASpinningDiskBouncesByTheLawsOfNewtonAndCoulomb) {
  const problems::SpinningDisk disk;
  const auto system = make_system(disk);
  for (const double spin : {40.0, 2.0, -30.0}) {  // slips, sticks, slips the other way
    const auto stepper = make_stepper(GetParam());
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

INSTANTIATE_TEST_SUITE_P(Catalog, Friction, ::testing::Values("moreau_jean", "moreau_midpoint"),
                         [](const auto& method) { return method.param; });

// Both ways to correct positions, for both methods of Moreau.
TEST(PositionCorrection, KeepsJointsAndContactsClosed) {
  for (const char* method : {"moreau_jean", "moreau_midpoint"}) {
    for (const char* way : {"projected", "multiplier"}) {
      SCOPED_TRACE(std::string(method) + ", " + way);
      const PendulumRun run = run_pendulum(*make_stepper(method, {{"positions", way}}));
      EXPECT_LT(run.position, 1e-10);
    }
    EXPECT_GT(run_pendulum(*make_stepper(method)).position, 1e-6) << "without it they drift";
  }
}

// acary (19) leaves no penetration at all. It lifts what has penetrated during a step, by at most
// the step times the speed, and so does work against gravity.
TEST(PositionCorrection, ByAMultiplierLeavesNoPenetrationAndDoesWorkOfFirstOrder) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  for (const double h : {1e-2, 1e-3}) {
    double lowest = 0.0, rise = 0.0;
    step_through(*system, ball.at(1.0, 0.0),
                 *make_moreau_jean({.positions = PositionCorrection::kMultiplier}), h, 4.0,
                 [&](const State& from, const State& to) {
                   lowest = std::min(lowest, to.position(0));
                   rise = std::max(rise, ball.energy(to) - ball.energy(from));
                 });
    EXPECT_GT(lowest, -1e-11);
    EXPECT_LT(rise, 2.0 * 2.0 * h);  // weight times speed times h
  }
}

// The printed (19b) by hand for one step: a rod falls onto a corner, G is not constant.
TEST(PositionCorrection, ByAMultiplierIsTheEquationOfAcary19) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  const auto stepper = make_moreau_jean(
      {.theta = 0.5, .positions = PositionCorrection::kMultiplier, .newton_tolerance = 1e-13});
  State s = p.at(std::numbers::pi / 4.0 - 2e-3, 3.0);  // penetrates within the step
  ASSERT_TRUE(make_consistent(*system, s).ok());
  stepper->start(*system, s);
  State to = s;
  const double h = 1e-3;
  ASSERT_TRUE(stepper->attempt(*system, s, h, to).ok());
  State middle = s;  // q_θ = (q_k + q_{k+1})/2
  middle.position = 0.5 * (s.position + to.position);
  SparseMatrix G;
  system->constraint_jacobian(middle, G);
  const Vector shift = to.position - s.position - 0.5 * h * (s.velocity + to.velocity);
  ASSERT_GT(max_abs(shift), 1e-6);
  const Vector tau = G.dense().transpose().fullPivLu().solve(shift);
  EXPECT_LT(max_abs(Vector(G.dense().transpose() * tau - shift)), 1e-12) << "shift is not Gᵀτ";
  EXPECT_GT(tau(2), 0.0);
  Vector g;
  system->constraint(to, g);
  EXPECT_LT(max_abs(g), 1e-11);
}

TEST(SmoothMethods, RefuseContacts) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  State s = ball.at(1.0, 0.0);
  ASSERT_TRUE(make_consistent(*system, s).ok());
  EXPECT_THROW(make_stepper("hht_i3")->start(*system, s), InputError);
}

TEST(MethodsWithoutFriction, RefuseItInsteadOfIgnoringIt) {
  problems::SlidingBlock block;
  const auto rough = make_system(block);
  block.mu = 0.0;
  const auto smooth = make_system(block);
  for (const char* method : {"nonsmooth_pva", "nonsmooth_pvv", "schatzman_paoli"}) {
    State s = block.at(1.0);
    ASSERT_TRUE(make_consistent(*rough, s).ok());
    EXPECT_THROW(make_stepper(method)->start(*rough, s), InputError);
    const State end = step_through(*smooth, block.at(1.0), *make_stepper(method), 1e-2, 1.0);
    EXPECT_NEAR(end.position(0), 1.0, 1e-9) << method;
    EXPECT_NEAR(end.position(1), 0.0, 1e-9) << method;
  }
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
  const auto system = disk_and_rod();
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
