// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/expressions/expression.h"

namespace picus {
namespace {

constexpr std::array<std::string_view, 2> kMeasures{"distance", "angle"};

const FormulaTables& tables() {
  static const FormulaTables all{
      {"cam", std::make_shared<Table>(std::vector{0.0, 1.0, 2.0}, std::vector{0.0, 1.0, 4.0})},
      {"ramp", std::make_shared<Table>(std::vector{0.0, 1.0}, std::vector{0.0, 1.0})}};
  return all;
}

FormulaContext context() {
  return {.constant = [](std::string_view name) -> std::optional<double> {
            if (name == "k") return 50.0;
            if (name == "zero") return 0.0;
            if (name == "arm.length") return 0.25;
            if (name == "no_limit") return std::numeric_limits<double>::infinity();
            return std::nullopt;
          },
          .measures = kMeasures,
          .tables = &tables()};
}

Expression parse(std::string_view text) {
  return Expression::parse(text, context());
}

double value(std::string_view text) {
  return parse(text)({});
}

TEST(Formula, FollowsThePrecedenceTable) {
  const std::pair<const char*, double> cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"8 - 3 - 2", 3},
      {"16 / 4 / 2", 2},
      {"2 * 3 ^ 2", 18},
      {"2 ^ 3 ^ 2", 512},
      {"-2 ^ 2", -4},
      {"(-2) ^ 2", 4},
      {"2 ^ -1", 0.5},
      {"2 ^ -2 ^ 2", 1.0 / 16},
      {"-2 * -3", 6},
      {"2 - -3", 5},
      {"- - 3", 3},
      {"+3", 3},
      {"4 / 2 * 3", 6},
      {"1 < 2", 1},
      {"1 + 1 < 2", 0},
      {"2 <= 2", 1},
      {"3 > 2 and 1 > 2", 0},
      {"3 > 2 or 1 > 2 and 0 > 1", 1},
      {"not 1 > 2", 1},
      {"not 1 > 2 and 0 > 1", 0},
      {"not not 5", 1},
      {"1 == 1", 1},
      {"1 != 1", 0},
      {"(2 > 1) * 5", 5},
      {"1 + (not 0)", 2},
      {"1e-3", 1e-3},
      {"1.5E+2", 150},
      {".5 + 5.", 5.5},
      {"sin(pi / 6)", std::sin(std::numbers::pi / 6)},
      {"180 * deg", std::numbers::pi},
      {"true + false", 1},
      {"k * arm.length", 12.5},
      {"if(1 < 2, 3, 4)", 3},
      {"if(0, 3, 4)", 4},
      {"min(3, 1, 2)", 1},
      {"max(3, 1, 2, 7)", 7},
      {"hypot(1, 2, 2)", 3},
      {"pow(-2, 3)", -8},
      {"(-2) ^ 5", -32},
      {"(-2) ^ -3", -0.125},
      {"mod(-1, 3)", 2},
      {"mod(7, -3)", -2},
      {"round(-2.5)", -3},
      {"atan2(1, -1)", 0.75 * std::numbers::pi},
      {"\n1 +\t2\r\n", 3},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_DOUBLE_EQ(value(text), expected) << text;
    EXPECT_TRUE(parse(text).is_constant()) << text;
    EXPECT_EQ(parse(text).text(), text);
  }
}

TEST(Formula, NamesItsInputsOnceInOrder) {
  const Expression f = parse(
      "k*crank.angle + time*distance(crank.tip, ground) + 'left arm'.tip.x2 - crank.angle "
      "+ distance(ground, crank.tip) + distance( crank.tip,ground ) + angle('left arm')");
  const std::vector<FormulaInput> expected{{"crank.angle", {}, 2},
                                           {"time", {}, 16},
                                           {"distance", {"crank.tip", "ground"}, 21},
                                           {"left arm.tip.x2", {}, 51},
                                           {"distance", {"ground", "crank.tip"}, 0},
                                           {"angle", {"left arm"}, 0}};
  ASSERT_EQ(std::vector(f.inputs().begin(), f.inputs().end()), expected);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(f.inputs()[i].column, expected[i].column) << expected[i].name;
  EXPECT_LT((FormulaInput{"a", {}, 9}), (FormulaInput{"b", {}, 1}));
  EXPECT_DOUBLE_EQ(f(std::array{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}), 50 + 6 + 4 - 1 + 5 + 3 + 6);
}

