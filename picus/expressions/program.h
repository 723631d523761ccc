// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A formula as a list of instructions on numbered registers: first the inputs, then the constants,
// then one register per instruction. No register is written twice, so a forward pass leaves
// everything that the backward pass of reverse mode needs.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "picus/base/contract.h"
#include "picus/expressions/rules.h"
#include "picus/expressions/table.h"

namespace picus::formula {

enum class Operation : std::uint8_t { kAdd, kSubtract, kMultiply, kDivide, kNegate, kCall, kTable };

struct Instruction {
  Operation operation = Operation::kAdd;
  int a = 0;       ///< left operand; for a call the number of the rule, for a table its number
  int b = 0;       ///< right operand; for calls and tables where their operands begin in `operands`
  int active = 0;  ///< of a call or table: how many arguments are not constant
};

struct Program {
  int inputs = 0;
  std::vector<double> constants{0.0};
  std::vector<Instruction> code;
  /// For each call or table: the registers of its arguments, then which of them are not constant.
  std::vector<int> operands;
  std::vector<std::shared_ptr<const Table>> tables;
  int result = 0;    ///< register of the value
  int switches = 0;  ///< numbers that switch_values gives

  std::size_t registers() const {
    return static_cast<std::size_t>(inputs) + constants.size() + code.size();
  }
};

/// Stack memory of an evaluation [bytes]; larger programs use memory kept by the thread.
inline constexpr std::size_t kStackBytes = 4096;

/// Calls work(memory) with uninitialised room for `count` scalars. Not for use inside itself.
template <class T, class Work>
auto with_memory(std::size_t count, const Work& work) {
  static_assert(std::is_trivially_destructible_v<T>);
  constexpr std::size_t kRoom = std::max<std::size_t>(8, kStackBytes / sizeof(T));
  if (count <= kRoom) {
    alignas(T) std::array<std::byte, kRoom * sizeof(T)> room;  // NOLINT: filled by the work
    return work(reinterpret_cast<T*>(room.data()));
  }
  thread_local std::vector<T> kept;
  if (kept.size() < count) kept.resize(count);
  return work(kept.data());
}

/// What a call or a table gives, from the registers before it.
template <class T>
T apply(const Program& program, const Instruction& i, const T* registers) {
  const auto number = static_cast<std::size_t>(i.a);
  const int* const operands = program.operands.data() + i.b;
  if (i.operation == Operation::kCall) return kCalls<T>[number]({registers, operands});
  return program.tables[number]->evaluate(registers[*operands]);
}

/// Fills all registers; `apply(instruction)` gives the values of calls and tables. `registers` is
/// raw memory for program.registers() scalars.
template <class T, class Apply>
void run(const Program& program, std::span<const T> inputs, T* registers, const Apply& apply) {
  expects(inputs.size() == static_cast<std::size_t>(program.inputs),
          "one number for each input of the formula");
  T* next = registers;
  for (const T& input : inputs)
    std::construct_at(next++, input);
  for (const double constant : program.constants)
    std::construct_at(next++, constant);
  const T* const r = registers;
  for (const Instruction& i : program.code) {
    switch (i.operation) {
      case Operation::kAdd:
        std::construct_at(next, r[i.a] + r[i.b]);
        break;
      case Operation::kSubtract:
        std::construct_at(next, r[i.a] - r[i.b]);
        break;
      case Operation::kMultiply:
        std::construct_at(next, r[i.a] * r[i.b]);
        break;
      case Operation::kDivide:
        std::construct_at(next, r[i.a] / r[i.b]);
        break;
      case Operation::kNegate:
        std::construct_at(next, -r[i.a]);
        break;
      case Operation::kCall:
      case Operation::kTable:
        std::construct_at(next, apply(i));
        break;
    }
    ++next;
  }
}

template <class T>
void run(const Program& program, std::span<const T> inputs, T* registers) {
  run(program, inputs, registers,
      [&](const Instruction& i) { return apply<T>(program, i, registers); });
}

/// The value of a program in any scalar.
template <class T>
T evaluate(const Program& program, std::span<const T> inputs) {
  return with_memory<T>(program.registers(), [&](T* registers) {
    run(program, inputs, registers);
    return registers[program.result];
  });
}

/// Value and gradient by reverse mode: one pass forwards, one backwards.
double with_gradient(const Program& program, std::span<const double> inputs,
                     std::span<double> gradient);

void switch_values(const Program& program, std::span<const double> inputs,
                   std::span<double> values);

}  // namespace picus::formula
