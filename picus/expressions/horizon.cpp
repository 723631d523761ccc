// SPDX-License-Identifier: BSD-3-Clause
#include "picus/expressions/horizon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace picus {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

// What is characteristic for a function of one argument: where it has its shape, and the part of it
// that one may go at once.
struct Shape {
  int rule;
  double low, high, part;
  bool is_periodic;
};

constexpr std::array kShapes{
    Shape{formula::rule_number("sin"), -kForever, kForever, 0.5 * std::numbers::pi, true},
    Shape{formula::rule_number("cos"), -kForever, kForever, 0.5 * std::numbers::pi, true},
    Shape{formula::rule_number("tan"), -kForever, kForever, 0.25 * std::numbers::pi, true},
    Shape{formula::rule_number("exp"), -36.0, kForever, 1.0, false},
    Shape{formula::rule_number("sinh"), -kForever, kForever, 1.0, false},
    Shape{formula::rule_number("cosh"), -kForever, kForever, 1.0, false},
    Shape{formula::rule_number("tanh"), -18.0, 18.0, 1.0, false},
    Shape{formula::rule_number("atan"), -20.0, 20.0, 1.0, false},
    Shape{formula::rule_number("floor"), -kForever, kForever, 0.47, true},
    Shape{formula::rule_number("ceil"), -kForever, kForever, 0.47, true},
    Shape{formula::rule_number("round"), -kForever, kForever, 0.47, true},
};
// No round numbers: steps should not end right at the next edge, but for rounding.
constexpr double kPartOfPeriod = 0.23;  // square, mod
constexpr double kPartOfRise = 0.23;    // step, step5, ramp, pulse
constexpr double kPartOfTable = 0.93;   // of the way to the point after the next
constexpr double kPartOfDivisor = 0.5;
constexpr double kPartOfWindow = 0.23;  // in which an argument is beyond a level
constexpr double kPartOfTime = 0.25;    // over which a parabola gives the length of a window
constexpr double kTrust = 0.7;          // in a parabola that tells when an argument arrives

int shape_of(int rule) {
  for (std::size_t i = 0; i < kShapes.size(); ++i)
    if (kShapes[i].rule == rule) return static_cast<int>(i);
  return -1;
}

bool is_one_of(int rule, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [rule](std::string_view name) { return formula::rule_number(name) == rule; });
}

double value_of(const Moving& x) {
  return x.value.value;
}
double rate_of(const Moving& x) {
  return x.value.d(0);
}
double second_of(const Moving& x) {
  return x.d(0).d(0);
}

// The least h with |ẋ| h + |ẍ| h²/2 = amount.
double time_to_change(const Moving& x, double amount) {
  const double rate = std::abs(rate_of(x)), second = std::abs(second_of(x));
  if (!(rate > 0.0 || second > 0.0) || !(amount > 0.0)) return kForever;
  return 2.0 * amount / (rate + std::sqrt(rate * rate + 2.0 * second * amount));
}

// The first time at which x + ẋ h + ẍ h²/2 reaches a level, above or below.
double time_to_reach(const Moving& x, double level) {
  const double side = value_of(x) < level ? 1.0 : -1.0;
  const double distance = side * (level - value_of(x));
  const double rate = side * rate_of(x), second = side * second_of(x);
  if (second == 0.0) return rate > 0.0 ? distance / rate : kForever;
  const double square = rate * rate + 2.0 * second * distance;
  if (square < 0.0) return kForever;
  const double root = std::sqrt(square);
  if (rate > 0.0) return kTrust * 2.0 * distance / (rate + root);
  return second > 0.0 ? kTrust * (root - rate) / second : kForever;
}

double within(const Moving& x, double low, double high, double part) {
  if (value_of(x) >= low && value_of(x) <= high) return time_to_change(x, part);
  const double arrival = time_to_reach(x, value_of(x) < low ? low : high);
  return arrival < kForever ? arrival + time_to_change(x, part) : kForever;
}

// Into the time that x spends beyond a level, by its parabola, and by a part of that: a peak above
// max(0, x) may be shorter than all that is characteristic for x. Of one that does not come back
// the end of a step tells.
// `time` is how long x and the level can be predicted: so long parabolas serve, and no longer.
double within_window(const Moving& x, const Moving& level, double time) {
  const double side = value_of(x) < value_of(level) ? -1.0 : 1.0;
  const double distance = side * (value_of(x) - value_of(level));
  const double rate = side * (rate_of(x) - rate_of(level));
  const double second = side * (second_of(x) - second_of(level));
  const double square = rate * rate - 2.0 * second * distance;
  if (second == 0.0 || !(square > 0.0)) return kForever;
  const double width = 2.0 * std::sqrt(square) / std::abs(second);
  if (second < 0.0) return kPartOfWindow * width;  // on this side it is as short
  if (rate >= 0.0) return kForever;
  const double arrival = 2.0 * distance / (std::sqrt(square) - rate);
  return kTrust * arrival + kPartOfWindow * std::min(width, kPartOfTime * time);
}