TEST(Formula, WithoutInputsIsAConstant) {
  EXPECT_EQ(Expression()({}), 0.0);
  EXPECT_TRUE(Expression().is_constant());
  EXPECT_EQ(Expression::constant(2.5)({}), 2.5);
  EXPECT_EQ(Expression::constant(2.5).text(), "2.5");
  EXPECT_FALSE(parse("time").is_constant());
  EXPECT_FALSE(parse("0 * time").is_constant());
}

TEST(Formula, KnownConditionsTakeTheirBranchButKeepTheInputs) {
  const Expression f = parse("if(zero > 0, 1/zero + tiem, 3)");
  EXPECT_TRUE(f.is_constant());
  ASSERT_EQ(f.inputs().size(), 1u);
  EXPECT_EQ(f(std::array{1.0}), 3.0);
}

TEST(Formula, InfiniteParametersAreAllowed) {
  EXPECT_EQ(parse("clamp(x, -no_limit, no_limit)")(std::array{4.0}), 4.0);
}

TEST(Formula, BranchesNotTakenDoNotSpoilTheDerivative) {
  const Expression f = parse("if(x > 0, sqrt(x), 0) + if(x < 0, sqrt(-x), 2*x)");
  std::array<double, 1> slope{};
  EXPECT_EQ(f.with_gradient(std::array{4.0}, slope), 10.0);
  EXPECT_EQ(slope[0], 2.25);
  EXPECT_EQ(f.with_gradient(std::array{-4.0}, slope), 2.0);
  EXPECT_EQ(slope[0], -0.25);
}

TEST(Formula, SharesWhatOccursTwice) {
  const Expression once = parse("abs(x - 1)"), twice = parse("abs(x - 1) + abs(x - 1)");
  EXPECT_EQ(once.switches(), 1);
  EXPECT_EQ(twice.switches(), 1);
  EXPECT_EQ(twice(std::array{3.0}), 4.0);
}

struct Complaint {
  const char* text;
  int column;
  const char* problem;
};

