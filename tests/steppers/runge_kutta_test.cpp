// SPDX-License-Identifier: BSD-3-Clause
// What Runge–Kutta methods promise besides their order (tests/order/runge_kutta_test.cpp).
#include <cmath>

#include "picus/base/error.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/simulation/adaptive_step.h"
#include "picus/steppers/common/explicit_tableaux.h"
#include "picus/steppers/common/implicit_runge_kutta.h"
#include "picus/steppers/runge_kutta_methods.h"
#include "studies/problems/impacts.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

std::vector<std::pair<const char*, const char*>> runge_kutta_methods() {
  return {{"half_explicit", "2"}, {"half_explicit", "3"}, {"half_explicit", "4"},
          {"half_explicit", "5"}, {"half_explicit", "6"}, {"radau_iia", "3"},
          {"radau_iia", "5"},     {"lobatto_iiia", "2"},  {"lobatto_iiia", "4"},
          {"lobatto_iiia", "6"}};
}

double violation_of(const System& system, const State& s) {
  Vector g, rate, k;
  system.constraint(s, g);
  system.constraint_velocity(s, rate);
  system.nonholonomic(s, k);
  return std::max({max_abs(g), max_abs(rate), max_abs(k)});
}

// Σ b c^(k-1) = 1/k up to the order; what is nonlinear is measured by tests/order.
TEST(ExplicitTableaux, IntegratePolynomialsExactly) {
  for (const ExplicitTableau& tableau : explicit_tableaux()) {
    const auto moment = [&](const ExplicitTableau::Row& weights, int power) {
      double sum = weights[static_cast<std::size_t>(tableau.stages)];  // at the end, c = 1
      for (int i = 0; i < tableau.stages; ++i)
        sum += weights[static_cast<std::size_t>(i)] * std::pow(tableau.node(i), power);
      return sum;
    };
    for (int k = 1; k <= tableau.order; ++k)
      EXPECT_NEAR(moment(tableau.b, k - 1), 1.0 / k, 1e-14) << tableau.order << " " << k;
    for (int k = 1; k <= tableau.error_order; ++k)
      EXPECT_NEAR(moment(tableau.other, k - 1), 1.0 / k, 1e-14) << tableau.order << " " << k;
  }
}

// A few steps each.
std::vector<TestProblem> short_problems() {
  std::vector<TestProblem> problems = all_problems();
  for (TestProblem& problem : problems)
    problem.duration = 6.0 * problem.step;
  return problems;
}

TEST(RungeKutta, KeepConstraintsByProjectionAndDriftWithout) {
  std::vector<TestProblem> problems;
  for (auto* make : {pendulum, heavy_top, skate, driven_pendulum})
    problems.push_back(make());
  for (const auto& [name, order] : runge_kutta_methods()) {
    for (TestProblem& problem : problems) {
      const auto projected = make_stepper(name, {{"order", order}});
      const auto drifting = make_stepper(name, {{"order", order}, {"projection", "none"}});
      const double h = 5.0 * problem.step;
      problem.duration = 6.0 * h;
      const State kept = run(problem, *projected, h), drifted = run(problem, *drifting, h);
      EXPECT_LT(violation_of(*problem.system, kept), 1e-10) << name << order << problem.name;
      EXPECT_GT(violation_of(*problem.system, drifted), violation_of(*problem.system, kept))
          << name << order << problem.name;
    }
  }
}

// The state at the end of a step is complete.
TEST(RungeKutta, EndWithAccelerationsAndReactionsThatSolveTheEquations) {
  const std::vector<TestProblem> problems = short_problems();
  for (const auto& [name, order] : runge_kutta_methods()) {
    for (const TestProblem& problem : problems) {
      const auto stepper = make_stepper(name, {{"order", order}});
      const State end = run(problem, *stepper, problem.step);
      State solved = end;
      ASSERT_TRUE(solve_accelerations(*problem.system, solved).ok());
      const double scale = 1.0 + max_abs(end.acceleration) + max_abs(end.multiplier);
      EXPECT_LT(max_abs(solved.acceleration - end.acceleration), 1e-8 * scale)
          << name << order << " on " << problem.name;
      EXPECT_LT(max_abs(solved.multiplier - end.multiplier), 1e-8 * scale)
          << name << order << " on " << problem.name;
    }
  }
}

