// SPDX-License-Identifier: BSD-3-Clause
#include "picus/expressions/table.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "picus/expressions/expression.h"

namespace picus {
namespace {

using enum Interpolation;
constexpr auto kStraight = Extrapolation::kLinear;

std::vector<double> sampled(const std::vector<double>& x, const auto& f) {
  std::vector<double> y;
  for (const double at : x)
    y.push_back(f(at));
  return y;
}

const std::vector<double> kUneven{-1.0, -0.4, 0.1, 0.25, 1.2, 2.0, 2.1, 3.0};

TEST(Table, PassesThroughItsPoints) {
  const auto y = sampled(kUneven, [](double x) { return std::sin(3 * x); });
  for (const auto method : {kLinear, kCubic, kAkima, kMonotone}) {
    const Table table(kUneven, y, {.interpolation = method});
    for (std::size_t i = 0; i < y.size(); ++i)
      EXPECT_NEAR(table(kUneven[i]), y[i], 1e-15);
  }
}

TEST(Table, EveryMethodIsExactOnLines) {
  const auto line = [](double x) { return 2.0 - 3.0 * x; };
  for (const auto method : {kLinear, kCubic, kAkima, kMonotone}) {
    const Table table(kUneven, sampled(kUneven, line), {method, kStraight});
    for (double x = -2.0; x < 4.0; x += 0.07) {
      EXPECT_NEAR(table(x), line(x), 1e-14);
      EXPECT_NEAR(table.derivative(x, 1), -3.0, 1e-13);
      EXPECT_NEAR(table.derivative(x, 2), 0.0, 1e-11);
    }
  }
}

TEST(Table, AkimaIsExactOnParabolasWithEvenPoints) {
  const auto parabola = [](double x) { return 1.0 + x - 2.0 * x * x; };
  const std::vector<double> x{0.0, 0.5, 1.0, 1.5, 2.0, 2.5};
  const Table table(x, sampled(x, parabola), {.interpolation = kAkima});
  for (double at = 0.0; at <= 2.5; at += 0.03) {
    EXPECT_NEAR(table(at), parabola(at), 1e-14);
    EXPECT_NEAR(table.derivative(at, 1), 1.0 - 4.0 * at, 1e-13);
    EXPECT_NEAR(table.derivative(at, 2), -4.0, 1e-12);
  }
}

// A cubic without curvature at both ends of its range does not exist, two joined ones do:
// the natural spline through x = 0, 1, 2 and y = 0, 1, 0 is (3x − x³)/2 up to 1.
TEST(Table, CubicIsTheNaturalSpline) {
  const Table coarse({0.0, 1.0, 2.0}, {0.0, 1.0, 0.0}, {.interpolation = kCubic});
  for (double x = 0.0; x <= 1.0; x += 0.05) {
    EXPECT_NEAR(coarse(x), 0.5 * (3 * x - x * x * x), 1e-15);
    EXPECT_NEAR(coarse(2.0 - x), 0.5 * (3 * x - x * x * x), 1e-15);
    EXPECT_NEAR(coarse.derivative(x, 1), 1.5 * (1 - x * x), 1e-14);
    EXPECT_NEAR(coarse.derivative(x, 2), -3.0 * x, 1e-13);
  }
  // more points on a natural spline change nothing
  const std::vector<double> x{0.0, 0.2, 0.7, 1.0, 1.1, 1.9, 2.0};
  const Table fine(x, sampled(x, coarse), {.interpolation = kCubic});
  for (double at = 0.0; at <= 2.0; at += 0.01)
    EXPECT_NEAR(fine(at), coarse(at), 1e-14);
}

TEST(Table, MonotoneDoesNotOvershoot) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6}, y{0, 0, 0.1, 5, 5, 5.2, 4};
  const Table table(x, y, {.interpolation = kMonotone});
  for (int i = 0; i < 500; ++i)
    EXPECT_GE(table(0.01 * (i + 1)), table(0.01 * i) - 1e-14) << i;
  EXPECT_EQ(table.derivative(1.0, 1), 0.0);
}