TEST(Formula, ErrorsSayWhatAndWhere) {
  const Complaint complaints[] = {
      {"", 0, "the formula is empty"},
      {"  \t", 3, "the formula is empty"},
      {"1 +", 3, "expected a number, a name or '(', found the end"},
      {"1 + * 2", 4, "expected a number, a name or '(', found '*'"},
      {"(1 + 2", 0, "this '(' is never closed"},
      {"1 + 2)", 5, "found ')' without a matching '('"},
      {"(1 2)", 3, "expected an operator or ')', found '2'"},
      {"x y", 2, "expected an operator or the end, found 'y'"},
      {"1, 2", 1, "expected an operator or the end, found ','; write decimals with a point: 2.5"},
      {"2 kg", 2,
       "expected an operator or the end, found 'kg'; a number carries no unit: it is in SI "
       "units, or in those that 'units:' sets for the file; a product needs '*'"},
      {"30 deg", 3, "expected an operator or the end, found 'deg'; a product needs '*': 2*deg"},
      {"ln(2)", 0, "unknown function 'ln'; write log(x)"},
      {"()", 1, "expected a number, a name or '(', found ')'"},
      {"2x", 1, "found 'x' right after the number 2; write '*' to multiply"},
      {"1.2.3", 0, "found '1.2.' with a second decimal point, expected a number"},
      {"1 + 1e999", 4, "'1e999' is outside the range of numbers"},
      {"2 ** 3", 2, "unknown symbol '**'; write '^' for powers"},
      {"a && b", 2, "unknown symbol '&&'; write 'and'"},
      {"a || b", 2, "unknown symbol '||'; write 'or'"},
      {"!a", 0, "unknown symbol '!'; write 'not'"},
      {"a % b", 2, "unknown symbol '%'; write mod(x, period)"},
      {"a = b", 2, "unknown symbol '='; write '==' to compare"},
      {"a > 0 ? 1 : 2", 6, "unknown symbol '?'; write if(condition, a, b)"},
      {"a; b", 1, "unknown symbol ';'"},
      {"2 \xC2\xB7 x", 2,
       "unknown symbol '\xC2\xB7'; quote names that contain other than plain letters"},
      {"x\x01", 1, "found the control character 0x01"},
      {"0 < x < 1", 6, "comparisons cannot be chained; write for example 0 < x and x < 1"},
      {"1 + not x", 4, "put 'not ...' in parentheses here"},
      {"and 1", 0, "expected a number, a name or '(', found 'and'"},
      {"x or", 4, "expected a number, a name or '(', found the end"},
      {"arm.", 4, "expected a name after 'arm.'"},
      {"arm..x", 4, "expected a name after 'arm.'"},
      {"'left arm", 0, "this quote is never closed"},
      {"1 + ''", 4, "found an empty name in quotes"},
      {"'left.arm'", 0, "a name in quotes cannot contain '.'; quote the parts between the dots"},
      {"arm'tip'", 3, "found a quote right after 'arm'"},
      {"2 * stp(x)", 4, "unknown function 'stp'; did you mean 'step'?"},
      {"k * distanse(a, b)", 4, "unknown function 'distanse'; did you mean 'distance'?"},
      {"camm(x)", 0, "unknown function 'camm'; did you mean 'cam'?"},
      {"and(1, 2)", 0, "expected a number, a name or '(', found 'and'"},
      {"1 + step(x, 0, 1, 2)", 4, "step takes 5 arguments: step(x, x0, y0, x1, y1); found 4"},
      {"sin(1, 2)", 0, "sin takes 1 argument: sin(x); found 2"},
      {"sin()", 0, "sin takes 1 argument: sin(x); found 0"},
      {"min(1)", 0, "min takes 2 or more arguments: min(a, b, ...); found 1"},
      {"cam(1, 2)", 0, "table cam takes 1 argument: cam(x); found 2"},
      {"ramp(x, 0, 1, 2, 3)", 0, "the table 'ramp' has the name of a function; rename the table"},
      {"step(x, 2, 0, 1, 1)", 0,
       "step(x, x0, y0, x1, y1): argument 2 must not exceed argument 4; found 2 and 1"},
      {"clamp(x, k, 1)", 0,
       "clamp(x, lo, hi): argument 2 must not exceed argument 3; found 50 and 1"},
      {"sin + 1", 0, "'sin' is a function; write sin(x)"},
      {"distance + 1", 0, "'distance' is a measure; write distance(...) with the names it takes"},
      {"2 * cam", 4, "'cam' is a table; write cam(x)"},
      {"distance(2 * x, ground)", 9, "distance takes names, found '2'"},
      {"distance()", 9, "distance takes names, found ')'"},
      {"distance(a + b, c)", 11, "distance takes names: expected ',' or ')', found '+'"},
      {"distance(a, b", 8, "this '(' is never closed"},
      {"sin(1, 2", 3, "this '(' is never closed"},
      {"sin(1,)", 6, "expected a number, a name or '(', found ')'"},
      {"x + 1 / zero", 6, "this part is constant but infinite"},
      {"x * (log(-1) + 2)", 5, "this part is constant but not a number"},
      {"0 / 0", 2, "this part is constant but not a number"},
  };
  for (const Complaint& c : complaints) {
    try {
      parse(c.text);
      ADD_FAILURE() << "accepted: " << c.text;
    } catch (const FormulaError& error) {
      EXPECT_EQ(error.problem(), c.problem) << c.text;
      EXPECT_EQ(error.column(), c.column) << c.text;
    }
  }
}

