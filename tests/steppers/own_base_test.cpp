// SPDX-License-Identifier: BSD-3-Clause
// Extrapolation over a method that is not ours: what it declares about its error is all that
// counts.
#include <cmath>

#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/common/base_scheme.h"
#include "picus/steppers/extrapolation.h"
#include "tests/support/steppers.h"

namespace picus::testing {
namespace {

// Explicit Euler, or the symmetric leapfrog in velocity form; systems without constraints.
class OwnBase final : public Stepper, public BaseScheme {
 public:
  enum class Rule { kEuler, kLeapfrog };

  OwnBase(Rule rule, int powers) : rule_(rule), powers_(powers) {}

  StepperTraits traits() const override { return {.order = rule_ == Rule::kEuler ? 1 : 2}; }
  void start(const System&, const State&) override {}
  void accept() override {}
  void interpolate(const System&, double, State&) const override {}
  int error_powers(const System&) const override { return powers_; }
  void raise_restitution(double) override {}

  StepReport attempt(const System& system, const State& from, double h, State& to) override {
    begin_ = to = from;
    static_cast<void>(solve_accelerations(system, begin_));
    Vector v = begin_.velocity;
    if (rule_ == Rule::kLeapfrog) v += 0.5 * h * begin_.acceleration;
    system.retract(from.position, h * v, to.position);
    to.time = from.time + h;
    static_cast<void>(solve_accelerations(system, to));
    to.velocity = rule_ == Rule::kLeapfrog ? Vector(v + 0.5 * h * to.acceleration)
                                           : Vector(v + h * begin_.acceleration);
    return {};
  }

 private:
  Rule rule_;
  int powers_;
  State begin_;
};

double order_over(OwnBase::Rule rule, int powers, int rows, double h) {
  const TestProblem problem = oscillator();
  const State best = problem.exact(problem.start.time + problem.duration);
  const auto error = [&](double step) {
    const auto stepper =
        make_extrapolation({.order = rows}, std::make_unique<OwnBase>(rule, powers));
    return distance(run(problem, *stepper, step), best);
  };
  return std::log2(error(h) / error(0.5 * h));
}

TEST(ExtrapolationOfOnesOwn, EveryRowTakesOnePowerOfH) {
  for (int rows = 1; rows <= 4; ++rows)
    EXPECT_NEAR(order_over(OwnBase::Rule::kEuler, 1, rows, 0.05), rows, 0.3) << rows;
}

TEST(ExtrapolationOfOnesOwn, EveryRowTakesTwoOfASymmetricBase) {
  for (int rows = 1; rows <= 3; ++rows)
    EXPECT_NEAR(order_over(OwnBase::Rule::kLeapfrog, 2, rows, 0.2), 2.0 * rows, 0.3) << rows;
}

// Euler's errors have all powers of h: who declares h², h⁴, … for it gains nothing.
TEST(ExtrapolationOfOnesOwn, AWrongDeclarationCostsTheOrder) {
  EXPECT_NEAR(order_over(OwnBase::Rule::kEuler, 2, 3, 0.05), 1.0, 0.3);
}

TEST(ExtrapolationOfOnesOwn, ErrorControlTakesAsManyRowsAsItNeeds) {
  const TestProblem problem = oscillator();
  const auto stepper =
      make_extrapolation({.max_order = 8}, std::make_unique<OwnBase>(OwnBase::Rule::kLeapfrog, 2));
  stepper->control_error(1e-10);
  stepper->start(*problem.system, problem.start);
  State to = problem.start;
  const StepReport report = stepper->attempt(*problem.system, problem.start, 0.1, to);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.switching, StepReport::Switching::kSmooth);
  EXPECT_GT(report.order, 2);
  EXPECT_LE(report.error, 1.0);
  EXPECT_LT(distance(to, problem.exact(problem.start.time + 0.1)), 1e-10);
}

}  // namespace
}  // namespace picus::testing
