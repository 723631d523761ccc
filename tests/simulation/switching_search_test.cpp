// SPDX-License-Identifier: BSD-3-Clause
// The search for switching points: bouncing, sliding and sticking to the smallest step, and
// observers who never see a step that is undone.
#include "picus/simulation/switching_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "picus/base/error.h"
#include "picus/steppers/extrapolation.h"
#include "studies/problems/impacts.h"
#include "studies/problems/switching.h"
#include "studies/problems/woodpecker.h"
#include "tests/support/impact_systems.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

struct SearchRun {
  State end;
  Summary summary;
  std::vector<double> time, h;
  std::vector<State> states;
  std::vector<ContactMode> mode;  ///< of the first law
  long resolved = 0;
};

SearchRun search(const System& system, State start, double end,
                 const ExtrapolationOptions& extrapolation, const SwitchingOptions& options) {
  SearchRun run;
  const auto stepper = make_extrapolation(extrapolation);
  SwitchingSearch control(options);
  run.summary =
      simulate(system, start, *stepper, control, {.end_time = end}, [&](const Moment& moment) {
        run.time.push_back(moment.state.time);
        run.h.push_back(moment.h);
        run.states.push_back(moment.state);
        if (!moment.is_first() && !moment.stepper.law_modes().empty())
          run.mode.push_back(moment.stepper.law_modes()[0].mode);
        return true;
      });
  EXPECT_TRUE(run.summary.ok()) << run.summary.message;
  run.end = start;
  run.resolved = control.resolved();
  return run;
}

SearchRun falling_mass(SubstepSequence substeps, RestitutionRule restitution) {
  const problems::BouncingBall ball{.f = -9.81, .e = 0.7};
  const auto system = make_system(ball);
  return search(*system, ball.at(0.07, 0.0), 1.0,
                {.atol = 1e-4, .rtol = 1e-4, .substeps = substeps, .restitution = restitution},
                {.h_min = 1e-5, .h_max = 0.05});
}

TEST(SwitchingSearchBall, ResolvesImpactsAndGrowsBehindTheirAccumulation) {
  const SearchRun run = falling_mass(SubstepSequence::kOdd, RestitutionRule::kConstant);
  const double first = std::sqrt(2.0 * 0.07 / 9.81);
  const auto up = std::find_if(run.states.begin(), run.states.end(),
                               [](const State& s) { return s.velocity(0) > 0.0; });
  ASSERT_NE(up, run.states.end());
  EXPECT_NEAR(up->time, first, 2e-5);
  EXPECT_NEAR(up->velocity(0), 0.7 * 9.81 * first, 2e-4);
  EXPECT_GT(run.resolved, 30);
  EXPECT_NEAR(*std::max_element(run.h.end() - 4, run.h.end()), 0.05, 0.03);
  EXPECT_LT(std::abs(run.end.velocity(0)), 1e-9);
  EXPECT_LT(std::abs(run.end.position(0)), 1e-7);
}

TEST(SwitchingSearchBall, DoesNotGrowWithAllSubstepsUnlessRestitutionFades) {
  const auto largest_at_rest = [](const SearchRun& run) {
    double h = 0.0;
    for (std::size_t i = 0; i < run.time.size(); ++i)
      if (run.time[i] > 0.75) h = std::max(h, run.h[i]);
    return h;
  };
  EXPECT_LT(largest_at_rest(falling_mass(SubstepSequence::kAll, RestitutionRule::kConstant)), 1e-3);
  EXPECT_GT(largest_at_rest(falling_mass(SubstepSequence::kAll, RestitutionRule::kFading)), 0.04);
}

