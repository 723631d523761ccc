// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/simulate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/dynamics/equation_system.h"
#include "picus/simulation/recorder.h"
#include "picus/steppers/alpha_methods.h"
#include "picus/steppers/catalog.h"
#include "studies/problems/oscillator.h"
#include "studies/problems/pendulum.h"
#include "tests/support/problems.h"

namespace picus::testing {
namespace {

using Ending = Summary::Ending;

// A method that lets time pass and nothing else.
class TimeAlone final : public Stepper {
 public:
  StepperTraits traits() const override { return {}; }
  void start(const System&, const State&) override {}
  StepReport attempt(const System&, const State& from, double h, State& to) override {
    to = from;
    to.time = from.time + h;
    return {};
  }
  void accept() override {}
  void interpolate(const System&, double, State&) const override {}
};

TEST(Simulate, ReachesTheEndTimeExactly) {
  for (const double h : {0.1, 0.07, 1.0 / 3.0, 5.0}) {
    const TestProblem problem = oscillator();
    State state = problem.start;
    const auto stepper = make_generalized_alpha();
    FixedStep control(h);
    const Summary summary = simulate(*problem.system, state, *stepper, control, {.end_time = 1.0});
    EXPECT_TRUE(summary.ok());
    EXPECT_EQ(state.time, 1.0);
    EXPECT_EQ(summary.accepted, static_cast<long>(std::ceil(1.0 / h - 1e-6)));
  }
}

TEST(Simulate, FailsWhereAStepGrowsBeyondAllBounds) {
  const auto system = make_system(problems::Oscillator{.omega = 100.0});
  for (const char* explicit_method : {"half_explicit", "moreau_midpoint"}) {
    State state;
    state.position = Vector::Constant(1, 1.0);
    const auto stepper = make_stepper(explicit_method);
    FixedStep control(0.1);
    const Summary summary = simulate(*system, state, *stepper, control, {.end_time = 100.0});
    EXPECT_EQ(summary.ending, Ending::kStepFailed) << explicit_method;
    const std::vector<std::string> all{"coordinate 0 has grown", "shorter step"};
    for (const std::string& said : all)
      EXPECT_NE(summary.message.find(said), std::string::npos) << summary.message;
    EXPECT_GT(state.time, 0.0);
    EXPECT_TRUE(std::isfinite(state.position.squaredNorm())) << explicit_method;
  }
}

TEST(Simulate, MakesABareStateConsistentFirst) {
  const problems::Pendulum p;
  const auto system = make_system(p);
  State state = p.at(0.5, 0.0);
  state.position(0) += 0.01;
  const auto stepper = make_index3();
  FixedStep control(1e-3);
  Vector g;
  const auto outcome =
      simulate(*system, state, *stepper, control, {.end_time = 0.01}, [&](const Moment& moment) {
        system->constraint(moment.state, g);
        EXPECT_LT(max_abs(g), 1e-12);
        return true;
      });
  EXPECT_TRUE(outcome.ok());
}

TEST(Simulate, StopsWhenTheObserverSaysSo) {
  const TestProblem problem = oscillator();
  State state = problem.start;
  const auto stepper = make_newmark();
  FixedStep control(0.1);
  int seen = 0;
  const Summary summary = simulate(*problem.system, state, *stepper, control, {.end_time = 10.0},
                                   [&](const Moment&) { return ++seen < 5; });
  EXPECT_EQ(summary.ending, Ending::kStoppedByObserver);
  EXPECT_EQ(summary.accepted, 4);
  EXPECT_NEAR(state.time, 0.4, 1e-12);
}

struct Cliff {
  static constexpr int kCoordinates = 1;
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const { return s.vector(-sqrt(0.55 - s.t)); }  // NaN after t = 0.55
};

TEST(Simulate, KeepsWhatWasComputedWhenAStepFails) {
  const auto system = make_system(Cliff{}, "cliff");
  State state;
  state.position = Vector::Zero(1);
  const auto stepper = make_hht();
  FixedStep control(0.1);
  Recorder recorder;
  const Summary summary =
      simulate(*system, state, *stepper, control, {.end_time = 1.0}, recorder.observer());
  EXPECT_EQ(summary.ending, Ending::kStepFailed);
  EXPECT_NEAR(state.time, 0.5, 1e-12);
  EXPECT_EQ(recorder.states().size(), 6u);
  EXPECT_NE(summary.message.find("momentum of cliff.0"), std::string::npos) << summary.message;
  EXPECT_NE(summary.message.find("t = 0.5"), std::string::npos) << summary.message;
}

// Lets time pass, but solves no contact problem of a step over t = 0.53 that is longer than
// `limit`.
class HardContact final : public Stepper {
 public:
  explicit HardContact(double limit) : limit_(limit) {}
  StepperTraits traits() const override { return {}; }
  void start(const System&, const State&) override {}
  StepReport attempt(const System&, const State& from, double h, State& to) override {
    to = from;
    to.time = from.time + h;
    const bool is_hard = from.time < 0.53 && to.time > 0.53 && h > limit_;
    StepReport report;
    if (is_hard) report.status = StepReport::Status::kNoImpulses;
    return report;
  }
  void accept() override {}
  void interpolate(const System&, double, State&) const override {}