// Of the first operand, which the others are compared with; paces are 1/T² of registers.
double within_levels(const int* operands, int levels, const Moving* registers,
                     const double* paces) {
  double shortest = kForever;
  for (int k = 1; k <= levels; ++k) {
    const double time = 1.0 / std::sqrt(std::max(paces[operands[0]], paces[operands[k]]));
    shortest =
        std::min(shortest, within_window(registers[operands[0]], registers[operands[k]], time));
  }
  return shortest;
}

// To the end of the next stretch between points.
double along_table(const Moving& x, std::span<const double> points) {
  const double at = value_of(x);
  const auto last = points.size() - 1;
  if (at < points.front() || at > points.back()) {
    const bool is_before = at < points.front();
    const double arrival = time_to_reach(x, is_before ? points.front() : points.back());
    const double stretch = is_before ? points[1] - points[0] : points[last] - points[last - 1];
    return arrival < kForever ? arrival + time_to_change(x, kPartOfTable * stretch) : kForever;
  }
  const bool rises = rate_of(x) > 0.0 || (rate_of(x) == 0.0 && second_of(x) > 0.0);
  const auto next = static_cast<std::size_t>(std::upper_bound(points.begin(), points.end(), at) -
                                             points.begin());  // the first point behind
  const double target = rises ? points[std::min(last, next + 1)] : points[next > 2 ? next - 2 : 0];
  return time_to_change(x, kPartOfTable * std::max(std::abs(target - at), points[1] - points[0]));
}

// Where the value of a register comes from.
struct Origin {
  bool varies = false;  // from something that moves by itself,
  bool is_pure = true;  // and from nothing but that and constants
};

bool is_call(const formula::Instruction& i) {
  return i.operation == formula::Operation::kCall || i.operation == formula::Operation::kTable;
}

// Calls f with the registers that an instruction reads.
template <typename F>
void for_each_operand(const formula::Program& program, const formula::Instruction& i, F&& f) {
  using formula::Operation;
  if (!is_call(i)) {
    f(i.a);
    if (i.operation != Operation::kNegate) f(i.b);
    return;
  }
  const int arity =
      i.operation == Operation::kTable ? 1 : formula::kEntries[static_cast<std::size_t>(i.a)].arity;
  for (int k = 0; k < arity; ++k)
    f(program.operands[static_cast<std::size_t>(i.b + k)]);
}

bool is_power(int rule) {
  return is_one_of(rule, {"pow", "^"});
}

// Whether it takes one side or the other as its first two arguments do.
bool compares(const formula::Instruction& i) {
  return i.operation == formula::Operation::kCall &&
         is_one_of(i.a, {"min", "max", "<", "<=", ">", ">="});
}

// The register on which features depend: the first argument of a call, or the right operand.
int argument_of(const formula::Program& program, const formula::Instruction& i) {
  return is_call(i) ? program.operands[static_cast<std::size_t>(i.b)] : i.b;
}

}  // namespace

Moving moving(double value, double rate, double second) {
  Dual<1> inner(value);
  inner.grad[0] = rate;
  Dual<1> outer(rate);
  outer.grad[0] = second;
  Moving result(inner);
  result.grad[0] = outer;
  return result;
}

FormulaHorizon::FormulaHorizon(std::shared_ptr<const Expression> expression,
                               std::span<const bool> moves)
    : expression_(std::move(expression)) {
  const formula::Program& program = expression_->program();
  const auto inputs = static_cast<std::size_t>(program.inputs);
  std::vector<Origin> origins(program.registers());
  for (std::size_t i = 0; i < inputs; ++i)
    origins[i] = {.varies = moves[i], .is_pure = moves[i]};
  std::size_t r = inputs + program.constants.size();
  int place = -1;
  for (const formula::Instruction& i : program.code) {
    for_each_operand(program, i, [&](int operand) {
      const Origin& from = origins[static_cast<std::size_t>(operand)];
      origins[r].varies = origins[r].varies || from.varies;
      origins[r].is_pure = origins[r].is_pure && from.is_pure;
    });
    ++r;
    ++place;
    if (i.operation == formula::Operation::kNegate) continue;
    const Origin& argument = origins[static_cast<std::size_t>(argument_of(program, i))];
    // of two that are compared either may move
    const Origin& origin = compares(i) ? origins[r - 1] : argument;
    if (origin.varies) add_feature(place, i, origin.is_pure);
  }
}