TEST(Formula, ErrorsShowThePlace) {
  try {
    parse("k * stp(x)");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "unknown function 'stp'; did you mean 'step'?\n"
                 "  k * stp(x)\n"
                 "      ^");
  }
  const std::string far = "'\xC3\xA4' + " + std::string(100, '(') + "x @ y" + std::string(100, ' ');
  try {
    parse(far);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "unknown symbol '@'\n  ..." + std::string(48, '(') +
                                             "x @ y" + std::string(27, ' ') + "...\n  " +
                                             std::string(53, ' ') + "^");
  }
}

TEST(Formula, DeepNestingIsAnErrorNotACrash) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      parse(text);
    } catch (const FormulaError& error) {
      return error.problem();
    }
    return "none";
  };
  const std::string deep = "the formula is nested deeper than 200 levels";
  const int many = 100000;
  std::string powers = "x", calls, sums = "x";
  for (int i = 0; i < many; ++i) {
    powers += "^x";
    calls += "sin(";
    sums += "+x";
  }
  EXPECT_EQ(complaint(std::string(many, '(')), deep);
  EXPECT_EQ(complaint(std::string(many, '-') + "x"), deep);
  EXPECT_EQ(complaint(powers), deep);
  EXPECT_EQ(complaint(calls), deep);
  EXPECT_EQ(complaint(std::string(150, '(') + "x" + std::string(150, ')')), "none");
  EXPECT_EQ(parse(sums)(std::array{1.0}), many + 1.0);  // long is not deep
}

// A random formula as text with as few parentheses as possible, and its value found without the
// parser.
struct Random {
  std::mt19937 engine;
  std::array<double, 3> x{0.7, -1.3, 2.1};

  int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

  struct Text {
    std::string text;
    double value;
    int strength;  // 1 sum, 2 product, 3 sign, 4 power, 5 closed
  };
  static std::string wrapped(const Text& t, int least) {
    return t.strength < least ? "(" + t.text + ")" : t.text;
  }

  Text formula(int depth) {
    if (depth == 0) {
      const int i = below(6);
      if (i < 3) return {fmt::format("x{}", i), x[static_cast<std::size_t>(i)], 5};
      return {fmt::format("{}", 0.5 * i), 0.5 * i, 5};
    }
    const Text a = formula(depth - 1), b = formula(below(depth));
    switch (below(7)) {
      case 0:
        return {wrapped(a, 1) + "+" + wrapped(b, 2), a.value + b.value, 1};
      case 1:
        return {wrapped(a, 1) + " - " + wrapped(b, 2), a.value - b.value, 1};
      case 2:
        return {wrapped(a, 2) + "*" + wrapped(b, 3), a.value * b.value, 2};
      case 3:
        return {wrapped(a, 2) + " / " + wrapped(b, 3), a.value / b.value, 2};
      case 4:
        return {"-" + wrapped(a, 3), -a.value, 3};
      case 5:
        return {wrapped(a, 5) + "^" + wrapped(b, 3), std::pow(a.value, b.value), 4};
      default:
        return {"max(" + a.text + ", sin(" + b.text + "))", std::max(a.value, std::sin(b.value)),
                5};
    }
  }
};

TEST(Formula, AgreesWithAnIndependentEvaluation) {
  Random random{std::mt19937(20240501)};
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const Random::Text t = random.formula(1 + i % 6);
    if (!std::isfinite(t.value)) continue;
    Expression f;
    try {
      f = Expression::parse(t.text);
    } catch (const FormulaError&) {
      continue;  // a constant part was not finite
    }
    std::vector<double> inputs;
    for (const FormulaInput& input : f.inputs())
      inputs.push_back(random.x[static_cast<std::size_t>(input.name[1] - '0')]);
    // x^2 and x^3 are products: a few last digits, amplified by cancellation and large exponents
    const double found = f(inputs);
    if (std::isnan(found)) {
      ADD_FAILURE() << t.text;
      continue;
    }
    EXPECT_NEAR(found, t.value, 1e-9 * (1.0 + std::abs(t.value))) << t.text;
    ++compared;
  }
  EXPECT_GT(compared, 2000);
}