TEST(Table, DerivativesAgreeWithDifferences) {
  const auto y = sampled(kUneven, [](double x) { return std::cos(2 * x) + x; });
  std::mt19937 engine(3);
  for (const auto method : {kLinear, kCubic, kAkima, kMonotone}) {
    for (const auto outside : {Extrapolation::kConstant, kStraight}) {
      const Table table(kUneven, y, {method, outside});
      for (int i = 0; i < 100; ++i) {
        const double x = std::uniform_real_distribution(-2.0, 4.0)(engine), h = 1e-5;
        for (int order = 0; order < 4; ++order) {
          const double difference =
              (table.derivative(x + h, order) - table.derivative(x - h, order)) / (2 * h);
          const double exact = table.derivative(x, order + 1);
          EXPECT_NEAR(exact, difference, 1e-6 * (1 + std::abs(exact))) << x << " " << order;
        }
      }
    }
  }
}

TEST(Table, GoesOnAsToldOutsideItsPoints) {
  const std::vector<double> x{0, 1, 2}, y{1, 3, 4};
  const Table constant(x, y, {.interpolation = kCubic});
  EXPECT_EQ(constant(-5.0), 1.0);
  EXPECT_EQ(constant(std::numeric_limits<double>::infinity()), 4.0);
  EXPECT_EQ(constant.derivative(2.5, 1), 0.0);
  const Table straight(x, y, {kCubic, kStraight});
  EXPECT_DOUBLE_EQ(straight(3.0), 4.0 + straight.derivative(2.0, 1));
  EXPECT_DOUBLE_EQ(straight(-1.0), 1.0 - straight.derivative(0.0, 1));
  EXPECT_TRUE(std::isnan(straight(std::nan(""))));
}

