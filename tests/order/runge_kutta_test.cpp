// SPDX-License-Identifier: BSD-3-Clause
// Runge–Kutta methods reach each of their orders on every problem: joints, rolling, rotations,
// prescribed motion, controls, masses that depend on the position, forces nonlinear in multipliers.
#include <cmath>

#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

struct Method {
  const char* name;
  int order;

  std::unique_ptr<Stepper> make(OptionValues options = {}) const {
    options.emplace_back("order", std::to_string(order));
    return make_stepper(name, options);
  }
};

void PrintTo(const Method& method, std::ostream* out) {
  *out << method.name << " " << method.order;
}

class RungeKuttaOrder : public ::testing::TestWithParam<Method> {};

// Steps that are large enough for errors well above rounding.
std::vector<TestProblem> problems_with_large_steps() {
  std::vector<TestProblem> problems;
  const auto add = [&](TestProblem problem, double step, double duration) {
    problem.step = step;
    problem.duration = duration;
    problems.push_back(std::move(problem));
  };
  add(pendulum(), 0.02, 0.4);
  add(spring_pendulum(), 0.01, 0.2);
  add(slider_crank(), 0.02, 0.4);
  add(driven_pendulum(), 0.05, 1.0);
  add(heavy_top(), 0.02, 0.4);
  add(skate(), 0.1, 1.0);
  add(nonlinear(), 0.1, 1.0);
  add(oscillator(), 0.2, 2.0);
  add(variable_mass(), 0.1, 2.0);
  add(controlled_mass(), 0.05, 1.0);
  add(chain(3), 0.02, 0.4);
  return problems;
}

struct Errors {
  double motion = 0.0, reaction = 0.0;
};

Errors errors_of(const State& a, const State& b) {
  return {distance(a, b), std::max(max_abs(a.multiplier - b.multiplier),
                                   max_abs(a.nonholonomic_multiplier - b.nonholonomic_multiplier))};
}

// The slope of a line through log errors over log steps, without those at rounding.
double fitted_order(const std::vector<double>& errors, double floor) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (errors[i] < floor) break;
    const double log_h = -static_cast<double>(i), log_e = std::log2(errors[i]);
    n += 1.0;
    x += log_h;
    y += log_e;
    xx += log_h * log_h;
    xy += log_h * log_e;
  }
  return n < 2.0 ? 100.0 : (n * xy - x * y) / (n * xx - x * x);
}

TEST_P(RungeKuttaOrder, IsReachedOnEveryProblem) {
  for (const TestProblem& problem : problems_with_large_steps()) {
    const auto reference_stepper = make_stepper("half_explicit", {{"order", "6"}});
    const State reference = run(problem, *reference_stepper, problem.step / 64.0);
    std::vector<double> motion, reactions;
    for (int level = 0; level < 4; ++level) {
      const auto stepper = GetParam().make();
      const Errors e =
          errors_of(run(problem, *stepper, problem.step / std::pow(2.0, level)), reference);
      motion.push_back(e.motion);
      reactions.push_back(e.reaction);
    }
    const double scale = 1.0 + max_abs(reference.position) + max_abs(reference.velocity);
    const double order = fitted_order(motion, 1e-12 * scale);
    EXPECT_GE(order, GetParam().order - 0.2) << problem.name << ": " << motion[0] << " "
                                             << motion[1] << " " << motion[2] << " " << motion[3];
    const double strongest = 1.0 + max_abs(reference.multiplier);
    EXPECT_GE(fitted_order(reactions, 1e-11 * strongest), GetParam().order - 0.2)
        << "reactions of " << problem.name << ": " << reactions[0] << " " << reactions[1] << " "
        << reactions[2] << " " << reactions[3];
  }
}

INSTANTIATE_TEST_SUITE_P(HalfExplicit, RungeKuttaOrder,
                         ::testing::Values(Method{"half_explicit", 2}, Method{"half_explicit", 3},
                                           Method{"half_explicit", 4}, Method{"half_explicit", 5},
                                           Method{"half_explicit", 6}));

}  // namespace
}  // namespace picus::testing
