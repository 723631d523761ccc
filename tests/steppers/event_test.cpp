// SPDX-License-Identifier: BSD-3-Clause
// Methods that go from event to event: impacts, releases, slip and rest are found where they are.
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "picus/base/error.h"
#include "picus/simulation/adaptive_step.h"
#include "picus/simulation/simulate.h"
#include "picus/steppers/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/friction_elements.h"
#include "studies/problems/impact_solutions.h"
#include "studies/problems/woodpecker.h"

namespace picus::testing {
namespace {

using problems::BouncingBall;
using problems::BouncingPendulum;
using problems::ImpactOscillator;

struct EventRun {
  State end;
  Summary summary;
  std::vector<double> impacts, events;  ///< times
};

EventRun run_events(const System& system, const State& start, const OptionValues& options, double h,
                    double end, std::string_view method = "event_driven") {
  EventRun run;
  run.end = start;
  const auto stepper = make_stepper(method, options);
  FixedStep steps(h);
  run.summary =
      simulate(system, run.end, *stepper, steps, {.end_time = end}, [&](const Moment& moment) {
        if (moment.report.taken > 0.0) {
          run.events.push_back(moment.state.time);
          if (moment.stepper.impulses().has_impact()) run.impacts.push_back(moment.state.time);
        }
        return true;
      });
  EXPECT_TRUE(run.summary.ok()) << run.summary.message;
  return run;
}

TEST(EventDriven, FindsTheImpactsOfABallAndItsRest) {
  const BouncingBall ball;
  const auto system = make_system(ball);
  const EventRun run = run_events(*system, ball.at(1.0, 0.0), {}, 0.1, 4.0);
  ASSERT_GE(run.impacts.size(), 15u);
  EXPECT_LE(run.impacts.size(), 60u);
  for (std::size_t n = 0; n < 12; ++n)
    EXPECT_NEAR(run.impacts[n], 3.0 - std::ldexp(2.0, -static_cast<int>(n)), 1e-12) << n;
  EXPECT_NEAR(run.end.position(0), 0.0, 1e-12);
  EXPECT_NEAR(run.end.velocity(0), 0.0, 1e-15);
  EXPECT_NEAR(run.end.multiplier(0), 2.0, 1e-12);
}

TEST(EventDriven, RefusesAnAccumulationIfItIsToldTo) {
  const BouncingBall ball;
  const auto system = make_system(ball);
  State state = ball.at(1.0, 0.0);
  const auto stepper = make_stepper("event_driven", {{"accumulation", "refuse"}});
  FixedStep steps(0.1);
  const Summary summary = simulate(*system, state, *stepper, steps, {.end_time = 4.0});
  EXPECT_EQ(summary.ending, Summary::Ending::kStepFailed);
  EXPECT_NE(summary.message.find("accumulate"), std::string::npos) << summary.message;
  EXPECT_GT(state.time, 2.9);  // what was computed is kept

  // nor are smaller steps tried, which would follow it a little further
  state = ball.at(1.0, 0.0);
  AdaptiveStep controlled;
  const auto another = make_stepper("event_driven", {{"accumulation", "refuse"}});
  const Summary refused = simulate(*system, state, *another, controlled, {.end_time = 4.0});
  EXPECT_EQ(refused.ending, Summary::Ending::kStepFailed);
  EXPECT_EQ(refused.rejected, 0);
  EXPECT_EQ(refused.message.find("h_min"), std::string::npos) << refused.message;
}

// The mass passes the stop and would be back above it at the end of the step.
TEST(EventDriven, SeesAnImpactWithinAStepThatEndsAboveTheGround) {
  const ImpactOscillator oscillator{.c = 0.0, .k = 100.0, .e = 1.0};
  const auto system = make_system(oscillator);
  const double amplitude = 0.01, period = 2.0 * std::numbers::pi / 10.0;
  const EventRun run =
      run_events(*system, oscillator.at(amplitude, 0.0), {}, 0.95 * period, 0.95 * period);
  ASSERT_GE(run.impacts.size(), 1u);
  EXPECT_NEAR(run.impacts.front(), 0.25 * period, 1e-3);
}

// references: quadrature of the energy integral
TEST(EventDriven, FindsTheImpactsOfAPendulumWithJoints) {
  const BouncingPendulum pendulum;
  const auto system = make_system(pendulum);
  const EventRun run =
      run_events(*system, pendulum.at(std::numbers::pi / 12.0, 0.0), {}, 0.01, 4.0);
  constexpr std::array kImpacts{0.3511865254015655, 0.9447410575195277, 1.443416848405957,
                                1.858297629619569,  2.200048810225190,  2.479191216271920};
  ASSERT_GE(run.impacts.size(), kImpacts.size());
  for (std::size_t n = 0; n < kImpacts.size(); ++n)
    EXPECT_NEAR(run.impacts[n], kImpacts[n], 1e-9) << n;
  EXPECT_NEAR(run.end.multiplier(0), -10.0, 1e-6);
  EXPECT_NEAR(run.end.multiplier(1), -10.0, 1e-6);
  EXPECT_NEAR(run.end.multiplier(2), 10.0, 1e-6);
}

TEST(EventDriven, ABlockStopsSticksAndSlidesAgain) {
  const problems::PushedBlock block;
  const auto system = make_system(block);
  const EventRun run = run_events(*system, block.start(), {}, 0.1, 3.0);
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_NEAR(run.events[0], block.stop(), 1e-12);
  EXPECT_NEAR(run.events[1], block.slip_again(), 1e-11);
  EXPECT_NEAR(run.end.position(0), block.at(3.0).position, 1e-10);
  EXPECT_NEAR(run.end.velocity(0), block.at(3.0).velocity, 1e-10);
  EXPECT_NEAR(run.end.nonholonomic_multiplier(0), block.at(3.0).friction, 1e-10);
}

TEST(EventDriven, ADryPendulumSwingsOutAndStays) {
  const problems::DryPendulum pendulum;
  const auto system = make_system(pendulum);
  for (const double end : {0.5, 1.0, 3.0}) {
    const EventRun run = run_events(*system, pendulum.start(), {}, 0.02, end);
    EXPECT_NEAR(run.end.position(0), pendulum.at(end), 1e-7) << end;
  }
}

TEST(EventDriven, SpatialSlipTurnsWithTheMotion) {
  const problems::SlidingParticle particle;
  const auto system = make_system(particle);
  const EventRun run = run_events(*system, particle.start(), {}, 0.01, 0.5);
  const auto [across, down] = particle.velocity(0.5);
  EXPECT_NEAR(run.end.velocity(0), across, 1e-8);
  EXPECT_NEAR(run.end.velocity(1), down, 1e-8);
}

// Event-driven solution by matrix exponentials.
TEST(EventDriven, TheWoodpeckerSwitchesWhereItShould) {
  const problems::Woodpecker bird;
  const auto system = make_system(bird);
  const EventRun run = run_events(*system, bird.start(), {}, 2.5e-4, 0.35);
  constexpr std::array kEvents{0.021649270167, 0.061228686737, 0.067038548573, 0.077907193992,
                               0.081013497384, 0.081597240004, 0.083441641037, 0.118696833642,
                               0.121348982865, 0.167405603343};
  ASSERT_GE(run.events.size(), kEvents.size());
  for (std::size_t n = 0; n < kEvents.size(); ++n)
    EXPECT_NEAR(run.events[n], kEvents[n], 1e-8) << n;
  EXPECT_NEAR(run.end.position(0), -0.04327054, 1e-7);
  EXPECT_NEAR(run.end.position(2), -0.26028136, 1e-7);
}

// With long steps the interpolated gap of a contact that has just opened dips below zero, which is
// no impact: it was one thousands of times.
TEST(EventDriven, TheWoodpeckerOpensAContactOnce) {
  const problems::Woodpecker bird;
  const auto system = make_system(bird);
  for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
    State state = bird.start();
    AdaptiveStep control({.tolerance = tolerance});
    const Summary summary =
        simulate(*system, state, *make_stepper("event_driven"), control, {.end_time = 0.9});
    EXPECT_TRUE(summary.ok()) << summary.message;
    EXPECT_LT(summary.accepted, 200) << tolerance;
  }
}

struct Capturing {
  const char* smooth;
  int order;
};

// What GoogleTest prints.
void PrintTo(const Capturing& capturing, std::ostream* out) {
  *out << capturing.smooth << capturing.order;
}

class EventCapturing : public ::testing::TestWithParam<Capturing> {
 protected:
  static OptionValues options() {
    OptionValues options{{"smooth", GetParam().smooth}};
    if (std::string_view(GetParam().smooth).find("soi2") == std::string_view::npos &&
        std::string_view(GetParam().smooth) != "hht_i3")
      options.emplace_back("order", std::to_string(GetParam().order));
    return options;
  }
};

// acary, Theorem 1: events cost none of the order
TEST_P(EventCapturing, KeepsTheOrderOfTheSmoothMethodAcrossImpacts) {
  const ImpactOscillator oscillator;
  const auto system = make_system(oscillator);
  const problems::ImpactMotion exact = problems::exact_motion(oscillator, 1.0, 12.0);
  std::vector<double> h, error;
  // the error depends on where in its step an impact falls: the mean of several
  constexpr int kRuns = 8;
  const double first = GetParam().order <= 3 ? 0.125 : 0.25;
  for (const double step : {first, first / 2.0, first / 4.0, first / 8.0}) {
    double sum = 0.0;
    for (int k = 0; k < kRuns; ++k) {
      const EventRun run = run_events(*system, oscillator.at(1.0, 0.0), options(),
                                      step * (1.0 - 0.02 * k), 10.0, "event_capturing");
      EXPECT_EQ(run.impacts.size(), 3u);
      sum += std::abs(run.end.position(0) - exact.at(10.0).position);
    }
    h.push_back(step);
    error.push_back(sum / kRuns);
  }
  EXPECT_GE(studies::observed_order(h, error), GetParam().order - 0.4);
}

INSTANTIATE_TEST_SUITE_P(Smooth, EventCapturing,
                         ::testing::Values(Capturing{"half_explicit", 2},
                                           Capturing{"half_explicit", 3},
                                           Capturing{"half_explicit", 4},
                                           Capturing{"half_explicit", 5}, Capturing{"radau_iia", 3},
                                           Capturing{"radau_iia", 5}, Capturing{"lobatto_iiia", 2},
                                           Capturing{"lobatto_iiia", 4}, Capturing{"soi2", 2},
                                           Capturing{"hht_i3", 2}),
                         [](const ::testing::TestParamInfo<Capturing>& tested) {
                           return tested.param.smooth + std::to_string(tested.param.order);
                         });

// The upper edge lets go with neither gap nor rate, but for rounding of both signs, and its gap
// rises with the third power of time, which methods of second order do not see in the gap: a cubic
// through its ends dips below zero. That is no impact, at any step.
TEST(EventStepper, GetsAwayFromReleases) {
  const problems::Woodpecker toy;
  const auto system = make_system(toy);
  for (const double h : {4e-4, 3.5e-4, 2.75e-4, 2.5e-4, 1.5e-4, 1e-4}) {
    State state = toy.start();
    const auto stepper =
        make_stepper("event_capturing", {{"smooth", "half_explicit"}, {"order", "2"}});
    FixedStep steps(h);
    // each of twenty-odd events takes a step more
    const Summary summary = simulate(*system, state, *stepper, steps,
                                     {.end_time = 0.35, .max_steps = std::lround(0.35 / h) + 30});
    EXPECT_TRUE(summary.ok()) << h << ": " << summary.message;
    EXPECT_NEAR(state.position(2), -0.2602813649112755, 2e-2 * std::pow(h / 1e-3, 2)) << h;
  }
}

TEST(EventStepper, KeepsToATolerance) {
  const BouncingPendulum pendulum;
  const auto system = make_system(pendulum);
  std::vector<double> errors;
  for (const double tolerance : {1e-5, 1e-8}) {
    State state = pendulum.at(std::numbers::pi / 12.0, 0.0);
    const auto stepper = make_stepper("event_driven");
    AdaptiveStep control({.tolerance = tolerance});
    std::vector<double> impacts;
    const Summary summary =
        simulate(*system, state, *stepper, control, {.end_time = 1.5}, [&](const Moment& moment) {
          if (!moment.is_first() && moment.stepper.impulses().has_impact())
            impacts.push_back(moment.state.time);
          return true;
        });
    ASSERT_TRUE(summary.ok()) << summary.message;
    ASSERT_EQ(impacts.size(), 3u);
    errors.push_back(std::abs(impacts[2] - 1.443416848405957));
  }
  EXPECT_LT(errors[0], 1e-3);
  EXPECT_LT(errors[1], 1e-6);
}

TEST(EventStepper, DenseOutputEndsAtTheImpact) {
  const BouncingBall ball;
  const auto system = make_system(ball);
  State state = ball.at(1.0, 0.0);
  const auto stepper = make_stepper("event_driven");
  FixedStep steps(10.0);
  bool seen = false;
  const auto outcome =
      simulate(*system, state, *stepper, steps, {.end_time = 2.5}, [&](const Moment& moment) {
        if (moment.is_first() || seen) return true;
        seen = true;
        State middle;
        moment.interpolate(0.5, middle);
        EXPECT_NEAR(moment.state.time, 1.0, 1e-12);
        EXPECT_NEAR(middle.position(0), 0.75, 1e-12);
        EXPECT_NEAR(middle.velocity(0), -1.0, 1e-12);
        return true;
      });
  EXPECT_TRUE(outcome.ok());
  EXPECT_TRUE(seen);
}

// Painlevé's paradox (slope < 0): no normal force agrees with sliding, and an impact without
// collision ends it at once, p = W⁻¹ (0, speed) of gap and slip. It takes speed p_t/2 of the
// energy; then the rod turns about its tip, and nothing more is lost.
TEST(EventStepper, PainlevesRodStopsSlidingByAnImpactWithoutCollision) {
  const problems::PainleveRod rod;
  const auto system = make_system(rod);
  const double speed = 3.0;
  for (const char* method : {"event_driven", "event_capturing"}) {
    for (const double angle : {0.7, 0.8, 1.0, 1.1, 1.2}) {
      const double c = 0.5 * rod.L * std::cos(angle), n = 0.5 * rod.L * std::sin(angle);
      SmallMatrix<double, 2, 2> W;
      W << 1.0 / rod.m + c * c / rod.inertia(), -c * n / rod.inertia(), -c * n / rod.inertia(),
          1.0 / rod.m + n * n / rod.inertia();
      const Vector2 impulse = W.inverse() * Vector2(0.0, speed);
      ASSERT_LT(rod.slope(angle), 0.0) << angle;
      ASSERT_LT(impulse(1), rod.mu * impulse(0)) << angle << ": sticking is within the cone";
      const State start = rod.at(angle, 0.0, speed);
      const EventRun run = run_events(*system, start, {}, 1e-3, 0.1, method);
      ASSERT_TRUE(run.summary.ok()) << method << " " << angle << ": " << run.summary.message;
      EXPECT_NEAR(rod.energy(start) - rod.energy(run.end), 0.5 * speed * impulse(1), 1e-7) << angle;
      const double turned = run.end.position(2);
      EXPECT_NEAR(run.end.position(0), 0.5 * rod.L * std::cos(turned), 1e-8) << angle;
      EXPECT_NEAR(run.end.position(1), 0.5 * rod.L * std::sin(turned), 1e-8) << angle;
    }
  }
}

// Leaning the other way it slides on, pressed by λ = -free/slope: no paradox.
TEST(EventStepper, PainlevesRodSlidesOnWhereThereIsNoParadox) {
  const problems::PainleveRod rod;
  const auto system = make_system(rod);
  for (const double angle : {1.7, 2.0, 2.4}) {
    ASSERT_GT(rod.slope(angle), 0.0);
    const double h = 1e-5, force = -rod.free(angle, 0.0) / rod.slope(angle);
    const EventRun run = run_events(*system, rod.at(angle, 0.0, 3.0), {}, h, h);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_NEAR((run.end.velocity(0) + 3.0) / h, rod.mu * force / rod.m, 1e-3) << angle;
    EXPECT_NEAR(run.end.velocity(1) / h, force / rod.m - rod.g, 1e-3) << angle;
  }
}

TEST(EventStepper, RefusesWhatItCannotDo) {
  const auto refuses = [](const OptionValues& options, const char* word) {
    const problems::PushedBlock block;
    const auto system = make_system(block);
    State state = block.start();
    FixedStep steps(0.1);
    try {
      const auto stepper = make_stepper("event_capturing", options);
      static_cast<void>(simulate(*system, state, *stepper, steps, {.end_time = 0.2}));
      FAIL() << "accepted without " << word;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refuses({{"smooth", "hht_soi2"}}, "friction; use half_explicit");
  refuses({{"smooth", "moreau_jean"}}, "smooth");
  refuses({{"critical", "-1"}}, "critical");
  refuses({{"shortest_flight", "2"}}, "shortest_flight");
  refuses({{"crtical", "2"}}, "crtical");
}

}  // namespace
}  // namespace picus::testing
