// SPDX-License-Identifier: BSD-3-Clause
// How far ahead formulas of time may be looked at.
#include "picus/expressions/horizon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

namespace picus::testing {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;

/// Of a formula of time, and of y, which does not move by itself.
double horizon(std::string_view text, double time, double y = 0.0, double unit = 1.0) {
  static const FormulaTables tables{
      {"cam", std::make_shared<const Table>(std::vector{1.0, 2.0, 4.0, 5.0, 9.0},
                                            std::vector{0.0, 1.0, 0.0, 3.0, 0.0})}};
  const auto expression =
      std::make_shared<const Expression>(Expression::parse(text, {.tables = &tables}));
  std::vector<Moving> inputs;
  std::array<bool, 4> moves{};
  for (const FormulaInput& input : expression->inputs()) {
    moves[inputs.size()] = input.name == "time";
    inputs.push_back(input.name == "time" ? moving(unit * time, unit) : moving(y, 0.0));
  }
  const FormulaHorizon ahead(expression, std::span<const bool>(moves).first(inputs.size()));
  return ahead.any() ? ahead(inputs) : kForever;
}

TEST(FormulaHorizon, APolynomialHasNone) {
  EXPECT_EQ(horizon("3*time^2 - 2*time + 1", 0.5), kForever);
  EXPECT_EQ(horizon("y*sin(y) + time", 0.5), kForever);
  EXPECT_EQ(horizon("abs(time - 2)", 0.5), kForever);
}

TEST(FormulaHorizon, IsAQuarterOfAPeriod) {
  EXPECT_NEAR(horizon("5*sin(2.5*time)", 0.3), 0.5 * kPi / 2.5, 1e-12);
  EXPECT_NEAR(horizon("5*sin(2.5*time) + cos(10*time + 1)", 0.3), 0.05 * kPi, 1e-12);
  EXPECT_NEAR(horizon("square(time, 4)", 0.3), 0.92, 1e-12);
  EXPECT_NEAR(horizon("sin(y - 4*time)", 0.3, 7.0), kPi / 8.0, 1e-12);
  EXPECT_NEAR(horizon("sin(y*time)", 0.3, 7.0), kPi / 14.0, 1e-12);
  EXPECT_NEAR(horizon("sin(time)", 0.3, 0.0, 1e3), 0.5e-3 * kPi, 1e-12);  // time in ms
}

TEST(FormulaHorizon, FollowsAChirp) {
  // φ = 3 t²: a quarter turn from t = 2 on
  const double h = horizon("sin(3*time^2)", 2.0);
  EXPECT_NEAR(3.0 * (2.0 + h) * (2.0 + h) - 12.0, 0.5 * kPi, 1e-12);
}

TEST(FormulaHorizon, ReachesTheNextRiseAndAPartOfIt) {
  EXPECT_NEAR(horizon("step5(time, 7, 0, 7.2, 1)", 1.0), 6.046, 1e-12);
  EXPECT_NEAR(horizon("step5(time, 7, 0, 7.2, 1)", 7.1), 0.046, 1e-12);
  EXPECT_EQ(horizon("step5(time, 7, 0, 7.2, 1)", 7.3), kForever);
  EXPECT_NEAR(horizon("pulse(time, 3, 3.4)", 0.0), 3.092, 1e-12);
  EXPECT_NEAR(horizon("tanh((time - 6)/0.01)", 0.0), 6.0 - 0.18 + 0.01, 1e-12);
}

TEST(FormulaHorizon, ArrivesAtABell) {
  // e^{-1000 (t - 3)²} is nothing until t = 3 - 0.19
  for (double t = 0.0; t < 2.8;) {
    const double h = horizon("exp(-1000*(time - 3)^2)", t);
    ASSERT_GT(h, 1e-4);
    t += h;
    EXPECT_LT(t, 2.85);
  }
  EXPECT_LT(horizon("exp(-1000*(time - 3)^2)", 2.99), 0.05);
  EXPECT_EQ(horizon("exp(-1000*(time - 3)^2)", 3.5), kForever);
}

// cos^n is nearly the bell e^{-n x²/2}, and products of bells have the sum of their curvatures.
TEST(FormulaHorizon, OfAPowerShrinksByTheRootOfTheExponent) {
  for (const int n : {1, 2, 9, 100})
    EXPECT_NEAR(horizon("sin(2*pi*50*time)^" + std::to_string(n), 0.3), 0.25 / 50.0 / std::sqrt(n),
                1e-12)
        << n;
  EXPECT_NEAR(horizon("pow(cos(2*time), 9)", 0.3), kPi / 4.0 / 3.0, 1e-12);
  EXPECT_NEAR(horizon("(3*sin(2*time)^3)^3 + sin(time)", 0.3), kPi / 4.0 / 3.0, 1e-12);
  EXPECT_NEAR(horizon("sqrt(2 + sin(2*time))", 0.3), kPi / 4.0, 1e-12);
}

TEST(FormulaHorizon, OfAProductAddsUpTheSquaresOfThePaces) {
  EXPECT_NEAR(horizon("sin(3*time)*cos(4*time)", 0.3), 0.5 * kPi / 5.0, 1e-12);
  EXPECT_NEAR(horizon("sin(3*time)*time*y", 0.3, 7.0), 0.5 * kPi / 3.0, 1e-12);
  EXPECT_NEAR(horizon("sin(time)*sin(time)*sin(time)*sin(time)", 0.3), kPi / 4.0, 1e-12);
}

// The largest value at the moments that a walk by horizons looks at: their ends and middles.
struct Walk {
  double largest = 0.0;
  int moments = 0;
};
Walk walk(std::string_view text, double begin, double end) {
  const Expression expression = Expression::parse(text, {});
  Walk result;
  const auto visit = [&](double time) {
    result.largest = std::max(result.largest, expression.evaluate<double>(std::array{time}));
    ++result.moments;
  };
  for (double t = begin; t < end && result.moments < 10000;) {
    const double h = std::min(horizon(text, t), end - t);
    visit(t + 0.5 * h);
    visit(t += h);
  }
  return result;
}

// Wherever a walk begins, it does not pass a peak.
class Peak : public ::testing::TestWithParam<const char*> {};

TEST_P(Peak, IsNotSteppedOver) {
  const Expression expression = Expression::parse(GetParam(), {});
  for (const double begin : {0.0, 0.21, 0.47, 0.83}) {
    double highest = 0.0;
    for (int i = 0; i <= 100000; ++i)
      highest = std::max(highest, expression.evaluate<double>(std::array{begin + 1e-4 * i}));
    const Walk seen = walk(GetParam(), begin, begin + 10.0);
    EXPECT_GT(seen.largest, 0.8 * highest) << begin;
    EXPECT_LT(seen.moments, 2500) << begin;
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfFormulas, Peak,
    ::testing::Values(
        "sin(0.7*time)^9", "sin(0.7*time)^99", "sin(1.3*time)^1000", "(0.5 + 0.5*cos(1.7*time))^40",
        "sin(2*time)*sin(3*time)*sin(5*time)*cos(7*time)", "(sin(1.1*time)*sin(1.2*time))^20",
        "exp(-(time - 5)^2/0.01)", "exp(-(time - 5)^2/1e-5)", "exp(40*(sin(0.8*time) - 1))",
        "exp(-(time - 5)^2/0.01)*sin(40*time)^5", "1/(1 + ((time - 4.3)/0.01)^2)",
        "max(0, sin(0.9*time) - 0.99)", "max(sin(0.9*time) - 0.9999, 0)",
        "-min(0, 0.999 - sin(0.9*time))", "max(0, 1 - ((time - 6)/0.02)^2)",
        "clamp(sin(0.8*time), 0.995, 2) - 0.995", "deadband(sin(0.8*time), -2, 0.99)",
        "if(sin(0.9*time) > 0.999, 1, 0)", "if(0.999 < cos(0.9*time), 1, 0)",
        "max(0, sin(0.9*time) - 0.99)^3", "sin(0.1*(time + 0.5)^3)^9",
        "(step5(time, 4, 0, 4.1, 1) - step5(time, 4.1, 0, 4.2, 1))^20", "mod(0.7*time, 1)^60"),
    [](const auto& each) { return "Number" + std::to_string(each.index); });

TEST(FormulaHorizon, GoesFromPointToPointOfATable) {
  EXPECT_NEAR(horizon("cam(time)", 0.0), 1.93, 1e-12);
  EXPECT_NEAR(horizon("cam(time)", 1.5), 0.93 * 2.5, 1e-12);
  EXPECT_NEAR(horizon("cam(time)", 4.5), 0.93 * 4.5, 1e-12);
  EXPECT_EQ(horizon("cam(time)", 9.5), kForever);
  EXPECT_EQ(horizon("cam(y)", 4.5, 2.0), kForever);
}

}  // namespace
}  // namespace picus::testing
