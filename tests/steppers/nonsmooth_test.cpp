// SPDX-License-Identifier: BSD-3-Clause
// Methods that step across impacts, against closed forms and event-driven references.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/LU>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/steppers/nonsmooth_methods.h"
#include "studies/problems/impacts.h"
#include "tests/steppers/step_through.h"
#include "tests/support/impact_systems.h"
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
  } else if (finds_events(GetParam())) {
    EXPECT_NEAR(after[0], 0.8 * 2.0187478930, 1e-9);
  } else {
    // halved steps have the law in one half; the gap accelerates by up to 11 m/s² in the other
    const double tolerance = GetParam() == "moreau_adaptive" ? 11.0 * 0.5 * h : 1e-6;
    EXPECT_NEAR(after[-1], -2.0187478930, 3e-3);
    EXPECT_NEAR(after[0], -0.8 * after[-1], tolerance);
  }
}

// acary Fig. 2 and 3: first order in L1 through an accumulation of impacts, whatever the method
// that does not look for them.
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
  if (finds_events(GetParam())) {
    EXPECT_LT(fine, 1e-10);
  } else {
    EXPECT_NEAR(std::log10(coarse / fine), 1.0, 0.2) << coarse << " " << fine;
  }
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
      const Vector& impulse = *stepper->impulses().normal;
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

// What numerical damping leaves of the last bounces falls below the smallest numbers.
TEST(NonsmoothAlpha, ABallMayRestForever) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  for (const auto& stepper : {make_nonsmooth_pva(), make_nonsmooth_pvv()}) {
    const State end = step_through(*system, ball.at(1.0, 0.0), *stepper, 5.0 / 2813, 5.0);
    EXPECT_NEAR(end.time, 5.0, 1e-12);
    EXPECT_NEAR(end.velocity(0), 0.0, 1e-300);
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
  EXPECT_NE(message.find("constraint 2 alternates between open and closed"), std::string::npos)
      << message;
  EXPECT_NE(message.find("open_contacts = complementary"), std::string::npos) << message;
}

// Methods with friction; studer-leine-glocker §3 and acary (16).
class FrictionAtVelocityLevel : public ::testing::TestWithParam<std::string> {};

TEST_P(FrictionAtVelocityLevel, ABlockSlidesToAStopByCoulombsLaw) {
  const problems::SlidingBlock block;
  const auto system = make_system(block);
  const double speed = 1.5, stop = speed / (block.mu * block.g);
  const auto stepper = make_stepper(GetParam());
  const State end = step_through(*system, block.at(speed), *stepper, 1e-3, 1.0);
  EXPECT_NEAR(end.position(0), 0.5 * speed * stop, 2e-3);
  EXPECT_NEAR(end.velocity(0), 0.0, 1e-12);
  // at rest no friction is left beyond the tolerance of the contact problem, and the normal force
  // is the weight
  EXPECT_NEAR((*stepper->impulses().tangential)(0), 0.0, 1e-10);
  EXPECT_NEAR((*stepper->impulses().normal)(0), block.m * block.g * 1e-3, 1e-12);
}

