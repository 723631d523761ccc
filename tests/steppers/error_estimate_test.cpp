// SPDX-License-Identifier: BSD-3-Clause
// The estimated local error against the true one, which a much finer integration of one step finds.
#include <cmath>

#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/common/error_weights.h"
#include "picus/steppers/common/predictor.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

constexpr double kTolerance = 1e-6;

struct Ratios {
  double first = 0.0;   ///< estimate over truth in the first step
  double steady = 0.0;  ///< the same for root mean squares of later steps
};

// The true local error of a step from s: a fine integration from the consistent state with the same
// positions and velocities. Positions on a manifold need care that the flat problems here do not.
double true_error(const TestProblem& problem, const State& s, const State& to,
                  const ErrorWeights& weights) {
  State fine = s;
  EXPECT_TRUE(make_consistent(*problem.system, fine).ok());
  const auto stepper = make_stepper("soi2", {{"newton_tolerance", "1e-13"}});
  FixedStep control((to.time - s.time) / 32.0);
  EXPECT_TRUE(simulate(*problem.system, fine, *stepper, control, {.end_time = to.time}).ok());
  return weights.position_norm(to.position - fine.position);
}

Ratios ratios(const TestProblem& problem, const char* method, OptionValues options,
              double h_factor = 1.0) {
  options.emplace_back("newton_tolerance", "1e-13");
  options.emplace_back("newton_share", "1e-8");
  const auto stepper = make_stepper(method, options);
  ErrorWeights weights;
  weights.start(*problem.system, problem.start, WeightKind::kMotion);
  State state = problem.start, to = state;
  stepper->control_error(kTolerance);
  stepper->start(*problem.system, state);
  const double h = h_factor * problem.step;
  Ratios result;
  double estimated = 0.0, actual = 0.0;
  for (int i = 0; i < 60; ++i) {
    const StepReport report = stepper->attempt(*problem.system, state, h, to);
    EXPECT_TRUE(report.ok());
    stepper->accept();
    weights.include(to.position - state.position, to);
    weights.accept();
    const double estimate = report.error * kTolerance,
                 truth = true_error(problem, state, to, weights);
    if (i == 0) result.first = estimate / truth;
    if (i > 4) {
      estimated += estimate * estimate;
      actual += truth * truth;
    }
    std::swap(state, to);
  }
  result.steady = std::sqrt(estimated / actual);
  return result;
}

TEST(ErrorEstimate, IsTheTrueLocalErrorOnThePendulum) {
  for (const char* method : {"hht_i3", "soi2", "hht_soi2"}) {
    const Ratios r = ratios(pendulum(), method, {}, 0.5);
    EXPECT_NEAR(r.first, 1.0, 0.02) << method << ": the start has a constant of its own";
    EXPECT_NEAR(r.steady, 1.0, 0.02) << method;
  }
}

TEST(ErrorEstimate, HoldsForEveryDampingAndEveryStart) {
  for (const char* rho : {"0", "0.3", "0.6", "0.9", "1"}) {
    const Ratios plain = ratios(pendulum(), "soi2", {{"rho", rho}}, 0.25);
    EXPECT_NEAR(plain.first, 1.0, 0.05) << rho;
    EXPECT_NEAR(plain.steady, 1.0, 0.03) << rho;
    const Ratios shifted =
        ratios(pendulum(), "soi2", {{"rho", rho}, {"initial_shift", "shifted"}}, 0.25);
    EXPECT_NEAR(shifted.first, 1.0, 0.05) << rho;
  }
}

TEST(ErrorEstimate, ClosedLoopsAndNonholonomicConstraintsAreNoException) {
  EXPECT_NEAR(ratios(slider_crank(), "soi2", {}, 0.5).steady, 1.0, 0.1);
  EXPECT_NEAR(ratios(slider_crank(), "hht_i3", {}, 0.25).steady, 1.0, 0.15);
  EXPECT_NEAR(ratios(skate(), "soi2", {}, 0.5).steady, 1.0, 0.02);
  EXPECT_NEAR(ratios(skate(), "hht_i3", {}, 0.5).steady, 1.0, 0.02);
}

