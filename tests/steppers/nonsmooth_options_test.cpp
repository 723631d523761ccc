// SPDX-License-Identifier: BSD-3-Clause
// Options of the nonsmooth generalized-α methods, and how runs with contacts begin.
#include <numbers>

#include "picus/simulation/simulate.h"
#include "picus/steppers/nonsmooth_methods.h"
#include "studies/problems/friction.h"
#include "studies/problems/impacts.h"
#include "tests/steppers/step_through.h"

namespace picus::testing {
namespace {

std::unique_ptr<Stepper> make_nonsmooth(bool pva, const NonsmoothAlphaOptions& options) {
  return pva ? make_nonsmooth_pva(options) : make_nonsmooth_pvv(options);
}

// Algorithm 1 of bruls-acary-cardona, solved to 1e-9 of the forces, against the coupled equations.
TEST(DecoupledSolution, AgreesWithTheCoupledOneOnTheBouncingPendulum) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  for (const bool pva : {true, false}) {
    NonsmoothAlphaOptions options;
    options.rho = 0.9;
    std::vector<State> coupled, decoupled;
    const auto run = [&](std::vector<State>& states) {
      step_through(*system, p.at(std::numbers::pi / 12.0, 0.0), *make_nonsmooth(pva, options), 1e-3,
                   1.5, [&](const State&, const State& s) { states.push_back(s); });
    };
    run(coupled);
    options.solution = StepSolution::kDecoupled;
    run(decoupled);
    ASSERT_EQ(coupled.size(), decoupled.size());
    for (std::size_t i = 0; i < coupled.size(); ++i) {
      EXPECT_LT(max_abs(coupled[i].position - decoupled[i].position), 1e-7);
      EXPECT_LT(max_abs(coupled[i].velocity - decoupled[i].velocity), 1e-7);
    }
  }
}

struct BarElement {
  static constexpr int kCoordinates = 2;
  double m, k;

  auto mass(const auto&) const { return diagonal(0.5 * m, 0.5 * m); }
  auto force(const auto& s) const {
    const auto tension = k * (s.q(1) - s.q(0));
    return s.vector(tension, -tension);
  }
};
struct BarTip {
  static constexpr int kCoordinates = 1, kContacts = 1;
  double distance = 5.0;