// A gap that counts as closed is passed early, by gap over rate: it is rounding of positions, so
// that even slow contacts close when they touch. 1e-13 of 2 m, powers of two, at 1 mm/s are 2e-10
// s.
TEST(SwitchingSearchBall, FindsAnImpactThatComesSlowly) {
  const problems::BouncingBall ball{.f = 0.0, .e = 0.5};
  const auto system = make_system(ball);
  const SearchRun run = search(*system, ball.at(1e-4, -1e-3), 0.2, {}, {.h_min = 1e-11});
  const auto up = std::find_if(run.states.begin(), run.states.end(),
                               [](const State& s) { return s.velocity(0) > 0.0; });
  ASSERT_NE(up, run.states.end());
  EXPECT_NEAR(up->time, 0.1, 3e-10);
}

// Positions of a metre cannot tell a fall of less than 1e-16 m: whatever h_min is, the contact
// closes and steps grow, and a contact that has closed stays so while other positions change.
TEST(SwitchingSearchRest, IsReachedByTheSmallestSteps) {
  const problems::BouncingPendulum pendulum;
  const auto bouncing = make_system(pendulum);
  for (const double h_min : {4e-8, 8e-9, 4e-10, 4e-12}) {
    const SearchRun run = search(*bouncing, pendulum.at(std::numbers::pi / 12.0, 0.0), 4.0, {},
                                 {.tolerance = 1e-8, .h_min = h_min, .h_max = 0.04});
    EXPECT_LT(run.summary.attempts(), 20000) << h_min;
    EXPECT_EQ(run.mode.back(), ContactMode::kClosed) << h_min;
  }
  const problems::Woodpecker bird;
  const auto toy = make_system(bird);
  const SearchRun run =
      search(*toy, bird.start(), 0.35, {}, {.tolerance = 1e-8, .h_min = 7e-12, .h_max = 7e-4});
  EXPECT_LT(run.summary.attempts(), 20000);
  EXPECT_NEAR(run.end.position(0), -0.04327054, 1e-7);
}

// Steps join, dense output within each is its own, and no step larger than the smallest changes
// the modes.
TEST(SwitchingSearchObservers, SeeEveryFinalStepOnce) {
  const problems::BouncingBall ball{.f = -9.81, .e = 0.7};
  const auto system = make_system(ball);
  State state = ball.at(0.07, 0.0), begin = state, at;
  const auto stepper = make_extrapolation();
  const double h_min = 1e-6;
  SwitchingSearch control({.h_min = h_min, .h_max = 0.05});
  double time = 0.0;
  long shown = 0;
  ContactMode mode = ContactMode::kOpen;
  const Summary summary =
      simulate(*system, state, *stepper, control, {.end_time = 0.5}, [&](const Moment& moment) {
        if (!moment.is_first()) {
          ++shown;
          EXPECT_NEAR(moment.state.time - moment.h, time, 1e-14);
          moment.interpolate(0.0, at);
          EXPECT_LT(distance(at, begin), 1e-14);
          moment.interpolate(1.0, at);
          EXPECT_EQ(at.position, moment.state.position);
          const ContactMode now = moment.stepper.law_modes()[0].mode;
          if (shown > 1 && now != mode) {
            EXPECT_LE(moment.h, 1.001 * h_min);
          }
          mode = now;
        }
        time = moment.state.time;
        begin = moment.state;
        return true;
      });
  EXPECT_TRUE(summary.ok()) << summary.message;
  EXPECT_EQ(shown, summary.accepted);
  EXPECT_GT(summary.rejected, 50);
  EXPECT_EQ(time, 0.5);
}

TEST(SwitchingSearchObservers, CanStopTheRunAtAShownStep) {
  const problems::BouncingBall ball{.f = -9.81, .e = 0.7};
  const auto system = make_system(ball);
  State state = ball.at(0.07, 0.0);
  const auto stepper = make_extrapolation();
  SwitchingSearch control({.h_min = 1e-6, .h_max = 0.05});
  double last = 0.0;
  const Summary summary =
      simulate(*system, state, *stepper, control, {.end_time = 0.5}, [&](const Moment& moment) {
        last = moment.state.time;
        return last < 0.05;
      });
  EXPECT_EQ(summary.ending, Summary::Ending::kStoppedByObserver);
  EXPECT_EQ(state.time, last);
}

