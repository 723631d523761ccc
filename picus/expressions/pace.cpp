// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "picus/expressions/expression.h"

namespace picus {
namespace {

using formula::Instruction;
using formula::Operation;
using Rated = Dual<1>;

// Functions that change once while their first argument grows by one.
constexpr std::array kOfArgument{formula::rule_number("sin"),  formula::rule_number("cos"),
                                 formula::rule_number("tan"),  formula::rule_number("sinh"),
                                 formula::rule_number("cosh"), formula::rule_number("tanh"),
                                 formula::rule_number("atan"), formula::rule_number("exp")};
// Functions that change between two of their arguments.
constexpr std::array kOfInterval{formula::rule_number("step"), formula::rule_number("step5"),
                                 formula::rule_number("ramp")};
constexpr int kPulse = formula::rule_number("pulse");
constexpr int kSquare = formula::rule_number("square");
constexpr int kMod = formula::rule_number("mod");

template <std::size_t N>
bool is_among(const std::array<int, N>& rules, int rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

// The mean distance of its points.
double mesh_of(const Table& table) {
  return (table.x().back() - table.x().front()) / static_cast<double>(table.x().size() - 1);
}

// By how much the argument must grow for one change; 0 where nothing tells.
double width_of(const formula::Program& program, const Instruction& i, const Rated* registers) {
  const int* const operands = program.operands.data() + i.b;
  const auto argument = [&](int n) { return registers[operands[n]].value; };
  if (i.operation == Operation::kTable)
    return mesh_of(*program.tables[static_cast<std::size_t>(i.a)]);
  if (is_among(kOfArgument, i.a)) return 1.0;
  if (is_among(kOfInterval, i.a)) return argument(3) - argument(1);
  if (i.a == kPulse) return argument(2) - argument(1);
  if (i.a == kSquare || i.a == kMod) return argument(1);
  return 0.0;
}

}  // namespace

double Expression::pace(std::span<const double> inputs, int by) const {
  std::vector<Rated> at(inputs.begin(), inputs.end());
  at[static_cast<std::size_t>(by)].grad[0] = 1.0;
  std::vector<Rated> registers(program_.registers());
  formula::run<Rated>(program_, at, registers.data());
  double fastest = 0.0;
  for (const Instruction& i : program_.code) {
    if (i.operation != Operation::kCall && i.operation != Operation::kTable) continue;
    const double rate =
        registers[static_cast<std::size_t>(program_.operands[static_cast<std::size_t>(i.b)])].d(0);
    const double pace = std::abs(rate / width_of(program_, i, registers.data()));
    if (std::isfinite(pace)) fastest = std::max(fastest, pace);
  }
  return fastest;
}

}  // namespace picus