// Kinks, poles and branches at once: the inputs are numbers where functions have them.
TEST(Formula, GradientsAreFiniteWhereAllPartsAre) {
  const std::array<const char*, 24> functions{"sqrt({})",
                                              "cbrt({})",
                                              "abs({})",
                                              "log({})",
                                              "asin({})",
                                              "acos({})",
                                              "({})^0.5",
                                              "({})^1.5",
                                              "({})^-1",
                                              "({})^4",
                                              "exp({})",
                                              "({})^({})",
                                              "hypot({}, {})",
                                              "atan2({}, {})",
                                              "mod({}, {})",
                                              "min({}, {})",
                                              "({}) / ({})",
                                              "({}) - ({})",
                                              "({}) * ({})",
                                              "if({} > {}, 1, {})",
                                              "tan({})",
                                              "max({}, {})",
                                              "ramp({}, 0, {}, 1, 2)",
                                              "impact({}, {}, 1, 2, 1.5, 3, 0.1)"};
  const std::array<double, 4> special{0.0, 1.0, -1.0, 0.5};
  std::mt19937 engine(5);
  double x = 0.0, y = 0.0;
  std::vector<double> gradient;
  const auto value_at = [&](const std::string& text) {
    const Expression f = Expression::parse(text);
    std::vector<double> inputs;
    for (const FormulaInput& input : f.inputs())
      inputs.push_back(input.name == "x" ? x : y);
    gradient.assign(inputs.size(), 0.0);
    return f.with_gradient(inputs, gradient);
  };
  bool finite_parts = true;
  const auto formula = [&](auto&& self, unsigned long depth) -> std::string {
    if (depth == 0) return engine() % 2 == 0 ? "x" : "y";
    const std::string a = self(self, depth - 1), b = self(self, engine() % depth),
                      c = self(self, engine() % depth);
    const auto text = fmt::format(fmt::runtime(functions[engine() % functions.size()]), a, b, c);
    finite_parts = finite_parts && std::isfinite(value_at(text));
    return text;
  };
  int compared = 0;
  for (int i = 0; i < 10000; ++i) {
    x = special[engine() % special.size()];
    y = special[engine() % special.size()];
    finite_parts = true;
    const std::string text = formula(formula, 1 + engine() % 3);
    if (!finite_parts) continue;
    ++compared;
    value_at(text);
    for (const double slope : gradient)
      EXPECT_TRUE(std::isfinite(slope)) << text << " at " << x << ", " << y;
  }
  EXPECT_GT(compared, 4000);
}

TEST(Formula, AnyTextParsesOrIsRefused) {
  const std::array<std::string, 40> tokens{
      "1",  "2.5", "1e3",      ".5", "x",      "time", "arm.tip.x", "'a b'", "sin",      "step",
      "if", "(",   ")",        "(",  ")",      ",",    "+",         "-",     "*",        "/",
      "^",  "<",   "<=",       "==", "!=",     ">",    "and",       "or",    "not",      "k",
      "pi", "cam", "distance", "\"", "impact", "min",  "=",         ".",     "\xC3\xA4", " "};
  std::mt19937 engine(7);
  int parsed = 0;
  for (int i = 0; i < 40000; ++i) {
    std::string text;
    const auto length = 1 + engine() % 12;
    for (std::size_t j = 0; j < length; ++j) {
      const bool any_byte = i % 4 == 0;
      text += any_byte ? std::string(1, static_cast<char>(engine() % 256))
                       : tokens[engine() % tokens.size()] + (engine() % 2 == 0 ? " " : "");
    }
    try {
      const Expression f = parse(text);
      const std::vector<double> inputs(f.inputs().size(), 0.25);
      std::vector<double> gradient(inputs.size()), switches(static_cast<std::size_t>(f.switches()));
      const double plain = f(inputs), again = f.with_gradient(inputs, gradient);
      f.switch_values(inputs, switches);
      EXPECT_TRUE(plain == again || (std::isnan(plain) && std::isnan(again))) << text;
      ++parsed;
    } catch (const FormulaError& error) {
      EXPECT_LE(error.column(), static_cast<int>(text.size())) << text;
    }
  }
  EXPECT_GT(parsed, 1000);  // the loop also reaches the evaluation
}

}  // namespace
}  // namespace picus