// Half a period, three impacts, six switching points: closed and open again.
TEST(SwitchingSearchOscillator, IsAsExactAsItsSmallestStep) {
  const problems::StoppedOscillator oscillator;
  const auto system = make_system(oscillator);
  const auto exact = oscillator.at(1.0);
  EXPECT_EQ(exact.impacts, 3);
  EXPECT_NEAR(exact.position, -0.3148440810620262, 1e-14);  // with forty digits
  for (const double h_min : {1e-6, 1e-8, 1e-10}) {
    const SearchRun run =
        search(*system, oscillator.start(), 1.0, {.order = 6}, {.h_min = h_min, .h_max = 0.02});
    EXPECT_EQ(run.resolved, 6);
    EXPECT_LT(std::abs(run.end.position(0) - exact.position), 5.0 * h_min);
    // accelerations are up to 70 m/s², and three impacts are late
    EXPECT_LT(std::abs(run.end.velocity(0) - exact.velocity), 200.0 * h_min);
  }
}

// The turning point of a sliding mass is smooth; its stick is not. Values of two event-driven
// solutions, in Cartesian and polar coordinates.
TEST(SwitchingSearchSlidingMass, TurnsAndSticks) {
  problems::SlidingMass mass;
  const auto pulled = make_system(mass);
  const SwitchingOptions options{.tolerance = 1e-10, .h_min = 1e-9, .h_max = 0.1};
  const SearchRun drawn = search(*pulled, mass.start(), 3.0, {}, options);
  EXPECT_NEAR(drawn.end.position(0), -1.27098797, 2e-8);
  EXPECT_NEAR(drawn.end.position(1), -0.25468176, 2e-8);
  EXPECT_NEAR(drawn.end.velocity(0), -1.3246931, 2e-7);
  EXPECT_EQ(drawn.resolved, 0);
  mass.pull = {0.0, 0.0};
  const auto released = make_system(mass);
  State start = drawn.end;
  const SearchRun run = search(*released, start, 4.0, {}, options);
  EXPECT_EQ(run.resolved, 1);
  const auto stick = std::find(run.mode.begin(), run.mode.end(), ContactMode::kStick);
  ASSERT_NE(stick, run.mode.end());
  const auto index = static_cast<std::size_t>(stick - run.mode.begin()) + 1;
  EXPECT_NEAR(run.time[index], 3.665650043751, 2e-8);
  EXPECT_NEAR(run.end.position(0), -1.71187897, 2e-8);
  EXPECT_NEAR(run.end.position(1), -0.29877087, 2e-8);
  EXPECT_LT(run.end.velocity.norm(), 1e-12);
}

TEST(SwitchingSearchOptions, OutOfRangeAreRefused) {
  EXPECT_THROW(SwitchingSearch({.tolerance = 0.0}), InputError);
  EXPECT_THROW(SwitchingSearch({.h_min = -1.0}), InputError);
  EXPECT_THROW(SwitchingSearch({.h_min = 1e-3, .h_max = 1e-4}), InputError);
  const TestProblem problem = oscillator();
  State state = problem.start;
  SwitchingSearch control;
  EXPECT_THROW(static_cast<void>(simulate(*problem.system, state, *make_stepper("hht"), control,
                                          {.end_time = 1.0})),
               InputError);
}

// Without contacts it is an extrapolation method of variable order.
TEST(SwitchingSearchSmooth, KeepsTheTolerance) {
  const TestProblem problem = pendulum();
  double last = 1.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const SearchRun run =
        search(*problem.system, problem.start, problem.duration, {}, {.tolerance = tolerance});
    const double error = distance(run.end, problem.exact(problem.duration));
    EXPECT_LT(error, 500.0 * tolerance);
    EXPECT_LT(error, last);
    last = error;
    EXPECT_EQ(run.resolved, 0);
  }
}

}  // namespace
}  // namespace picus::testing
