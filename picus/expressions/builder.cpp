// SPDX-License-Identifier: BSD-3-Clause
#include "picus/expressions/builder.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace picus::formula {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

int ProgramBuilder::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int ProgramBuilder::constant(double value) {
  const auto [place, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), 0);
  if (is_new) place->second = add({.value = value});
  return place->second;
}

int ProgramBuilder::input() {
  return add({.kind = Kind::kInput, .input = inputs_++});
}

int ProgramBuilder::operate(Operation operation, int a, int b, int column) {
  return add_operation(operation, 0, {a, b}, column);
}

int ProgramBuilder::negate(int a, int column) {
  return add_operation(Operation::kNegate, 0, {a}, column);
}

int ProgramBuilder::call(int rule, const std::vector<int>& arguments, int column) {
  return add_operation(Operation::kCall, rule, arguments, column);
}

int ProgramBuilder::call(std::string_view rule, const std::vector<int>& arguments, int column) {
  return call(rule_number(rule), arguments, column);
}

int ProgramBuilder::table(const std::shared_ptr<const Table>& table, int argument, int column) {
  auto found = std::find(tables_.begin(), tables_.end(), table);
  if (found == tables_.end()) found = tables_.insert(found, table);
  return add_operation(Operation::kTable, static_cast<int>(found - tables_.begin()), {argument},
                       column);
}

// Small whole exponents become products: faster, and as exact as the multiplication.
int ProgramBuilder::power(int base, int exponent, int column) {
  const auto p = constant_value(exponent);
  if (!p) return call("pow", {base, exponent}, column);
  if (*p == 1.0) return base;
  if (*p != 2.0 && *p != 3.0) return call("^", {base, exponent}, column);
  const int square = operate(Operation::kMultiply, base, base, column);
  return *p == 2.0 ? square : operate(Operation::kMultiply, square, base, column);
}

int ProgramBuilder::add_operation(Operation operation, int number, std::vector<int> operands,
                                  int column) {
  Node node{.kind = Kind::kOperation,
            .operation = operation,
            .number = number,
            .operands = std::move(operands)};
  if (const auto value = fold(node)) {
    if (std::isfinite(*value)) return constant(*value);
    return add({.value = *value, .column = blame(node, column)});
  }
  // a condition that is known takes its branch
  if (operation == Operation::kCall && number == rule_number("if")) {
    if (const auto condition = constant_value(node.operands[0]))
      return node.operands[*condition != 0.0 ? 1 : 2];
  }
  const auto [place, is_new] = operations_.try_emplace({operation, number, node.operands}, 0);
  if (is_new) place->second = add(std::move(node));
  return place->second;
}

std::optional<double> ProgramBuilder::constant_value(int node) const {
  const Node& n = nodes_[index(node)];
  return n.kind == Kind::kConstant ? std::optional(n.value) : std::nullopt;
}

/// The value of an operation on constants: a program of one instruction.
std::optional<double> ProgramBuilder::fold(const Node& node) const {
  Program program;
  program.constants.clear();
  std::vector<int> registers;
  for (const int operand : node.operands) {
    const auto value = constant_value(operand);
    if (!value) return std::nullopt;
    registers.push_back(static_cast<int>(program.constants.size()));
    program.constants.push_back(*value);
  }
  if (node.operation == Operation::kTable) program.tables = tables_;
  emit(node, registers, program);
  program.result = static_cast<int>(program.registers()) - 1;
  return evaluate<double>(program, {});
}

/// The column to blame when a folded value is not finite: where it first went wrong; none when the
/// caller's own constants are infinite.
int ProgramBuilder::blame(const Node& node, int column) const {
  for (const int operand : node.operands) {
    const Node& constant = nodes_[index(operand)];
    if (!std::isfinite(constant.value)) return constant.column;
  }
  return column;
}

void ProgramBuilder::emit(const Node& node, const std::vector<int>& registers,
                          Program& program) const {
  Instruction i{node.operation, node.number, static_cast<int>(program.operands.size()), 0};
  if (node.operation == Operation::kCall || node.operation == Operation::kTable) {
    program.operands.insert(program.operands.end(), registers.begin(), registers.end());
    const int constants_end = program.inputs + static_cast<int>(program.constants.size());
    for (std::size_t k = 0; k < registers.size(); ++k) {
      if (registers[k] >= program.inputs && registers[k] < constants_end) continue;
      program.operands.push_back(static_cast<int>(k));
      ++i.active;
    }
  } else {
    i.a = registers.front();
    i.b = registers.back();
  }
  if (node.operation == Operation::kCall) program.switches += kEntries[index(node.number)].switches;
  if (node.operation == Operation::kTable && tables_[index(node.number)]->has_switch())
    ++program.switches;
  program.code.push_back(i);
}

std::vector<bool> ProgramBuilder::needed_by(int result) const {
  std::vector<bool> needed(nodes_.size(), false);
  needed[index(result)] = true;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const int operand : nodes_[i].operands)
      needed[index(operand)] = true;
  }
  return needed;
}

std::optional<ProgramBuilder::Flaw> ProgramBuilder::find_flaw(int result) const {
  const std::vector<bool> needed = needed_by(result);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (needed[i] && nodes_[i].column >= 0) return Flaw{nodes_[i].column, nodes_[i].value};
  return std::nullopt;
}

Program ProgramBuilder::program(int result) const {
  const std::vector<bool> needed = needed_by(result);
  Program program;
  program.inputs = inputs_;
  program.constants.clear();
  program.tables = tables_;
  std::vector<int> register_of(nodes_.size(), 0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.kind == Kind::kInput) register_of[i] = node.input;
    if (node.kind != Kind::kConstant || !needed[i]) continue;
    register_of[i] = inputs_ + static_cast<int>(program.constants.size());
    program.constants.push_back(node.value);
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind != Kind::kOperation || !needed[i]) continue;
    register_of[i] = static_cast<int>(program.registers());
    std::vector<int> registers;
    for (const int operand : nodes_[i].operands)
      registers.push_back(register_of[index(operand)]);
    emit(nodes_[i], registers, program);
  }
  program.result = register_of[index(result)];
  return program;
}

}  // namespace picus::formula
