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

// A problem and its solution by the method of the highest order.
struct Solved {
  TestProblem problem;
  State end;
};

const std::vector<Solved>& solved_problems() {
  static const std::vector<Solved> solved = [] {
    std::vector<Solved> result;
    std::vector<TestProblem> problems = problems_with_large_steps();
    for (TestProblem& problem : problems) {
      const auto stepper = make_stepper("half_explicit", {{"order", "6"}});
      const State end = run(problem, *stepper, problem.step / 40.0);
      result.push_back({std::move(problem), end});
    }
    return result;
  }();
  return solved;
}

struct Errors {
  double motion = 0.0, reaction = 0.0;
};

Errors errors_of(const State& a, const State& b) {
  return {distance(a, b), std::max(max_abs(a.multiplier - b.multiplier),
                                   max_abs(a.nonholonomic_multiplier - b.nonholonomic_multiplier))};
}

// The order between the finest steps whose errors are above rounding.
double fitted_order(const std::vector<double>& errors, double floor) {
  std::size_t last = errors.size();
  while (last > 0 && errors[last - 1] < floor)
    --last;
  if (last < 2) return 100.0;  // nothing but rounding
  const std::size_t first = last > 2 ? last - 3 : 0;
  return std::log2(errors[first] / errors[last - 1]) / static_cast<double>(last - 1 - first);
}

TEST_P(RungeKuttaOrder, IsReachedOnEveryProblem) {
  for (const auto& [problem, reference] : solved_problems()) {
    std::vector<double> motion, reactions;
    for (int level = 0; level < 4; ++level) {
      const auto stepper = GetParam().make();
      const Errors e =
          errors_of(run(problem, *stepper, problem.step / std::pow(2.0, level)), reference);
      motion.push_back(e.motion);
      reactions.push_back(e.reaction);
    }
    const double scale = 1.0 + max_abs(reference.position) + max_abs(reference.velocity);
    const double order = fitted_order(motion, 3e-14 * scale);
    EXPECT_GE(order, GetParam().order - 0.2) << problem.name << ": " << motion[0] << " "
                                             << motion[1] << " " << motion[2] << " " << motion[3];
    const double strongest = 1.0 + max_abs(reference.multiplier);
    // functions of motions whose errors may cancel at first
    EXPECT_GE(fitted_order(reactions, 1e-10 * strongest), GetParam().order - 0.8)
        << "reactions of " << problem.name << ": " << reactions[0] << " " << reactions[1] << " "
        << reactions[2] << " " << reactions[3];
  }
}

INSTANTIATE_TEST_SUITE_P(Implicit, RungeKuttaOrder,
                         ::testing::Values(Method{"radau_iia", 3}, Method{"radau_iia", 5},
                                           Method{"lobatto_iiia", 2}, Method{"lobatto_iiia", 4},
                                           Method{"lobatto_iiia", 6}));

INSTANTIATE_TEST_SUITE_P(HalfExplicit, RungeKuttaOrder,
                         ::testing::Values(Method{"half_explicit", 2}, Method{"half_explicit", 3},
                                           Method{"half_explicit", 4}, Method{"half_explicit", 5},
                                           Method{"half_explicit", 6}));

}  // namespace
}  // namespace picus::testing