TEST_P(FrictionAtVelocityLevel, ABlockSticksUnderASmallPushAndSlipsUnderALargeOne) {
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

TEST_P(FrictionAtVelocityLevel, ASpinningDiskBouncesByTheLawsOfNewtonAndCoulomb) {
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

INSTANTIATE_TEST_SUITE_P(Catalog, FrictionAtVelocityLevel,
                         ::testing::Values("moreau_jean", "moreau_midpoint"),
                         [](const auto& method) { return method.param; });

// acary (22)-(24) for one coordinate, as printed.
std::vector<double> schatzman_paoli_by_hand(const problems::ImpactOscillator& o, double theta,
                                            double h, int steps) {
  const double c = o.c / o.m, k = o.k / o.m;
  double q0 = 1.0 - 0.5 * h * h * k, q1 = 1.0, v1 = 0.0;  // q_{-1} and q_0 of a smooth past
  std::vector<double> positions;
  for (int n = 0; n < steps; ++n) {
    // q2 - 2 q1 + q0 = -h² (c ((1-θ) v1 + θ (q2-q0)/2h) + k ((1-θ) q1 + θ q2))
    const double known =
        2.0 * q1 - q0 -
        h * h * (c * ((1.0 - theta) * v1 - theta * q0 / (2.0 * h)) + k * (1.0 - theta) * q1);
    const double q2 =
        std::max(known / (1.0 + h * h * theta * (c / (2.0 * h) + k)), -o.e * q0);  // (24)
    v1 = (q2 - q0) / (2.0 * h);
    q0 = q1;
    q1 = q2;
    positions.push_back(q2);
  }
  return positions;
}

TEST(SchatzmanPaoli, TakesTheStepsOfAcary22To24) {
  const problems::ImpactOscillator oscillator{.m = 2.0, .c = 0.3, .k = 1.7, .e = 0.6};
  const auto system = make_system(oscillator);
  for (const double theta : {0.0, 0.5, 1.0}) {
    const double h = 1e-2;
    const std::vector<double> expected = schatzman_paoli_by_hand(oscillator, theta, h, 1000);
    ASSERT_LT(*std::min_element(expected.begin(), expected.end()), -1e-4) << "no impacts";
    std::size_t n = 0;
    step_through(*system, oscillator.at(1.0, 0.0), *make_schatzman_paoli({.theta = theta}), h, 10.0,
                 [&](const State&, const State& s) {
                   EXPECT_NEAR(s.position(0), expected[n++], 1e-9) << theta << ", t = " << s.time;
                 });
  }
}

// Each contact has its own mean position, since each may have its own restitution.
TEST(SchatzmanPaoli, KnowsContactsOfDifferentRestitution) {
  const double e[] = {0.5, 0.9};
  const auto both = two_balls(e[0], e[1]);
  State start;
  start.position = Vector::Constant(2, 1.0);
  start.velocity = Vector::Zero(2);
  // one contact alone is solved exactly, two of them only as well as asked for
  SchatzmanPaoliOptions options;
  options.contact.contact_tolerance = 1e-13;
  const State end = step_through(*both, start, *make_schatzman_paoli(options), 1e-2, 2.2);
  for (int i = 0; i < 2; ++i) {
    const problems::BouncingBall ball{.e = e[i]};
    const State alone =
        step_through(*make_system(ball), ball.at(1.0, 0.0), *make_schatzman_paoli(), 1e-2, 2.2);
    EXPECT_NEAR(end.position(i), alone.position(0), 1e-10);
    EXPECT_NEAR(end.velocity(i), alone.velocity(0), 1e-8);
  }
}

// studer-leine-glocker (15)-(21) for one coordinate.
TEST(MoreauMidpoint, TakesTheStepsOfStuderLeineGlocker15To21) {
  const problems::ImpactOscillator oscillator{.m = 2.0, .c = 0.3, .k = 1.7, .e = 0.6};
  const auto system = make_system(oscillator);
  const double h = 1e-2;
  double q = 1.0, u = 0.0;
  step_through(*system, oscillator.at(q, u), *make_moreau_midpoint(), h, 10.0,
               [&](const State&, const State& s) {
                 const double middle = q + 0.5 * h * u;
                 double end = u - h * (oscillator.c * u + oscillator.k * middle) / oscillator.m;
                 if (middle <= 0.0) end = std::max(end, -oscillator.e * u);
                 q += 0.5 * h * (u + end);
                 u = end;
                 EXPECT_NEAR(s.position(0), q, 1e-9) << s.time;
                 EXPECT_NEAR(s.velocity(0), u, 1e-9) << s.time;
               });
}

// Both ways to correct positions, for both methods of Moreau.
TEST(PositionCorrection, KeepsJointsAndContactsClosed) {
  for (const char* method : {"moreau_jean", "moreau_midpoint"}) {
    for (const char* way : {"joints", "projected", "multiplier"}) {
      SCOPED_TRACE(std::string(method) + ", " + way);
      const PendulumRun run = run_pendulum(*make_stepper(method, {{"positions", way}}));
      EXPECT_LT(run.position, 1e-10);
    }
    EXPECT_GT(run_pendulum(*make_stepper(method, {{"positions", "none"}})).position, 1e-7)
        << "without it they drift";  // by the error of second order
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
  for (const char* method : {"schatzman_paoli"}) {
    State s = block.at(1.0);
    ASSERT_TRUE(make_consistent(*rough, s).ok());
    EXPECT_THROW(make_stepper(method)->start(*rough, s), InputError);
    const State end = step_through(*smooth, block.at(1.0), *make_stepper(method), 1e-2, 1.0);
    EXPECT_NEAR(end.position(0), 1.0, 1e-9) << method;
    EXPECT_NEAR(end.position(1), 0.0, 1e-9) << method;
  }
}

// Newton's cradle of pendulums that touch.
struct TouchingPendulum {
  static constexpr int kCoordinates = 1;
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const {
    using std::sin;
    return s.vector(-10.0 * sin(s.q(0)));
  }
};
struct TouchingPair {
  static constexpr int kCoordinates = 2, kContacts = 1;
  double e;
  auto gap(const auto& s) const { return s.vector(s.q(1) - s.q(0)); }
  ContactLaw law(int) const { return {.restitution = e}; }
};

// Bodies that touch and move together: the rates of their gaps are the rounding of their
// velocities, and no impulse can make them smaller. Behind plastic impacts all five keep a fifth of
// the energy; elastic ones keep it all, up to the error of the method.
TEST(MoreauMethods, AdvanceBodiesThatTouchAndMoveTogether) {
  constexpr int kCount = 5;
  constexpr double kDrawn = 0.2, kStep = 5e-3;
  const auto energy = [](const State& s) {
    return 0.5 * s.velocity.squaredNorm() + 10.0 * (1.0 - s.position.array().cos()).sum();
  };
  for (const double e : {1.0, 0.5, 0.0}) {
    SystemBuilder builder;
    for (int i = 0; i < kCount; ++i)
      builder.add(TouchingPendulum{}, fmt::format("mass {}", i), {i});
    for (int i = 0; i + 1 < kCount; ++i)
      builder.add(TouchingPair{e}, fmt::format("pair {}", i), {i, i + 1});
    const auto system = builder.build();
    for (const char* method :
         {"moreau_jean", "moreau_midpoint", "moreau_adaptive", "extrapolation"}) {
      State start;
      start.position = start.velocity = Vector::Zero(kCount);
      start.position(0) = -kDrawn;
      const State end = step_through(*system, start, *make_stepper(method), kStep, 5.0);
      const double kept = energy(end) / energy(start);
      EXPECT_NEAR(kept, e == 1.0 ? 1.0 : 0.2, 0.02) << method << ", e = " << e;
    }
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