// (26) is right for a step from v̇_0. A step of a running integration begins with a shifted value,
// for which (26) is too large by (β - 1/(6(1+α))) / (α/2 + β - 1/6): 1.742 for α = -0.3, 1.193 for
// -0.05.
TEST(ErrorEstimate, ThePapersConstantIsTooLargeInSteadyRunning) {
  const auto ratio = [](const char* alpha) {
    return ratios(skate(), "hht_i3", {{"alpha", alpha}, {"error_constant", "paper"}}, 0.5).steady;
  };
  EXPECT_NEAR(ratio("-0.3"), 1.742, 0.02);
  EXPECT_NEAR(ratio("-0.05"), 1.193, 0.02);
  EXPECT_NEAR(ratios(skate(), "hht_i3", {{"alpha", "-0.05"}}, 0.5).steady, 1.0, 0.01);
}

TEST(ErrorEstimate, IsNotThereUnlessAskedFor) {
  const TestProblem problem = pendulum();
  const auto stepper = make_stepper("hht_i3");
  State to = problem.start;
  stepper->start(*problem.system, problem.start);
  EXPECT_EQ(stepper->attempt(*problem.system, problem.start, 0.01, to).error, 0.0);
  const auto other = make_stepper("ggl");
  other->control_error(1e-6);
  other->start(*problem.system, problem.start);
  EXPECT_EQ(other->attempt(*problem.system, problem.start, 0.01, to).error, 0.0);
}

// --- prediction ------------------------------------------------------------------------------

Vector cubic(double t, double shifted) {
  const auto p = [](double x) { return 1.0 + x * (2.0 + x * (-3.0 + 0.5 * x)); };
  return Eigen::Vector2d(p(t), p(shifted));
}

TEST(Predictor, ExtrapolatesCubicsOnVariableStepsAndShiftedTimes) {
  Predictor predictor;
  predictor.start(Vector::Zero(2), Eigen::Vector2d(0.0, 1.0));
  const auto size = [](const Vector& x) { return max_abs(x); };
  Vector guess(2);
  double t = 0.0;
  int i = 0;
  for (const double h : {0.1, 0.13, 0.08, 0.2, 0.15, 0.15, 0.4}) {
    predictor.predict(h, -0.3 * h, guess);
    t += h;
    const Vector x = cubic(t, t - 0.3 * h);
    if (++i > 5) {
      EXPECT_LT(max_abs(guess - x), 1e-12) << i;
    }
    predictor.accept(x, size);
  }
  EXPECT_EQ(predictor.degree(), 3);
}

TEST(Predictor, TakesTheLastValueOfAnOscillationAndALineAfterRejections) {
  Predictor predictor;
  const auto size = [](const Vector& x) { return max_abs(x); };
  Vector guess(1);
  predictor.start(Vector::Zero(1), Vector::Zero(1));
  for (int i = 0; i < 10; ++i) {
    predictor.predict(0.1, 0.0, guess);
    predictor.accept(Vector::Constant(1, i % 2 == 0 ? 1.0 : -1.0), size);
  }
  EXPECT_EQ(predictor.degree(), 0);

  predictor.start(Vector::Zero(1), Vector::Zero(1));
  for (int i = 0; i < 10; ++i) {
    predictor.predict(1.0, 0.0, guess);
    predictor.accept(Vector::Constant(1, i * i), size);
  }
  predictor.predict(1.0, 0.0, guess);
  EXPECT_NEAR(guess(0), 100.0, 1e-9);
  predictor.reject();
  predictor.predict(1.0, 0.0, guess);
  EXPECT_NEAR(guess(0), 98.0, 1e-9);  // 81 + 17
}

// What the polynomials are for: fewer iterations where prediction by one value needs more than two.
TEST(Predictor, SavesIterationsWithOldMatrices) {
  const auto iterations = [](const TestProblem& problem, const char* method, double h) {
    State state = problem.start;
    const auto stepper = make_stepper(method, {{"jacobian_reuse", "across_steps"}});
    FixedStep control(h);
    const Summary summary = simulate(*problem.system, state, *stepper, control,
                                     {.end_time = problem.start.time + problem.duration});
    return static_cast<double>(summary.newton_iterations) / static_cast<double>(summary.accepted);
  };
  // with a constant or a line, whichever predicted the last step better: 6.3, 4.4, 6.4
  EXPECT_LT(iterations(pendulum(), "hht_i3", 1e-3), 3.0);
  EXPECT_LT(iterations(slider_crank(), "hht_i3", 5e-4), 2.8);
  EXPECT_LT(iterations(chain(10), "hht_i3", 1e-3), 5.6);
}

}  // namespace
}  // namespace picus::testing