  auto gap(const auto& s) const { return s.vector(s.q(0) + distance); }
  ContactLaw law(int) const { return {}; }
};

// The elastic bar of §6.3 with lumped masses, 40 elements in place of 200: contact from 0.5 s to
// 0.5 + 2/3 s.
struct BarIterations {
  double in_flight = 0.0, in_contact = 0.0, afterwards = 0.0;  ///< per step
};
BarIterations count_iterations(bool pva) {
  constexpr int kElements = 40;
  constexpr double kLength = 10.0 / kElements, h = 1e-2;
  SystemBuilder builder;
  for (int i = 0; i < kElements; ++i)
    builder.add(BarElement{kLength, 900.0 / kLength}, "element " + std::to_string(i), {i, i + 1});
  builder.add(BarTip{}, "tip", {0});
  const auto system = builder.build();
  NonsmoothAlphaOptions options;
  options.solution = StepSolution::kDecoupled;
  options.residual_tolerance = 5e-4;
  options.force_scale = 300.0;  // of the exact solution
  const auto stepper = make_nonsmooth(pva, options);
  State s, to;
  s.position = Vector::Zero(kElements + 1);
  s.velocity = Vector::Constant(kElements + 1, -10.0);
  EXPECT_TRUE(make_consistent(*system, s).ok());
  stepper->start(*system, s);
  to = s;
  BarIterations mean;
  Vector steps = Vector::Zero(3);
  for (int n = 0; n < 250; ++n) {
    const StepReport report = stepper->attempt(*system, s, h, to);
    EXPECT_TRUE(report.ok()) << explain(*system, report, s.time, h);
    stepper->accept();
    std::swap(s, to);
    const bool touches = (*stepper->impulses().normal)(0) > 0.0;
    const int phase = touches ? 1 : s.time < 0.6 ? 0 : 2;
    (phase == 1   ? mean.in_contact
     : phase == 0 ? mean.in_flight
                  : mean.afterwards) += report.newton_iterations;
    steps(phase) += 1.0;
  }
  EXPECT_NEAR(s.velocity.mean(), 10.0, 0.5) << "it bounces back";
  return {mean.in_flight / steps(0), mean.in_contact / steps(1), mean.afterwards / steps(2)};
}

// With PVA the smooth motion carries the contact force, so that the levels hardly couple.
TEST(DecoupledSolution, NeedsNoIterationInFlightAndOneInContact) {
  const BarIterations pva = count_iterations(true), pvv = count_iterations(false);
  EXPECT_EQ(pva.in_flight, 0.0);
  EXPECT_EQ(pvv.in_flight, 0.0);
  EXPECT_NEAR(pva.in_contact, 1.0, 0.1);
  EXPECT_NEAR(pva.afterwards, 1.0, 0.1);
  EXPECT_GT(pvv.in_contact, 5.0);
}

// What past accelerations do behind the first impact, §4.4: energy that free flight should keep.
TEST(RestartAfterImpacts, KeepsTheEnergyOfTheFlightBehindThem) {
  const problems::BouncingPendulum p;
  const auto system = make_system(p);
  const auto rise = [&](AlphaRestart restart) {
    NonsmoothAlphaOptions options;
    options.rho = 0.9;
    options.restart = restart;
    double worst = 0.0;
    step_through(*system, p.at(std::numbers::pi / 12.0, 0.0), *make_nonsmooth_pva(options), 1e-3,
                 1.5, [&](const State& from, const State& to) {
                   worst = std::max(worst, p.energy(to) - p.energy(from));
                 });
    return worst;
  };
  EXPECT_NEAR(rise(AlphaRestart::kNever), 3.3e-5, 1e-6);
  EXPECT_LT(rise(AlphaRestart::kAfterImpacts), 3e-7);
}

TEST(RestingContacts, ABlockOnTheGroundHasItsWeightAsReactionFromTheFirstSampleOn) {
  const problems::SlidingBlock block;
  const auto system = make_system(block);
  State state = block.at(0.0);
  FixedStep steps(1e-2);
  const auto stepper = make_nonsmooth_pva();
  int samples = 0;
  const Summary summary =
      simulate(*system, state, *stepper, steps, {.end_time = 0.1}, [&](const Moment& moment) {
        ++samples;
        // the first one to the tolerance of the contact problem, 1e-10
        EXPECT_NEAR(moment.state.multiplier(0), block.m * block.g, 1e-8) << moment.state.time;
        EXPECT_LT(max_abs(moment.state.acceleration), 1e-8) << moment.state.time;
        return true;
      });
  EXPECT_TRUE(summary.ok()) << summary.message;
  EXPECT_EQ(samples, 11);
  EXPECT_EQ(summary.cycles, 0);
}

TEST(RestingContacts, StickOrSlipOnASlope) {
  for (const double part : {1.5, 0.5}) {
    problems::SlidingParticle particle;
    particle.speed = 0.0;
    particle.mu *= part;
    const auto system = make_system(particle);
    State s = particle.start();
    ASSERT_TRUE(make_consistent(*system, s).ok());
    ASSERT_TRUE(solve_resting_contacts(*system, s));
    const double pull = particle.g * std::sin(particle.slope);
    EXPECT_NEAR(s.multiplier(0), particle.m * particle.g * std::cos(particle.slope), 1e-8);
    EXPECT_NEAR(s.acceleration(1), part > 1.0 ? 0.0 : (1.0 - part) * pull, 1e-8);
    EXPECT_NEAR(s.nonholonomic_multiplier(1), -particle.m * pull * std::min(1.0, part), 1e-8);
    EXPECT_NEAR(s.nonholonomic_multiplier(0), 0.0, 1e-8);
    if (part < 1.0) continue;
    const State end = step_through(*system, particle.start(), *make_nonsmooth_pva(), 1e-2, 1.0,
                                   [](const State&, const State& now) {
                                     EXPECT_LT(max_abs(now.velocity), 1e-10) << now.time;
                                   });
    EXPECT_LT(max_abs(end.position), 1e-10);
  }
}

TEST(RestingContacts, SlideWithTheForceOfFriction) {
  const problems::PushedBlock block;
  const auto system = make_system(block);
  State s = block.start();
  ASSERT_TRUE(make_consistent(*system, s).ok());
  ASSERT_TRUE(solve_resting_contacts(*system, s));
  EXPECT_NEAR(s.nonholonomic_multiplier(0), -block.limit(), 1e-9);
  EXPECT_NEAR(s.acceleration(0), (block.push - block.limit()) / block.m, 1e-9);
}

// Two corners, four reactions, three coordinates.
TEST(RestingContacts, MayBeRedundant) {
  const problems::RockingBlock block;
  const auto system = make_system(block);
  State s = block.at(0.0);
  ASSERT_TRUE(make_consistent(*system, s).ok());
  ASSERT_TRUE(solve_resting_contacts(*system, s));
  EXPECT_NEAR(s.multiplier(0), 0.5 * block.m * block.g, 1e-7);
  EXPECT_NEAR(s.multiplier(1), 0.5 * block.m * block.g, 1e-7);
  EXPECT_LT(max_abs(s.acceleration), 1e-8);
}

TEST(RestingContacts, AreLeftAloneWhereNoForceAgreesWithThem) {
  const problems::PainleveRod rod;
  const auto system = make_system(rod);
  State s = rod.at(1.1, 0.0, 3.0);
  ASSERT_TRUE(make_consistent(*system, s).ok());
  const State before = s;
  EXPECT_FALSE(solve_resting_contacts(*system, s));
  EXPECT_EQ(s.acceleration, before.acceleration);
  EXPECT_EQ(s.multiplier, before.multiplier);
}

// A ball in the air, and one about to hit the ground, have no contact at rest.
TEST(RestingContacts, DoNotHoldWhatMoves) {
  const problems::BouncingBall ball;
  const auto system = make_system(ball);
  for (const auto& [height, speed] : {std::pair{1.0, 0.0}, {0.0, -1.0}, {0.0, 1.0}}) {
    State s = ball.at(height, speed);
    ASSERT_TRUE(make_consistent(*system, s).ok());
    ASSERT_TRUE(solve_resting_contacts(*system, s));
    EXPECT_EQ(s.multiplier(0), 0.0);
    EXPECT_EQ(s.acceleration(0), ball.f);
  }
}

}  // namespace
}  // namespace picus::testing