// Local errors add up, a little more than linearly where motions diverge.
TEST(RungeKutta, ErrorsFollowTheTolerance) {
  std::vector<TestProblem> problems;
  for (auto* make : {pendulum, skate, variable_mass})
    problems.push_back(make());
  problems.front().duration = 0.3;
  for (const auto& [name, order] : runge_kutta_methods()) {
    for (const TestProblem& problem : problems) {
      const State exact = problem.exact(problem.duration);
      double last = 0.0;
      for (const double tolerance : {1e-4, 1e-6}) {
        const auto stepper = make_stepper(name, {{"order", order}});
        AdaptiveStep control({.tolerance = tolerance});
        State end = problem.start;
        const Summary summary = simulate(*problem.system, end, *stepper, control,
                                         {.end_time = problem.start.time + problem.duration});
        ASSERT_TRUE(summary.ok()) << summary.message;
        const double error = max_abs(end.position - exact.position);
        EXPECT_LT(error, 10.0 * tolerance * static_cast<double>(summary.accepted))
            << name << order << " on " << problem.name;
        if (last > 1e-5) {  // where it is not the longest step that limits the error
          EXPECT_LT(error, 0.3 * last) << name << order << " on " << problem.name;
        }
        last = error;
      }
    }
  }
}

// Halfway through a step the polynomial is off by much less than a line would be.
TEST(RungeKutta, DenseOutputConvergesWithHighOrder) {
  const auto worst = [](const TestProblem& problem, double h) {
    const auto stepper = make_stepper("half_explicit", {{"order", "6"}});
    const auto fine = make_stepper("half_explicit", {{"order", "6"}});
    State to = problem.start, at, half = problem.start;
    stepper->start(*problem.system, problem.start);
    EXPECT_TRUE(stepper->attempt(*problem.system, problem.start, h, to).ok());
    stepper->interpolate(*problem.system, 0.4, at);
    fine->start(*problem.system, problem.start);
    EXPECT_TRUE(fine->attempt(*problem.system, problem.start, 0.4 * h, half).ok());
    EXPECT_NEAR(at.time, half.time, 1e-14);
    return std::pair(max_abs(at.position - half.position), max_abs(at.velocity - half.velocity));
  };
  for (const auto& [problem, of_position, of_velocity] :
       {std::tuple(pendulum(), 5.6, 4.6), std::tuple(heavy_top(), 4.6, 3.6)}) {
    const double h = 4.0 * problem.step;
    const auto coarse = worst(problem, h), fine = worst(problem, 0.5 * h);
    EXPECT_GT(std::log2(coarse.first / fine.first), of_position) << problem.name;
    EXPECT_GT(std::log2(coarse.second / fine.second), of_velocity) << problem.name;
  }
}

TEST(RungeKutta, StartAgainWithoutTheHeap) {
  for (const auto& [name, order] : runge_kutta_methods()) {
    const TestProblem problem = pendulum();
    const auto stepper = make_stepper(name, {{"order", order}});
    State to = problem.start;
    const auto begin_anew = [&] {
      stepper->start(*problem.system, problem.start);
      return stepper->attempt(*problem.system, problem.start, 1e-3, to).ok();
    };
    ASSERT_TRUE(begin_anew());
    ASSERT_TRUE(begin_anew());
    const long before = allocations();
    const bool ok = begin_anew();
    EXPECT_EQ(allocations() - before, 0) << name << order;
    EXPECT_TRUE(ok);
  }
}

TEST(RungeKutta, AConstantMassIsFactorisedOnce) {
  const TestProblem problem = oscillator();
  const auto stepper = make_stepper("half_explicit");
  State from = problem.start, to = from;
  stepper->start(*problem.system, from);
  int factorizations = 0;
  for (int i = 0; i < 10; ++i) {
    factorizations += stepper->attempt(*problem.system, from, 0.01, to).factorizations;
    stepper->accept();
    std::swap(from, to);
  }
  EXPECT_EQ(factorizations, 1);
}

