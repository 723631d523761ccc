// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "picus/expressions/expression.h"
#include "tests/support/allocation_counter.h"

namespace picus {

static void PrintTo(const FunctionEntry& entry, std::ostream* out) {
  *out << entry.signature;
}

namespace {

struct Range {
  double from, to;
};
constexpr Range kAll{-2.0, 2.0}, kUnit{-0.95, 0.95}, kPositive{0.2, 2.0};

/// Where each function is tested: ranges of its arguments that reach all its branches.
const std::map<std::string_view, std::vector<Range>>& ranges() {
  static const std::vector<Range> rise{{-0.5, 1.5}, {0.0, 0.3}, kAll, {0.7, 1.0}, kAll};
  static const std::vector<Range> limits{{-2.0, 2.0}, {-1.0, -0.3}, {0.3, 1.0}};
  static const std::map<std::string_view, std::vector<Range>> all{
      {"sin", {kAll}},
      {"cos", {kAll}},
      {"tan", {{-1.2, 1.2}}},
      {"asin", {kUnit}},
      {"acos", {kUnit}},
      {"atan", {kAll}},
      {"atan2", {kAll, kAll}},
      {"sinh", {kAll}},
      {"cosh", {kAll}},
      {"tanh", {kAll}},
      {"exp", {kAll}},
      {"log", {kPositive}},
      {"log10", {kPositive}},
      {"sqrt", {kPositive}},
      {"cbrt", {{-2.0, -0.2}}},
      {"pow", {kPositive, kAll}},
      {"hypot", {kAll, kAll}},
      {"abs", {kAll}},
      {"sign", {kAll}},
      {"min", {kAll, kAll}},
      {"max", {kAll, kAll}},
      {"floor", {kAll}},
      {"ceil", {kAll}},
      {"round", {kAll}},
      {"mod", {kAll, {0.5, 0.9}}},
      {"clamp", limits},
      {"deadband", limits},
      {"step", rise},
      {"step5", rise},
      {"ramp", rise},
      {"pulse", limits},
      {"square", {kAll, {0.5, 0.9}}},
      {"impact", {{0.0, 1.2}, kAll, {0.8, 1.0}, kPositive, {1.2, 2.5}, kPositive, {0.1, 0.3}}},
      {"bistop",
       {kAll, kAll, {-1.2, -0.8}, {0.8, 1.2}, kPositive, {1.2, 2.5}, kPositive, {0.1, 0.3}}},
      {"if", {{-1.0, 1.0}, kAll, kAll}},
  };
  return all;
}

/// "f(a0, a1, …)": its inputs are the arguments, in order.
Expression call_of(const FunctionEntry& entry) {
  std::string text(entry.name);
  for (int i = 0; i < entry.arity; ++i)
    text += fmt::format("{}a{}", i == 0 ? "(" : ", ", i);
  return Expression::parse(text + ")");
}

/// Whether a kink or jump is near enough to spoil a difference.
bool near_switch(const Expression& f, const std::vector<double>& x) {
  std::vector<double> values(static_cast<std::size_t>(f.switches()));
  f.switch_values(x, values);
  return std::any_of(values.begin(), values.end(), [](double s) { return std::abs(s) < 1e-4; });
}

class EveryFunction : public ::testing::TestWithParam<FunctionEntry> {};

// Central differences of step 1e-6: truncation 1e-12, rounding 1e-10 in the ranges above.
constexpr double kDifference = 1e-6, kTolerance = 2e-8;

TEST_P(EveryFunction, HasTheGradientThatDifferencesSee) {
  const Expression f = call_of(GetParam());
  ASSERT_TRUE(ranges().contains(GetParam().name)) << "say where to test the new function";
  const std::vector<Range>& range = ranges().at(GetParam().name);
  const std::size_t n = range.size();
  ASSERT_EQ(f.inputs().size(), n);
  std::mt19937 engine(11);
  int used = 0, moving = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> x(n), gradient(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = std::uniform_real_distribution(range[i].from, range[i].to)(engine);
    if (near_switch(f, x)) continue;
    ++used;
    EXPECT_EQ(f.with_gradient(x, gradient), f(x));
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> left = x, right = x;
      left[i] -= kDifference;
      right[i] += kDifference;
      const double difference = (f(right) - f(left)) / (2 * kDifference);
      EXPECT_NEAR(gradient[i], difference, kTolerance * (1 + std::abs(difference)))
          << "argument " << i << " at " << fmt::format("{}", fmt::join(x, ", "));
      if (gradient[i] != 0.0) ++moving;
    }
  }
  EXPECT_GT(used, 150);
  const bool piecewise_constant =
      std::set<std::string_view>{"sign", "floor", "ceil", "round", "pulse", "square"}.contains(
          GetParam().name);
  EXPECT_EQ(moving == 0, piecewise_constant);
}

TEST_P(EveryFunction, HasTheSameDerivativesInDualNumbers) {
  using First = Dual<8>;
  using Second = Dual<1, Dual<1>>;
  const Expression f = call_of(GetParam());
  const std::vector<Range>& range = ranges().at(GetParam().name);
  const std::size_t n = range.size();
  std::mt19937 engine(12);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> x(n), way(n), gradient(n);
    std::vector<First> first(n);
    std::vector<Second> moving(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = std::uniform_real_distribution(range[i].from, range[i].to)(engine);
      way[i] = std::uniform_real_distribution(-1.0, 1.0)(engine);
      first[i] = First::variable(x[i], static_cast<int>(i));
      moving[i].value.value = x[i];
      moving[i].value.grad[0] = way[i];
      moving[i].grad[0].value = way[i];
    }
    if (near_switch(f, x)) continue;
    const double plain = f.with_gradient(x, gradient);
    const First dual = f.evaluate<First>(first);
    const Second second = f.evaluate<Second>(moving);
    EXPECT_DOUBLE_EQ(dual.value, plain);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(dual.grad[i], gradient[i], 1e-13 * (1 + std::abs(gradient[i])));
    // the second derivative along a line, against a difference of gradients
    const auto slope = [&](double s) {
      std::vector<double> at(n), g(n);
      for (std::size_t i = 0; i < n; ++i)
        at[i] = x[i] + s * way[i];
      f.with_gradient(at, g);
      return std::inner_product(g.begin(), g.end(), way.begin(), 0.0);
    };
    const double curvature = (slope(kDifference) - slope(-kDifference)) / (2 * kDifference);
    EXPECT_NEAR(second.d(0).value, slope(0.0), 1e-12 * (1 + std::abs(slope(0.0))));
    EXPECT_NEAR(second.d(0).d(0), curvature, 1e-6 * (1 + std::abs(curvature)))
        << fmt::format("{}", fmt::join(x, ", "));
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryFunction,
                         ::testing::ValuesIn(function_catalog().begin(), function_catalog().end()),
                         [](const auto& entry) { return std::string(entry.param.name); });

TEST(Formula, HasTheSecondDerivativeInTime) {
  using Moving = Dual<1, Dual<1>>;
  const Expression f = Expression::parse("0.3*sin(2*pi*time)^2 + exp(-time)*time^3");
  const double t = 0.4, w = 2 * std::numbers::pi;
  const Moving time = Moving::variable(Dual<1>::variable(t, 0), 0);
  const Moving result = f.evaluate<Moving>(std::array{time});
  EXPECT_NEAR(result.d(0).d(0),
              0.6 * w * w * std::cos(2 * w * t) + std::exp(-t) * (6 * t - 6 * t * t + t * t * t),
              1e-13);
}

struct Kink {
  const char* text;
  double x, value, slope;
};

TEST(Formula, DerivativesAtKinksAreFinite) {
  const Kink kinks[] = {
      {"sqrt(x)", 0, 0, 0},
      {"sqrt(x^2)", 0, 0, 0},
      {"cbrt(x)", 0, 0, 0},
      {"abs(x)", 0, 0, 0},
      {"sign(x)", 0, 0, 0},
      {"hypot(x, x)", 0, 0, 0},
      {"atan2(x, x)", 0, 0, 0},
      {"x^0", 0, 1, 0},
      {"x^1", 0, 0, 1},
      {"x^2", 0, 0, 0},
      {"x^3", 0, 0, 0},
      {"x^4", 0, 0, 0},
      {"x^0.5", 0, 0, 0},
      {"x^1.5", 0, 0, 0},
      {"x^x", 0, 1, 0},
      {"2^x", 0, 1, std::log(2)},
      {"0^x", 1, 0, 0},
      {"(-2)^x", 3, -8, 0},
      {"x^2", -3, 9, -6},
      {"x^3", -3, -27, 27},
      {"x^5", -2, -32, 80},
      {"x^-2", -2, 0.25, 0.25},
      {"asin(x)", 1, std::asin(1), 0},
      {"acos(x)", -1, std::acos(-1), 0},
      {"asin(x)", -1, -std::asin(1), 0},
      {"min(x, 0)", 0, 0, 1},
      {"max(2*x, 0)", 0, 0, 2},
      {"clamp(x, 0, 1)", 0, 0, 1},
      {"clamp(x, 0, 1)", 1, 1, 1},
      {"deadband(x, -1, 1)", 1, 1 - 1, 0},
      {"step(x, 0, 0, 1, 1)", 1, 1, 0},
      {"impact(x, 0, 0, 100, 1.5, 10, 0.1)", 0, 0, 0},
      {"step(x, 0, 1, 0, 2)", 0, 1, 0},
      {"impact(x, -1, 1, 100, 1, 10, 0)", 0.5, 60, -100},
  };
  for (const Kink& kink : kinks) {
    const Expression f = Expression::parse(kink.text);
    std::array<double, 1> slope{};
    EXPECT_DOUBLE_EQ(f.with_gradient(std::array{kink.x}, slope), kink.value) << kink.text;
    EXPECT_DOUBLE_EQ(slope[0], kink.slope) << kink.text;
    using Second = Dual<1, Dual<1>>;
    const Second x = Second::variable(Dual<1>::variable(kink.x, 0), 0);
    const Second dual = f.evaluate<Second>(std::array{x});
    EXPECT_DOUBLE_EQ(plain_value(dual), kink.value) << kink.text;
    EXPECT_DOUBLE_EQ(dual.d(0).value, kink.slope) << kink.text;
    EXPECT_TRUE(std::isfinite(dual.d(0).d(0))) << kink.text;
  }
}

TEST(Formula, OneSidedForcesPushAndNeverPull) {
  const Expression f = Expression::parse("impact(x, v, 0, 1000, 1.5, 20, 0.01)");
  EXPECT_EQ(f(std::array{0.001, -5.0}), 0.0);
  EXPECT_DOUBLE_EQ(f(std::array{-0.02, 0.0}), 1000 * std::pow(0.02, 1.5));
  EXPECT_DOUBLE_EQ(f(std::array{-0.02, -0.1}), 1000 * std::pow(0.02, 1.5) + 2.0);
  EXPECT_EQ(f(std::array{-0.02, 5.0}), 0.0);
  const Expression g = Expression::parse("bistop(x, v, -1, 2, 1000, 1.5, 20, 0.01)");
  const Expression left = Expression::parse("impact(x, v, -1, 1000, 1.5, 20, 0.01)");
  const Expression right = Expression::parse("-impact(-x, -v, -2, 1000, 1.5, 20, 0.01)");
  for (const double x : {-1.1, -1.001, 0.5, 2.002, 2.2})
    for (const double v : {-1.0, 0.0, 1.0})
      EXPECT_DOUBLE_EQ(g(std::array{x, v}), left(std::array{x, v}) + right(std::array{x, v}));
}

TEST(Formula, SwitchValuesChangeSignWhereSomethingSwitches) {
  // text, and the places on the line x in [−3, 3] where value or slope jump
  const std::pair<const char*, std::vector<double>> cases[] = {
      {"if(x > 1, 2, 3)", {1}},
      {"abs(x - 0.5)", {0.5}},
      {"sign(x + 2)", {-2}},
      {"min(x, 2*x, -1.5)", {-0.75, 0}},  // the second although neither is the least there
      {"floor(x)", {-2, -1, 0, 1, 2}},
      {"ceil(x)", {-2, -1, 0, 1, 2}},
      {"round(x)", {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5}},
      {"mod(x, 2)", {-2, 0, 2}},
      {"square(x, 2)", {-2, -1, 0, 1, 2}},
      {"clamp(x, -1, 2)", {-1, 2}},
      {"deadband(x, -1, 2)", {-1, 2}},
      {"ramp(x, 0, 0, 1, 1)", {0, 1}},
      {"pulse(x, 0.25, 1)", {0.25, 1}},
      {"impact(x, 0, 1, 10, 2, 1, 0.1)", {1}},
      {"bistop(x, 0, -1, 1, 10, 2, 1, 0.1)", {-1, 1}},
      {"step(x, 0, 0, 1, 1) + sin(x)", {}},
      {"if(x, 1, 2)", {0}},
      {"x >= 1 and not x > 2", {1, 2}},
  };
  for (const auto& [text, places] : cases) {
    const Expression f = Expression::parse(text);
    std::vector<double> before(static_cast<std::size_t>(f.switches())), after(before);
    std::vector<double> found;
    // sampling points avoid the places themselves
    for (double x = -2.99; x < 2.98; x += 0.02) {
      f.switch_values(std::array{x}, before);
      f.switch_values(std::array{x + 0.02}, after);
      for (std::size_t i = 0; i < before.size(); ++i)
        if ((before[i] < 0) != (after[i] < 0)) found.push_back(x + 0.01);
    }
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found.size(), places.size()) << text;
    for (std::size_t i = 0; i < places.size(); ++i)
      EXPECT_NEAR(found[i], places[i], 0.0101) << text;
  }
}