TEST(Table, SwitchesAtItsKinks) {
  const std::vector<double> x{0, 1, 2, 3}, y{0, 1, 0, 1};
  const auto crossings = [](const Table& table) {
    std::vector<double> found;
    for (double at = -0.95; at < 4.0; at += 0.1)
      if ((table.switch_value(at) < 0) != (table.switch_value(at + 0.1) < 0))
        found.push_back(std::round(at + 0.05));
    return found;
  };
  EXPECT_EQ(crossings(Table(x, y, {.interpolation = kLinear})), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(crossings(Table(x, y, {kLinear, kStraight})), (std::vector<double>{1, 2}));
  EXPECT_EQ(crossings(Table(x, y, {.interpolation = kAkima})), (std::vector<double>{0, 3}));
  EXPECT_FALSE(Table(x, y, {kCubic, kStraight}).has_switch());
  EXPECT_FALSE(Table({0, 1}, {0, 1}, {kLinear, kStraight}).has_switch());
}

TEST(Table, IsCalledByFormulas) {
  FormulaTables tables;
  tables["cam.lift"] =
      std::make_shared<Table>(kUneven, sampled(kUneven, [](double x) { return x * x; }));
  const Table& cam = *tables["cam.lift"];
  const Expression f = Expression::parse("2*cam.lift(x^2)", {.tables = &tables});
  std::array<double, 1> slope{};
  EXPECT_DOUBLE_EQ(f.with_gradient(std::array{0.8}, slope), 2 * cam(0.64));
  EXPECT_DOUBLE_EQ(slope[0], 3.2 * cam.derivative(0.64, 1));
  using D = Dual<1, Dual<1>>;
  const D x = D::variable(Dual<1>::variable(0.8, 0), 0);
  EXPECT_NEAR(f.evaluate<D>(std::array{x}).d(0).d(0),
              2 * (cam.derivative(0.64, 2) * 2.56 + cam.derivative(0.64, 1) * 2), 1e-13);
  EXPECT_EQ(f.switches(), 1);
  EXPECT_TRUE(Expression::parse("cam.lift(0.5)", {.tables = &tables}).is_constant());
}

TEST(Csv, IsReadWithAndWithoutNames) {
  const auto value = [](std::string_view text, const CsvColumns& columns = {}) {
    return Table::from_csv(text, "a.csv", columns, {.interpolation = kLinear})(0.5);
  };
  EXPECT_EQ(value("0,0\n1,10\n"), 5.0);
  EXPECT_EQ(value("\xEF\xBB\xBF# lift of the cam\r\n\r\nx,y\r\n0,0\r\n 1 , +10 \r\n"), 5.0);
  EXPECT_EQ(value("0;0\n1;10"), 5.0);
  EXPECT_EQ(value("0\t0\n1\t10"), 5.0);
  const char* const wide = "time,\"lift\",note\n0,0,start\n1,10,end\n";
  EXPECT_EQ(value(wide, {.x = "time", .y = "lift"}), 5.0);
  EXPECT_EQ(value(wide, {.x = "", .y = "lift"}), 5.0);
}

TEST(Csv, ErrorsNameFileAndLine) {
  const auto complaint = [](std::string_view text, const CsvColumns& columns = {}) -> std::string {
    try {
      Table::from_csv(text, "cam.csv", columns);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint(""), "cam.csv: found 0 points, expected at least 2");
  EXPECT_EQ(complaint("x,y\n1,2\n"), "cam.csv: found 1 points, expected at least 2");
  EXPECT_EQ(complaint("x,y\n1,2\n2,three\n"),
            "cam.csv:3: found 'three' in column 2, expected a number");
  EXPECT_EQ(complaint("1,2\n\n2,\n"), "cam.csv:3: found '' in column 2, expected a number");
  EXPECT_EQ(complaint("1,2\n2,nan\n"), "cam.csv:2: found 'nan' in column 2, expected a number");
  EXPECT_EQ(complaint("1,2\n2,3,4\n"),
            "cam.csv:2: found 3 columns, expected 2 as in the first line");
  EXPECT_EQ(complaint("1,2\n# again\n1,3\n"),
            "cam.csv:3: x must increase from line to line; found 1 after 1");
  EXPECT_EQ(
      complaint("1,2,3\n"),
      "cam.csv:1: found 3 columns, expected 2; name the two columns to read from a wider file");
  EXPECT_EQ(
      complaint("1 2\n"),
      "cam.csv:1: found 1 column, expected 2; name the two columns to read from a wider file");
  EXPECT_EQ(complaint("time,lift\n0,1\n", {"time", "left"}),
            "cam.csv:1: unknown column 'left'; did you mean 'lift'?");
  EXPECT_EQ(complaint("a,a\n0,1\n", {"", "a"}), "cam.csv:1: two columns are named 'a'");
  EXPECT_EQ(complaint("a,b\n0,1\n", {"b", "b"}), "cam.csv:1: column 'b' cannot be x and y at once");
  EXPECT_EQ(complaint("0,1\n1,2\n", {"x", "y"}),
            "cam.csv:1: found '0, 1', expected the names of the columns (with 'y')");
}

TEST(Table, RefusesBadPoints) {
  const auto complaint = [](std::vector<double> x, std::vector<double> y) -> std::string {
    try {
      Table(std::move(x), std::move(y));
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint({0}, {1}), "table: found 1 points, expected at least 2");
  EXPECT_EQ(complaint({0, 1}, {1}),
            "table: found 2 values of x and 1 of y, expected equal numbers");
  EXPECT_EQ(complaint({0, 1, 0.5}, {1, 2, 3}),
            "table: x must increase from point to point; found 0.5 after 1 (point 3)");
  EXPECT_EQ(complaint({0, 1}, {1, std::nan("")}),
            "table: point 2 is (1, nan), expected finite numbers");
}

}  // namespace
}  // namespace picus