 private:
  double limit_;
};

TEST(Simulate, AConstantStepIsTakenInPartsWhereItsContactProblemIsNotSolved) {
  const TestProblem problem = oscillator();
  FixedStep control(0.1);
  {
    State state = problem.start;
    HardContact stepper(0.03);
    std::vector<double> times;
    const Summary summary =
        simulate(*problem.system, state, stepper, control, {.end_time = 1.0}, [&](const Moment& m) {
          times.push_back(m.state.time);
          return true;
        });
    EXPECT_TRUE(summary.ok()) << summary.message;
    EXPECT_EQ(summary.rejected, 2);
    // 0.5 to 0.6 in four parts, the next step in two, and back on the grid
    for (const double t : {0.525, 0.6, 0.7})
      EXPECT_TRUE(std::any_of(times.begin(), times.end(), [&](double x) {
        return std::abs(x - t) < 1e-12;
      })) << t;
    EXPECT_EQ(summary.accepted, 14);
  }
  State state = problem.start;
  HardContact stepper(0.0);
  const Summary summary = simulate(*problem.system, state, stepper, control, {.end_time = 1.0});
  EXPECT_EQ(summary.ending, Ending::kStepFailed) << "parts do not become ever smaller";
  EXPECT_LT(summary.rejected, 20);
}

TEST(Simulate, TooManyStepsIsAnEndingOfItsOwn) {
  const TestProblem problem = oscillator();
  State state = problem.start;
  const auto stepper = make_newmark();
  FixedStep control(1e-3);
  const Summary summary =
      simulate(*problem.system, state, *stepper, control, {.end_time = 1.0, .max_steps = 10});
  EXPECT_EQ(summary.ending, Ending::kTooManySteps);
  EXPECT_EQ(summary.accepted, 10);
  EXPECT_NE(summary.message.find("max_steps"), std::string::npos);
}

TEST(Simulate, RefusesBadInput) {
  EXPECT_THROW(FixedStep(0.0), InputError);
  EXPECT_THROW(FixedStep(-1e-3), InputError);
  EXPECT_THROW(FixedStep(std::nan("")), InputError);
  EXPECT_THROW(StepSequence({}), InputError);
  EXPECT_THROW(StepSequence({0.1, -0.1}), InputError);
  const TestProblem problem = oscillator();
  State state = problem.start;
  const auto stepper = make_newmark();
  FixedStep control(0.1);
  EXPECT_THROW(
      static_cast<void>(simulate(*problem.system, state, *stepper, control, {.end_time = -1.0})),
      InputError);
}

TEST(Simulate, PrescribedStepsAreTakenInOrder) {
  const TestProblem problem = oscillator();
  State state = problem.start;
  const auto stepper = make_hht();
  StepSequence control({0.1, 0.2, 0.05});
  std::vector<double> taken;
  const auto outcome = simulate(*problem.system, state, *stepper, control, {.end_time = 0.7},
                                [&](const Moment& moment) {
                                  if (!moment.is_first()) taken.push_back(moment.h);
                                  return true;
                                });
  EXPECT_TRUE(outcome.ok());
  ASSERT_EQ(taken.size(), 6u);
  EXPECT_DOUBLE_EQ(taken[4], 0.2);
  EXPECT_NEAR(taken[5], 0.05, 1e-12);
}

// A controller that rejects every first attempt, and once undoes three accepted steps.
class Fickle final : public Controller {
 public:
  double first_step(const StepperTraits&, double) override { return 0.1; }
  Verdict judge(const StepReport&, double h) override {
    ++attempts;
    if (h > 0.06) return {Verdict::Action::kRetry, 0.05};
    if (attempts == 10 && !undone) {
      undone = true;
      return {Verdict::Action::kRollBack, 0.05};
    }
    return {Verdict::Action::kAccept, attempts % 4 == 0 ? 0.1 : 0.05, attempts == 4};
  }
  int attempts = 0;
  bool undone = false;
};

TEST(Simulate, CanRetryAndRollBackBehindAcceptedSteps) {
  const TestProblem problem = oscillator();
  State state = problem.start;
  const auto stepper = make_generalized_alpha({.rho = 1.0});
  Fickle control;
  std::vector<double> times;
  const Summary summary = simulate(*problem.system, state, *stepper, control, {.end_time = 1.0},
                                   [&](const Moment& moment) {
                                     times.push_back(moment.state.time);
                                     return true;
                                   });
  EXPECT_TRUE(summary.ok());
  EXPECT_TRUE(control.undone);
  EXPECT_GT(summary.rejected, 1);
  const bool went_back =
      std::adjacent_find(times.begin(), times.end(), std::greater<>()) != times.end();
  EXPECT_TRUE(went_back);
  EXPECT_EQ(state.time, 1.0);
  EXPECT_NEAR(state.position(0), std::cos(1.0), 1e-3);
}

TEST(Recorder, DenseOutputIsAsGoodAsTheMethod) {
  const TestProblem problem = oscillator();
  State state = problem.start;
  const auto stepper = make_generalized_alpha();
  FixedStep control(0.02);
  Recorder recorder(0.013);
  const auto outcome =
      simulate(*problem.system, state, *stepper, control, {.end_time = 2.0}, recorder.observer());
  EXPECT_TRUE(outcome.ok());
  ASSERT_EQ(recorder.states().size(), static_cast<std::size_t>(2.0 / 0.013) + 1);
  for (std::size_t i = 0; i < recorder.states().size(); ++i) {
    const State& s = recorder.states()[i];
    EXPECT_NEAR(s.time, 0.013 * static_cast<double>(i), 1e-12);
    EXPECT_NEAR(s.position(0), std::cos(s.time), 2e-4);
    EXPECT_NEAR(s.velocity(0), -std::sin(s.time), 2e-4);
  }
}

// A force that stops: the accelerations become exactly zero, which no relative measure likes.
struct Push {
  static constexpr int kCoordinates = 1;
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const { return s.vector(s.t < 0.5 ? 1.0 : 0.0); }
};

TEST(Simulate, PassesThroughExactlyZeroAccelerations) {
  const auto system = make_system(Push{});
  for (const char* name : {"newmark", "hht", "index3", "stabilized_index1"}) {
    State state;
    state.position = Vector::Zero(1);
    const auto stepper = make_stepper(name);
    FixedStep control(0.1);
    const Summary summary = simulate(*system, state, *stepper, control, {.end_time = 2.0});
    EXPECT_TRUE(summary.ok()) << name << ": " << summary.message;
    EXPECT_NEAR(state.velocity(0), 0.5, 0.06) << name;
  }
}

TEST(Simulate, EndsLongRunsWithoutASliver) {
  const TestProblem problem = oscillator();
  const System& system = *problem.system;
  State state = problem.start;
  TimeAlone stepper;  // the clock is what is looked at
  FixedStep control(1.0 / 3000.0);
  double smallest = 1.0;
  const Summary summary =
      simulate(system, state, stepper, control, {.end_time = 20.0}, [&](const Moment& moment) {
        if (!moment.is_first()) smallest = std::min(smallest, moment.h);
        return true;
      });
  ASSERT_TRUE(summary.ok()) << summary.message;
  EXPECT_EQ(summary.accepted, 60000);
  EXPECT_GT(smallest, 3.3e-4);
  EXPECT_EQ(state.time, 20.0);
}

// The disturbed start of bruls-acary-cardona §5.3 gives accelerations and nothing else.
TEST(Simulate, AcceptsAStateWithAccelerationsAndNoMultipliers) {
  const problems::Pendulum p;
  const auto system = make_system(p);
  for (const char* name : {"index3", "soi2"}) {
    State state = p.at(0.3, 1.0);
    state.acceleration = Vector::Zero(3);
    const auto stepper = make_stepper(name);
    FixedStep control(1e-3);
    EXPECT_TRUE(simulate(*system, state, *stepper, control, {.end_time = 0.1}).ok());
  }
}

// --- redundant constraints in motion ---------------------------------------------------------

struct DoublePin {
  static constexpr int kCoordinates = 3, kConstraints = 4;
  static constexpr std::array<std::string_view, 4> kConstraintNames{"a.x", "a.y", "b.x", "b.y"};
  auto mass(const auto&) const { return diagonal(1.0, 1.0, 0.1); }
  auto force(const auto& s) const { return s.vector(0.0, -10.0, 0.0); }
  auto constraint(const auto& s) const {
    const auto x = s.q(0) - cos(s.q(2)), y = s.q(1) - sin(s.q(2));
    return s.vector(x, y, x, y);
  }
};

TEST(RedundantConstraints, TheMotionIsUniqueAndTheReactionsAreShared) {
  const auto doubled = make_system(DoublePin{}, "pin");
  const auto single = make_system(problems::Pendulum{});
  State a = problems::Pendulum{}.at(std::numbers::pi / 6.0, 10.0), b = a;
  for (auto* make : {make_index3, make_stabilized_index1}) {
    State sa = a, sb = b;
    const auto stepper_a = make({}), stepper_b = make({});
    FixedStep control(2e-3);
    const Summary summary = simulate(*doubled, sa, *stepper_a, control, {.end_time = 1.0});
    ASSERT_TRUE(summary.ok()) << summary.message;
    ASSERT_EQ(summary.notes.size(), 2u);
    EXPECT_NE(summary.notes[0].find("redundant"), std::string::npos);
    ASSERT_TRUE(simulate(*single, sb, *stepper_b, control, {.end_time = 1.0}).ok());
    EXPECT_LT(max_abs(sa.position - sb.position), 1e-10);
    ASSERT_EQ(sa.multiplier.size(), 4);
    EXPECT_NEAR(sa.multiplier(0), 0.5 * sb.multiplier(0), 1e-6);
    EXPECT_NEAR(sa.multiplier(3), 0.5 * sb.multiplier(1), 1e-6);
  }
}

TEST(RedundantConstraints, RecordingsAndContinuedRunsKeepAllReactions) {
  const auto system = make_system(DoublePin{}, "pin");
  State state = problems::Pendulum{}.at(0.5, 1.0);
  const auto stepper = make_ggl();
  FixedStep control(1e-3);
  Recorder recorder(0.0137);
  ASSERT_TRUE(
      simulate(*system, state, *stepper, control, {.end_time = 0.1}, recorder.observer()).ok());
  for (const State& s : recorder.states()) {
    ASSERT_EQ(s.multiplier.size(), 4);
    EXPECT_NEAR(s.multiplier(0), s.multiplier(2), 1e-9);
  }
  const Summary again = simulate(*system, state, *stepper, control, {.end_time = 0.2});
  EXPECT_TRUE(again.ok()) << again.message;
  EXPECT_EQ(again.notes.size(), 2u);
}

// Two identical cranks and a coupler (a parallelogram) are singular when all bars are in line;
// constraints that merely look redundant there must not be dropped in silence.
struct LooksRedundant {
  static constexpr int kCoordinates = 2, kConstraints = 2;
  static constexpr std::array<std::string_view, 2> kConstraintNames{"line", "curve"};
  auto mass(const auto&) const { return diagonal(1.0, 1.0); }
  auto force(const auto& s) const { return s.vector(1.0, 0.0); }
  auto constraint(const auto& s) const {
    return s.vector(s.q(1), s.q(1) - s.q(0) * s.q(0) * s.q(0));  // tangent at the origin
  }
};

TEST(RedundantConstraints, AConstraintThatComesBackEndsTheRunWithItsName) {
  const auto system = make_system(LooksRedundant{}, "slot");
  State state;
  state.position = Eigen::Vector2d::Zero();
  const auto stepper = make_index3();
  FixedStep control(0.01);
  const Summary summary = simulate(*system, state, *stepper, control, {.end_time = 2.0});
  EXPECT_EQ(summary.ending, Ending::kConstraintLost);
  EXPECT_NE(summary.message.find("slot."), std::string::npos) << summary.message;
  EXPECT_LT(state.time, 1.0);
}

struct Contradiction {
  static constexpr int kCoordinates = 1, kConstraints = 2;
  auto mass(const auto&) const { return diagonal(1.0); }
  auto force(const auto& s) const { return s.vector(0.0); }
  auto constraint(const auto& s) const { return s.vector(s.q(0), s.q(0) - 1.0); }
};

TEST(RedundantConstraints, ContradictoryOnesEndBeforeTheFirstStep) {
  const auto system = make_system(Contradiction{}, "stop");
  State state;
  state.position = Vector::Zero(1);
  const auto stepper = make_index3();
  FixedStep control(0.01);
  const Summary summary = simulate(*system, state, *stepper, control, {.end_time = 1.0});
  EXPECT_EQ(summary.ending, Ending::kInconsistentStart);
  EXPECT_NE(summary.message.find("contradictory"), std::string::npos) << summary.message;
}

}  // namespace
}  // namespace picus::testing