TEST(Formula, EvaluationAllocatesNothing) {
  FormulaTables tables;
  tables["cam"] = std::make_shared<Table>(std::vector{0.0, 1.0, 2.0}, std::vector{0.0, 1.0, 4.0});
  std::string text = "if(x > 0, cam(x), 1) + impact(x, v, 1, 100, 1.5, 10, 0.1) + max(x, v, 2)";
  const Expression small = Expression::parse(text, {.tables = &tables});
  for (int i = 0; i < 2000; ++i)
    text += fmt::format(" + sin({}*x)", i + 2);
  const Expression large = Expression::parse(text, {.tables = &tables});
  using D = Dual<2, Dual<2>>;
  const std::array x{0.3, -0.2};
  const std::array<D, 2> dual{D(0.3), D(-0.2)};
  std::array<double, 2> gradient{};
  const auto use = [&](const Expression& f) {
    std::array<double, 64> switches{};
    double sum = f(x) + f.with_gradient(x, gradient) + plain_value(f.evaluate<D>(dual));
    f.switch_values(x, std::span(switches).first(static_cast<std::size_t>(f.switches())));
    return sum + switches[0];
  };
  double sum = 0.0;
  long before = testing::allocations();
  sum += use(small);  // not even in the first call
  EXPECT_EQ(testing::allocations() - before, 0);
  use(large);
  before = testing::allocations();
  for (int i = 0; i < 5; ++i)
    sum += use(small) + use(large);
  EXPECT_EQ(testing::allocations() - before, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Manual, ListsEveryFunctionOfTheCatalog) {
  std::ifstream file(PICUS_SOURCE_DIR "/docs/expressions.md");
  std::stringstream manual;
  manual << file.rdbuf();
  for (const FunctionEntry& entry : function_catalog()) {
    const std::string row = fmt::format("| `{}` | {} |\n", entry.signature, entry.meaning);
    EXPECT_TRUE(manual.str().find(row) != std::string::npos) << "docs/expressions.md lacks\n"
                                                             << row;
  }
}

}  // namespace
}  // namespace picus
