// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/adaptive_step.h"

#include <cmath>

#include <gtest/gtest.h>

#include "picus/base/error.h"
#include "picus/dynamics/equation_system.h"
#include "picus/simulation/simulate.h"
#include "picus/steppers/catalog.h"
#include "studies/problems/pendulum.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/problems.h"

namespace picus::testing {
namespace {

using Action = Verdict::Action;
constexpr StepperTraits kEstimating{.estimates_error = true};

// A report with an error whose size grows with h to the power given.
StepReport with_error(double error, double power = 3.0) {
  StepReport report;
  report.error = error;
  report.step_factor = std::pow(error, -1.0 / power);
  return report;
}

TEST(AdaptiveStep, FollowsTheFormulasOfThePaper) {
  AdaptiveStep control({.h_initial = 0.01});
  EXPECT_EQ(control.first_step(kEstimating, 100.0), 0.01);
  // e/ε = 1/8: (38b) gives 0.9 h 2
  Verdict verdict = control.judge(with_error(0.125), 0.01);
  EXPECT_EQ(verdict.action, Action::kAccept);
  EXPECT_NEAR(verdict.next_step, 0.018, 1e-15);
  // e/ε = 8 is rejected: 0.9 h / 2
  verdict = control.judge(with_error(8.0), 0.01);
  EXPECT_EQ(verdict.action, Action::kRetry);
  EXPECT_NEAR(verdict.next_step, 0.0045, 1e-15);
  // first-order states, (39b): e/ε = 4 gives 0.9 h / 2
  verdict = control.judge(with_error(4.0, 2.0), 0.01);
  EXPECT_EQ(verdict.action, Action::kRetry);
  EXPECT_NEAR(verdict.next_step, 0.0045, 1e-15);
}

TEST(AdaptiveStep, GrowsAndShrinksWithinBounds) {
  AdaptiveStep control({.h_initial = 0.01, .h_max = 0.05});
  control.first_step(kEstimating, 100.0);
  EXPECT_NEAR(control.judge(with_error(1e-9), 0.01).next_step, 0.04, 1e-15);  // four times
  EXPECT_NEAR(control.judge(with_error(1e-9), 0.04).next_step, 0.05, 1e-15);  // h_max
  EXPECT_NEAR(control.judge(with_error(1e9), 0.04).next_step, 0.004, 1e-15);  // a tenth
  EXPECT_NEAR(control.judge(with_error(1e-9), 0.004).next_step, 0.004, 1e-15)
      << "no growth after a rejection";
  EXPECT_NEAR(control.judge(with_error(1e-9), 0.004).next_step, 0.016, 1e-15);
}

TEST(AdaptiveStep, KeepsAStepThatCouldChangeLittle) {
  AdaptiveStep control({.h_initial = 0.01});
  control.first_step(kEstimating, 100.0);
  for (const double factor : {1.19, 1.0, 0.96}) {
    const double error = std::pow(0.9 / factor, 3.0);
    EXPECT_EQ(control.judge(with_error(error), 0.01).next_step, 0.01) << factor;
  }
  EXPECT_NEAR(control.judge(with_error(std::pow(0.9 / 1.21, 3.0)), 0.01).next_step, 0.0121, 1e-9);
  EXPECT_NEAR(control.judge(with_error(std::pow(0.9 / 0.94, 3.0)), 0.01).next_step, 0.0094, 1e-9);
}

TEST(AdaptiveStep, RetriesWhatCouldNotBeSolvedAndGivesUpAtTheSmallestStep) {
  AdaptiveStep control({.h_initial = 0.01, .h_min = 0.001});
  control.first_step(kEstimating, 100.0);
  StepReport failed;
  failed.status = StepReport::Status::kNotConverged;
  Verdict verdict = control.judge(failed, 0.01);
  EXPECT_EQ(verdict.action, Action::kRetry);
  EXPECT_NEAR(verdict.next_step, 0.0025, 1e-15);
  verdict = control.judge(failed, 0.0025);
  EXPECT_EQ(verdict.next_step, 0.001);
  verdict = control.judge(failed, 0.001);
  EXPECT_EQ(verdict.action, Action::kGiveUp);
  EXPECT_NE(verdict.reason.find("h_min = 0.001"), std::string::npos) << verdict.reason;
}

TEST(AdaptiveStep, NanIsNeverAccepted) {
  AdaptiveStep control({.h_initial = 0.01});
  control.first_step(kEstimating, 100.0);
  StepReport report;
  report.error = report.step_factor = std::nan("");
  const Verdict verdict = control.judge(report, 0.01);
  EXPECT_EQ(verdict.action, Action::kRetry);
  EXPECT_NEAR(verdict.next_step, 0.001, 1e-15);
}

TEST(AdaptiveStep, FindsTheFirstStepByLargeGrowth) {
  AdaptiveStep control;
  double h = control.first_step(kEstimating, 1.0);
  EXPECT_NEAR(h, 1e-5, 1e-18);
  h = control.judge(with_error(1e-12), h).next_step;
  EXPECT_NEAR(h, 1e-4, 1e-17);
}

TEST(AdaptiveStep, RefusesBadOptionsAndMethodsWithoutEstimate) {
  EXPECT_THROW(AdaptiveStep({.tolerance = 0.0}), InputError);
  EXPECT_THROW(AdaptiveStep({.tolerance = std::nan("")}), InputError);
  EXPECT_THROW(AdaptiveStep({.h_initial = -1.0}), InputError);
  EXPECT_THROW(AdaptiveStep({.h_min = 0.1, .h_max = 0.01}), InputError);
  EXPECT_THROW(AdaptiveStep({.safety = 1.5}), InputError);
  EXPECT_NO_THROW(AdaptiveStep({.safety = 1.0}));
  const TestProblem problem = pendulum();
  State state = problem.start;
  AdaptiveStep control;
  EXPECT_THROW(
      static_cast<void>(simulate(*problem.system, state, *make_stepper("ggl"), control, {})),
      InputError);
}

// --- with real methods -----------------------------------------------------------------------

constexpr const char* kMethods[] = {"hht_i3", "soi2", "hht_soi2"};

/// The end of the problem: exact, or with errors far below those under test.
State end_of(const TestProblem& problem) {
  const double end = problem.start.time + problem.duration;
  if (problem.exact) return problem.exact(end);
  State state = problem.start;
  const auto stepper = make_stepper("soi2");
  FixedStep control(problem.step / 64.0);
  EXPECT_TRUE(simulate(*problem.system, state, *stepper, control, {.end_time = end}).ok());
  return state;
}

struct Outcome {
  double error = 0.0;
  Summary summary;
};

Outcome run(const TestProblem& problem, const char* method, double tolerance,
            const OptionValues& options = {}) {
  State state = problem.start;
  const auto stepper = make_stepper(method, options);
  AdaptiveStep control({.tolerance = tolerance});
  const double end = problem.start.time + problem.duration;
  Outcome outcome;
  outcome.summary = simulate(*problem.system, state, *stepper, control, {.end_time = end});
  EXPECT_TRUE(outcome.summary.ok()) << problem.name << ": " << outcome.summary.message;
  outcome.error = max_abs(state.position - end_of(problem).position);
  return outcome;
}

// Order two with an error per step of ε: h ~ ε^(1/3), global error ~ h² ~ ε^(2/3).
TEST(ErrorControl, GlobalErrorFollowsTheToleranceToThePowerTwoThirds) {
  for (const char* method : kMethods) {
    for (const char* reuse : {"every_step", "across_steps"}) {
      const TestProblem problem = pendulum();
      const OptionValues options{{"jacobian_reuse", reuse}};
      const Outcome coarse = run(problem, method, 1e-4, options);
      const Outcome fine = run(problem, method, 1e-7, options);
      const double slope = std::log10(coarse.error / fine.error) / 3.0;
      EXPECT_NEAR(slope, 2.0 / 3.0, 0.07) << method << " " << reuse;
      const double steps = std::log10(static_cast<double>(fine.summary.accepted) /
                                      static_cast<double>(coarse.summary.accepted));
      EXPECT_NEAR(steps / 3.0, 1.0 / 3.0, 0.03) << method << " " << reuse;
    }
  }
}

// First-order states are controlled, too: with ρ = 1/2 by the third derivative, with ρ > 1/2 by the
// second, where the implicit rule is of first order and global errors follow ε^(1/2).
TEST(ErrorControl, HoldsForFirstOrderStates) {
  const TestProblem problem = controlled_mass();
  const auto slope = [&](const char* weight) {
    const OptionValues options{{"control_weight", weight}};
    return std::log10(run(problem, "hht_i3", 1e-4, options).error /
                      run(problem, "hht_i3", 1e-7, options).error) /
           3.0;
  };
  EXPECT_NEAR(slope("0.5"), 2.0 / 3.0, 0.08);
  EXPECT_NEAR(slope("1"), 0.5, 0.08);
}

// Old matrices and the loose stop of Newton's method must not show.
TEST(ErrorControl, OldMatricesDoNotChangeTheResult) {
  for (const char* method : kMethods) {
    for (const double tolerance : {1e-4, 1e-6}) {
      const TestProblem problem = pendulum();
      const Outcome fresh = run(problem, method, tolerance, {{"newton_share", "1e-6"}});
      const Outcome old = run(problem, method, tolerance, {{"jacobian_reuse", "across_steps"}});
      EXPECT_NEAR(old.error, fresh.error, 0.05 * fresh.error) << method << " " << tolerance;
      EXPECT_LT(old.summary.factorizations, fresh.summary.factorizations / 2);
    }
  }
}

TEST(ErrorControl, EveryFactorisationHasAReason) {
  const Outcome outcome = run(slider_crank(), "soi2", 1e-6, {{"jacobian_reuse", "across_steps"}});
  long sum = 0;
  for (const long count : outcome.summary.refreshed.counts)
    sum += count;
  EXPECT_EQ(sum, outcome.summary.factorizations);
  EXPECT_EQ(outcome.summary.refreshed[Refresh::kStart], 1);
  EXPECT_EQ(outcome.summary.refreshed[Refresh::kPolicy], 0);
  EXPECT_GT(outcome.summary.refreshed[Refresh::kStepSize], 0);
  EXPECT_GT(outcome.summary.refreshed[Refresh::kSlow], 0);
}

// The pendulum in units of `unit` metres: the same mechanism, the same steps.
problems::Pendulum pendulum_in(double unit) {
  problems::Pendulum p;
  p.length /= unit;
  p.inertia /= unit * unit;
  p.gravity /= unit;
  return p;
}

std::vector<double> steps_in(double unit, const char* weights) {
  const problems::Pendulum p = pendulum_in(unit);
  const auto system = make_system(p);
  State state = p.at(0.5, 4.0);
  const auto stepper = make_stepper("hht_i3", {{"error_weights", weights}});
  AdaptiveStep control({.tolerance = 1e-5});
  std::vector<double> steps;
  const Summary summary =
      simulate(*system, state, *stepper, control, {.end_time = 1.0}, [&](const Moment& moment) {
        steps.push_back(moment.h);
        return true;
      });
  EXPECT_TRUE(summary.ok()) << summary.message;
  return steps;
}

TEST(ErrorControl, StepsDoNotDependOnTheUnitOfLength) {
  const std::vector<double> metres = steps_in(1.0, "motion");
  for (const double unit : {1e-3, 1e3}) {
    const std::vector<double> others = steps_in(unit, "motion");
    ASSERT_EQ(others.size(), metres.size()) << unit;
    for (std::size_t i = 0; i < metres.size(); ++i)
      // Newton's method stops elsewhere, which may change the error by its share, the step by a
      // third
      EXPECT_NEAR(others[i], metres[i], 3e-4 * metres[i]) << unit << " step " << i;
  }
  // the paper's floor of one model unit does not see errors in kilometres
  EXPECT_LT(steps_in(1e3, "paper").size(), steps_in(1.0, "paper").size() * 9 / 10);
}

TEST(ErrorControl, ARejectedStepLeavesStateAndHistoryAsTheyWere) {
  for (const char* method : kMethods) {
    const TestProblem problem = pendulum();
    const auto tried = make_stepper(method), straight = make_stepper(method);
    State a = problem.start, b = problem.start, discarded = problem.start;
    for (Stepper* stepper : {tried.get(), straight.get()}) {
      stepper->control_error(1e-6);
      stepper->start(*problem.system, problem.start);
    }
    for (int i = 0; i < 6; ++i) {
      const State before = a;
      EXPECT_GT(tried->attempt(*problem.system, a, 0.05, discarded).error, 1.0);
      ASSERT_EQ(a.position, before.position);
      ASSERT_EQ(a.velocity, before.velocity);
      ASSERT_EQ(a.acceleration, before.acceleration);
      ASSERT_EQ(a.multiplier, before.multiplier);
      State next_a = a, next_b = b;
      const StepReport ra = tried->attempt(*problem.system, a, 2e-3, next_a);
      const StepReport rb = straight->attempt(*problem.system, b, 2e-3, next_b);
      // the guess of Newton's method may differ, so to its tolerance
      EXPECT_NEAR(ra.error, rb.error, 0.01 * rb.error);
      tried->accept();
      straight->accept();
      a = next_a;
      b = next_b;
    }
    EXPECT_LT(max_abs(a.position - b.position), 1e-8);
  }
}

TEST(ErrorControl, AttemptsAllocateNothing) {
  for (const char* method : kMethods) {
    for (const TestProblem& problem : {pendulum(), heavy_top(), controlled_mass(), chain(40)}) {
      const auto stepper = make_stepper(method, {{"jacobian_reuse", "across_steps"}});
      State state = problem.start, next = problem.start;
      stepper->control_error(1e-5);
      stepper->start(*problem.system, state);
      AdaptiveStep control({.h_initial = 0.5 * problem.step});
      double h = control.first_step(stepper->traits(), 1.0);
      const auto step = [&] {
        const StepReport report = stepper->attempt(*problem.system, state, h, next);
        const Verdict verdict = control.judge(report, h);
        if (verdict.action == Action::kAccept) {
          stepper->accept();
          std::swap(state, next);
        }
        h = verdict.next_step;
        return report.ok();
      };
      bool ok = true;
      for (int i = 0; i < 40; ++i)  // until the right size, its pattern and its pivots are found
        ok = ok && step();
      const long before = allocations();
      for (int i = 0; i < 30; ++i)
        ok = ok && step();
      EXPECT_EQ(allocations() - before, 0) << method << " on " << problem.name;
      EXPECT_TRUE(ok) << method << " on " << problem.name;
    }
  }
}

// A system at rest has no length of its own and accelerations of the size of rounding.
struct Resting {
  static constexpr int kCoordinates = 2, kConstraints = 1;
  auto mass(const auto&) const { return diagonal(1.0, 1.0); }
  auto force(const auto& s) const { return s.vector(-0.3 * 9.81, -0.7 * 9.81); }
  auto constraint(const auto& s) const { return s.vector(0.3 * s.q(0) + 0.7 * s.q(1)); }
};

TEST(ErrorControl, RestingAtTheOriginTakesFewSteps) {
  const auto system = make_system(Resting{});
  State state;
  state.position = Vector::Zero(2);
  const auto stepper = make_stepper("hht_i3");
  AdaptiveStep control;
  const Summary summary = simulate(*system, state, *stepper, control, {.end_time = 1.0});
  EXPECT_TRUE(summary.ok()) << summary.message;
  EXPECT_LT(summary.attempts(), 30);
  EXPECT_LT(max_abs(state.position), 1e-12);
}

struct Singular {
  static constexpr int kCoordinates = 1;
  static constexpr std::array<std::string_view, 1> kCoordinateNames{"x"};
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const { return s.vector(1.0 / sqrt(1.0 - s.t)); }
};

TEST(ErrorControl, FailureAtTheSmallestStepTellsWhatToDo) {
  const auto system = make_system(Singular{}, "ball");
  State state;
  state.position = Vector::Ones(1);
  const auto stepper = make_stepper("hht_i3");
  AdaptiveStep control({.h_min = 1e-4});
  const Summary summary = simulate(*system, state, *stepper, control, {.end_time = 2.0});
  EXPECT_EQ(summary.ending, Summary::Ending::kStepFailed);
  EXPECT_NEAR(state.time, 1.0, 0.05);
  EXPECT_NE(summary.message.find("h_min"), std::string::npos) << summary.message;
  EXPECT_NE(summary.message.find("ball.x"), std::string::npos) << summary.message;
}

TEST(ErrorControl, LeavesNoSliverAtTheEnd) {
  const TestProblem problem = pendulum();
  State state = problem.start;
  const auto stepper = make_stepper("hht_i3");
  AdaptiveStep control;
  std::vector<double> steps;
  const auto outcome = simulate(*problem.system, state, *stepper, control, {.end_time = 1.0},
                                [&](const Moment& moment) {
                                  steps.push_back(moment.h);
                                  return true;
                                });
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(state.time, 1.0);
  EXPECT_GT(steps.back(), 0.4 * steps[steps.size() - 3]);
}

}  // namespace
}  // namespace picus::testing
