// SPDX-License-Identifier: BSD-3-Clause
#include "picus/expressions/program.h"

namespace picus::formula {
namespace {

/// The value of a rule, and into `partials` its derivatives by the arguments at `positions`.
using PartialCall = double (*)(const Operands<double>& x, const int* positions, double* partials);

// Constant arguments are not differentiated by: a stop of seven arguments usually has two others.
template <class Rule, int kActive>
double call_with_partials(const Operands<double>& x, const int* positions, double* partials) {
  constexpr int kArity = Rule::kEntry.arity;
  std::array<Dual<kActive>, kArity> seeds;
  for (int i = 0; i < kArity; ++i)
    seeds[static_cast<std::size_t>(i)].value = x[i];
  for (std::size_t k = 0; k < kActive; ++k)
    seeds[static_cast<std::size_t>(positions[k])].grad[k] = 1.0;
  const Dual<kActive> y = Rule::value(seeds);
  for (std::size_t k = 0; k < kActive; ++k)
    partials[k] = y.grad[k];
  return y.value;
}

/// Calls of one rule by the number of active arguments.
constexpr std::size_t kMostArguments = 8;
using PartialCalls = std::array<PartialCall, kMostArguments + 1>;

template <class Rule, int... kBefore>
constexpr PartialCalls partial_calls_of(std::integer_sequence<int, kBefore...>) {
  return {nullptr, &call_with_partials<Rule, kBefore + 1>...};
}

template <class... Rules>
constexpr std::array<PartialCalls, sizeof...(Rules)> partial_calls_of(RuleList<Rules...>) {
  return {partial_calls_of<Rules>(std::make_integer_sequence<int, Rules::kEntry.arity>{})...};
}
constexpr auto kPartialCalls = partial_calls_of(AllRules{});

using SwitchCall = void (*)(const Operands<double>& x, double* out);

template <class Rule>
void call_switches(const Operands<double>& x, double* out) {
  if constexpr (Rule::kEntry.switches > 0) Rule::switches(x, out);
}

template <class... Rules>
constexpr std::array<SwitchCall, sizeof...(Rules)> switch_calls_of(RuleList<Rules...>) {
  return {&call_switches<Rules>...};
}
constexpr auto kSwitchCalls = switch_calls_of(AllRules{});

/// Memory of reverse mode: values and adjoints by register, partials by operand.
struct Tape {
  double* values;
  double* adjoints;
  double* partials;
};

void run_forwards(const Program& program, std::span<const double> inputs, const Tape& tape) {
  run(program, inputs, tape.values, [&](const Instruction& i) {
    const auto number = static_cast<std::size_t>(i.a);
    const int* const operands = program.operands.data() + i.b;
    double* const partials = tape.partials + i.b;
    if (i.operation == Operation::kCall)
      return kPartialCalls[number][static_cast<std::size_t>(i.active)](
          {tape.values, operands}, operands + kEntries[number].arity, partials);
    const Table& table = *program.tables[number];
    *partials = table.derivative(tape.values[*operands], 1);
    return table(tape.values[*operands]);
  });
}

/// Passes the adjoint of one instruction on to its operands.
void pass_on(const Program& program, const Instruction& i, double value, double adjoint,
             const Tape& tape) {
  double* const d = tape.adjoints;
  switch (i.operation) {
    case Operation::kAdd:
      d[i.a] += adjoint;
      d[i.b] += adjoint;
      break;
    case Operation::kSubtract:
      d[i.a] += adjoint;
      d[i.b] -= adjoint;
      break;
    case Operation::kMultiply:
      d[i.a] += adjoint * tape.values[i.b];
      d[i.b] += adjoint * tape.values[i.a];
      break;
    case Operation::kDivide:
      d[i.a] += adjoint / tape.values[i.b];
      d[i.b] -= adjoint * value / tape.values[i.b];
      break;
    case Operation::kNegate:
      d[i.a] -= adjoint;
      break;
    case Operation::kCall:
    case Operation::kTable: {
      const int* const operands = program.operands.data() + i.b;
      const int arity =
          i.operation == Operation::kTable ? 1 : kEntries[static_cast<std::size_t>(i.a)].arity;
      for (int k = 0; k < i.active; ++k)
        d[operands[operands[arity + k]]] += adjoint * tape.partials[i.b + k];
      break;
    }
  }
}

void run_backwards(const Program& program, const Tape& tape) {
  std::fill_n(tape.adjoints, program.registers(), 0.0);
  tape.adjoints[program.result] = 1.0;
  const std::size_t first = program.registers() - program.code.size();
  for (std::size_t k = program.code.size(); k-- > 0;) {
    // nothing depends on a branch not taken: what its partials are (NaN even) must not matter
    const double adjoint = tape.adjoints[first + k];
    if (adjoint != 0.0) pass_on(program, program.code[k], tape.values[first + k], adjoint, tape);
  }
}

}  // namespace

double with_gradient(const Program& program, std::span<const double> inputs,
                     std::span<double> gradient) {
  expects(
      inputs.size() == static_cast<std::size_t>(program.inputs) && gradient.size() == inputs.size(),
      "one number and one derivative for each input of the formula");
  const std::size_t n = program.registers();
  return with_memory<double>(2 * n + program.operands.size(), [&](double* memory) {
    const Tape tape{memory, memory + n, memory + 2 * n};
    run_forwards(program, inputs, tape);
    run_backwards(program, tape);
    std::copy_n(tape.adjoints, inputs.size(), gradient.begin());
    return tape.values[program.result];
  });
}

void switch_values(const Program& program, std::span<const double> inputs,
                   std::span<double> values) {
  expects(values.size() == static_cast<std::size_t>(program.switches),
          "one place for each switch of the formula");
  with_memory<double>(program.registers(), [&](double* registers) {
    run(program, inputs, registers);
    double* out = values.data();
    for (const Instruction& i : program.code) {
      const auto number = static_cast<std::size_t>(i.a);
      if (i.operation == Operation::kCall) {
        kSwitchCalls[number]({registers, program.operands.data() + i.b}, out);
        out += kEntries[number].switches;
      } else if (i.operation == Operation::kTable && program.tables[number]->has_switch()) {
        const int operand = program.operands[static_cast<std::size_t>(i.b)];
        *out++ = program.tables[number]->switch_value(registers[operand]);
      }
    }
  });
}

}  // namespace picus::formula

namespace picus {

std::span<const FunctionEntry> function_catalog() {
  static constexpr auto kCatalog = formula::entries_of(formula::Functions{});
  return kCatalog;
}

}  // namespace picus