// A ball on a floor that gives way by Hunt and Crossley's law and does not pull.
struct StiffFloor {
  static constexpr int kCoordinates = 1;
  double m = 0.5, k = 1e7, c = 0.2;

  auto mass(const auto&) const { return diagonal(m); }
  auto force(const auto& s) const {
    auto push = 0.0 * s.q(0);
    if (s.q(0) < 0.0 && 1.0 - c * s.v(0) > 0.0) push = -s.q(0) * sqrt(-s.q(0)) * (1.0 - c * s.v(0));
    return s.vector(k * push - 9.81 * m);
  }
};

// The second stage penetrates the floor, and its reaction is so strong that all later ones find no
// more: the ball seems to fall freely, through the floor.
TEST(RungeKutta, SeeAFloorThatTheSecondStageAloneMeets) {
  const auto system = make_system(StiffFloor{});
  State from;
  from.position = Vector::Zero(1);
  from.velocity = Vector::Constant(1, -4.0);
  ASSERT_TRUE(make_consistent(*system, from).ok());
  for (const char* order : {"5", "6"}) {
    const auto stepper = make_stepper("half_explicit", {{"order", order}});
    State to = from;
    stepper->control_error(1e-3);
    stepper->start(*system, from);
    const StepReport report = stepper->attempt(*system, from, 0.3, to);
    ASSERT_TRUE(report.ok());
    EXPECT_NEAR(to.velocity(0), -4.0 - 0.3 * 9.81, 1e-9) << order;
    EXPECT_GT(report.error, 1.0) << order;
    EXPECT_LT(report.step_factor, 0.5) << order;
  }
}

TEST(RungeKutta, RefuseContactsAndUnknownOrders) {
  const auto system = make_system(problems::BouncingBall{});
  State state = problems::BouncingBall{}.at(1.0, 0.0);
  ASSERT_TRUE(make_consistent(*system, state).ok());
  for (const auto& [name, order] : runge_kutta_methods()) {
    try {
      make_stepper(name, {{"order", order}})->start(*system, state);
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("cannot handle contacts"), std::string::npos);
    }
    try {
      make_stepper(name, {{"order", "7"}});
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("option 'order': found 7, expected"),
                std::string::npos);
    }
  }
}

// --- the matrix of the implicit methods ----------------------------------------------------------

class Exposed : public ImplicitRungeKutta {
 public:
  using ImplicitRungeKutta::ImplicitRungeKutta;

  // Largest difference between the matrix and central differences, relative to its largest entry.
  double difference() {
    Vector x = x_, r = x_, above = x_, below = x_;
    residual(x, r);
    if (!linearize(x)) return INFINITY;
    const Matrix A = matrix_.dense();
    double worst = 0.0;
    for (int k = 0; k < x.size(); ++k) {
      const double step = 1e-6 * (1.0 + std::abs(x_(k)));
      x(k) = x_(k) + step;
      residual(x, above);
      x(k) = x_(k) - step;
      residual(x, below);
      x(k) = x_(k);
      worst = std::max(worst, max_abs((above - below) / (2.0 * step) - A.col(k)));
    }
    return worst / A.cwiseAbs().maxCoeff();
  }
};

TEST(ImplicitRungeKutta, MatrixIsTheDerivativeOfTheEquationsOfAllStages) {
  const std::vector<TestProblem> problems = all_problems();
  for (const std::vector<double>& nodes :
       {std::vector{0.3, 1.0}, std::vector{0.0, 0.4, 1.0}, std::vector{0.2, 0.6, 1.0}}) {
    for (const TestProblem& problem : problems) {
      Exposed stepper("exposed", {2, nodes}, {}, {});
      State to = problem.start;
      stepper.start(*problem.system, problem.start);
      ASSERT_TRUE(stepper.attempt(*problem.system, problem.start, 2.0 * problem.step, to).ok());
      EXPECT_LT(stepper.difference(), 1e-7) << problem.name;
    }
  }
}

}  // namespace
}  // namespace picus::testing
