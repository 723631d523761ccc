// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "picus/expressions/program.h"

namespace picus::formula {

/// Builds a program bottom-up. What is constant is folded, what occurs twice is shared, what the
/// result does not need is left out at the end. Nodes are named by their numbers.
class ProgramBuilder {
 public:
  int constant(double value);
  int input();  ///< the next input of the program

  /// `column` is where the operation stands in the text.
  int operate(Operation operation, int a, int b, int column);
  int negate(int a, int column);
  int call(int rule, const std::vector<int>& arguments, int column);
  int call(std::string_view rule, const std::vector<int>& arguments, int column);
  int power(int base, int exponent, int column);
  int table(const std::shared_ptr<const Table>& table, int argument, int column);

  std::optional<double> constant_value(int node) const;

  /// A constant that the result needs although folding made it infinite or not a number.
  struct Flaw {
    int column;
    double value;
  };

  /// The program whose value is `result`, or what is wrong with it.
  std::optional<Flaw> find_flaw(int result) const;
  Program program(int result) const;

 private:
  enum class Kind { kConstant, kInput, kOperation };
  struct Node {
    Kind kind = Kind::kConstant;
    double value = 0.0;                     // of a constant
    int input = 0;                          // number of an input
    Operation operation = Operation::kAdd;  // with its rule or table
    int number = 0;
    std::vector<int> operands{};
    int column = -1;  // of a constant: where folding gave something not finite
  };
  using Key = std::tuple<Operation, int, std::vector<int>>;

  int add(Node node);
  int add_operation(Operation operation, int number, std::vector<int> operands, int column);
  std::optional<double> fold(const Node& node) const;
  std::vector<bool> needed_by(int result) const;
  int blame(const Node& node, int column) const;
  void emit(const Node& node, const std::vector<int>& registers, Program& program) const;

  std::vector<Node> nodes_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::map<std::uint64_t, int> constants_;
  std::map<Key, int> operations_;
  int inputs_ = 0;
};

}  // namespace picus::formula