// Of an argument that others move too, only the phase of periodic functions is of interest.
void FormulaHorizon::add_feature(int place, const formula::Instruction& i, bool is_pure) {
  using formula::Operation;
  const auto add = [&](Kind kind, bool is_periodic, int number = 0) {
    if (!is_pure && !is_periodic) return;
    features_.push_back({kind, i.b, place, number});
    reads_others_ = reads_others_ || !is_pure;
  };
  if (i.operation == Operation::kDivide) add(Kind::kDivision, false);
  if (i.operation == Operation::kTable) add(Kind::kTable, false, i.a);
  if (i.operation != Operation::kCall) return;
  if (const int shape = shape_of(i.a); shape >= 0)
    add(Kind::kShape, kShapes[static_cast<std::size_t>(shape)].is_periodic, shape);
  if (is_one_of(i.a, {"mod", "square"})) add(Kind::kPeriod, true);
  if (is_one_of(i.a, {"step", "step5", "ramp"})) add(Kind::kRise, false);
  if (is_one_of(i.a, {"pulse"})) add(Kind::kPulse, false);
  if (is_power(i.a)) add(Kind::kPower, false);
  if (is_one_of(i.a, {"clamp", "deadband"})) add(Kind::kLevels, false);
  if (compares(i)) add(Kind::kLevel, false);
}

double FormulaHorizon::horizon_of(const Feature& feature, const Moving* registers) const {
  const formula::Program& program = expression_->program();
  const auto number = static_cast<std::size_t>(feature.number);
  if (feature.kind == Kind::kDivision) {
    const Moving& divisor = registers[feature.first];
    return time_to_change(divisor, kPartOfDivisor * std::abs(value_of(divisor)));
  }
  const auto operand = [&](int k) -> const Moving& {
    return registers[program.operands[static_cast<std::size_t>(feature.first + k)]];
  };
  const Moving& x = operand(0);
  const auto rise = [&](double from, double to) {
    return within(x, std::min(from, to), std::max(from, to), kPartOfRise * std::abs(to - from));
  };
  switch (feature.kind) {
    case Kind::kShape:
      return within(x, kShapes[number].low, kShapes[number].high, kShapes[number].part);
    case Kind::kPeriod:
      return time_to_change(x, kPartOfPeriod * std::abs(value_of(operand(1))));
    case Kind::kRise:
      return rise(value_of(operand(1)), value_of(operand(3)));
    case Kind::kPulse:
      return rise(value_of(operand(1)), value_of(operand(2)));
    case Kind::kPower:
      if (value_of(operand(1)) >= 0.0) return kForever;
      return time_to_change(x, kPartOfDivisor * std::abs(value_of(x)));
    case Kind::kTable:
      return along_table(x, program.tables[number]->x());
    case Kind::kDivision:
    case Kind::kLevel:
    case Kind::kLevels:
      break;  // elsewhere
  }
  return kForever;
}

// What the factors of an instruction make of it, squared: those of a product add up.
double FormulaHorizon::combined_pace(const formula::Instruction& i, const Moving* registers,
                                     const double* paces) const {
  using formula::Operation;
  const formula::Program& program = expression_->program();
  if (i.operation == Operation::kMultiply || i.operation == Operation::kDivide)
    return paces[i.a] + paces[i.b];
  double fastest = 0.0;
  for_each_operand(program, i, [&](int operand) { fastest = std::max(fastest, paces[operand]); });
  if (i.operation != Operation::kCall || !is_power(i.a)) return fastest;
  const int exponent = program.operands[static_cast<std::size_t>(i.b + 1)];
  return fastest * std::max(1.0, std::abs(value_of(registers[exponent])));
}

double FormulaHorizon::operator()(std::span<const Moving> inputs,
                                  std::span<const double> times) const {
  const formula::Program& program = expression_->program();
  const auto square = [](double time) { return time > 0.0 ? 1.0 / (time * time) : 0.0; };
  const auto find = [&](const Moving* registers, double* paces) {
    const std::size_t known = inputs.size() + program.constants.size();
    std::fill_n(paces, known, 0.0);
    for (std::size_t i = 0; i < times.size(); ++i)
      paces[i] = square(times[i]);
    const auto time_of = [&](const Feature& feature) {
      const int* const operands = program.operands.data() + feature.first;
      if (feature.kind == Kind::kLevel) return within_levels(operands, 1, registers, paces);
      if (feature.kind == Kind::kLevels) return within_levels(operands, 2, registers, paces);
      return horizon_of(feature, registers);
    };
    auto feature = features_.begin();
    for (std::size_t i = 0; i < program.code.size(); ++i) {
      double pace = combined_pace(program.code[i], registers, paces);
      for (; feature != features_.end() && feature->instruction == static_cast<int>(i); ++feature)
        pace = std::max(pace, square(time_of(*feature)));  // NaN limits nothing
      paces[known + i] = pace;
    }
    const double fastest = paces[program.result];
    return fastest > 0.0 ? 1.0 / std::sqrt(fastest) : kForever;
  };
  return formula::with_memory<Moving>(program.registers(), [&](Moving* registers) {
    formula::run(program, inputs, registers);
    return formula::with_memory<double>(program.registers(),
                                        [&](double* paces) { return find(registers, paces); });
  });
}

}  // namespace picus
