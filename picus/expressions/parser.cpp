// SPDX-License-Identifier: BSD-3-Clause
// Operator precedence parsing, straight into the program: no tree in between.
#include "picus/expressions/parser.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "picus/expressions/builder.h"
#include "picus/expressions/lexer.h"

namespace picus::formula {
namespace {

// Weakest first. A sign binds weaker than a power: -x^2 is -(x^2).
enum Precedence { kAny, kOr, kAnd, kNot, kCompare, kSum, kProduct, kPower };

struct Operator {
  std::string_view symbol;
  Precedence precedence;
};
constexpr std::array<Operator, 13> kBinary{{{"or", kOr},
                                            {"and", kAnd},
                                            {"<", kCompare},
                                            {"<=", kCompare},
                                            {">", kCompare},
                                            {">=", kCompare},
                                            {"==", kCompare},
                                            {"!=", kCompare},
                                            {"+", kSum},
                                            {"-", kSum},
                                            {"*", kProduct},
                                            {"/", kProduct},
                                            {"^", kPower}}};

struct Constant {
  std::string_view name;
  double value;
};
constexpr std::array<Constant, 4> kConstants{
    {{"pi", std::numbers::pi}, {"deg", std::numbers::pi / 180.0}, {"true", 1.0}, {"false", 0.0}}};

/// Functions by other names.
struct ForeignFunction {
  std::string_view name, ours;
};
constexpr std::array<ForeignFunction, 12> kForeignFunctions{{{"ln", "log(x)"},
                                                             {"log10", "log(x)/log(10)"},
                                                             {"arcsin", "asin(x)"},
                                                             {"arccos", "acos(x)"},
                                                             {"arctan", "atan(x)"},
                                                             {"arctan2", "atan2(y, x)"},
                                                             {"power", "x^y"},
                                                             {"fabs", "abs(x)"},
                                                             {"sgn", "sign(x)"},
                                                             {"signum", "sign(x)"},
                                                             {"heaviside", "if(x > 0, 1, 0)"},
                                                             {"ifelse", "if(condition, a, b)"}}};

class Parser {
 public:
  Parser(std::string_view text, const FormulaContext& context)
      : text_(text), context_(context), lexer_(text) {}

  Parsed parse() {
    advance();
    if (token_.kind == TokenKind::kEnd) refuse(token_, "the formula is empty");
    const Value value = expression(kAny);
    if (token_.is(")")) refuse(token_, "found ')' without a matching '('");
    if (token_.kind != TokenKind::kEnd)
      refuse(token_,
             fmt::format("expected an operator or the end, found {}{}", token_.shown(), habit()));
    if (const auto flaw = builder_.find_flaw(value.node))
      refuse(flaw->column, std::isnan(flaw->value) ? "this part is constant but not a number"
                                                   : "this part is constant but infinite");
    return {std::move(inputs_), builder_.program(value.node)};
  }

 private:
  /// A node, and whether it is 0 or 1 by its origin.
  struct Value {
    int node = 0;
    bool condition = false;
  };

  [[noreturn]] void refuse(int column, const std::string& problem) const {
    throw FormulaError(problem, text_, column);
  }
  [[noreturn]] void refuse(const Token& token, const std::string& problem) const {
    refuse(token.column, problem);
  }

  void advance() {
    follows_number_ = token_.kind == TokenKind::kNumber;
    token_ = lexer_.next();
  }

  /// What may be meant by the present token, which cannot stand there.
  std::string habit() const {
    if (!follows_number_) return {};
    if (token_.is(",")) return "; write decimals with a point: 2.5";
    if (token_.kind != TokenKind::kName) return {};
    if (is_constant(token_.text)) return fmt::format("; a product needs '*': 2*{}", token_.text);
    return "; a number carries no unit: it is in SI units, or in those that 'units:' sets for the "
           "file; a product needs '*'";
  }

  Token take() {
    Token token = std::move(token_);
    advance();
    return token;
  }

  bool is_word(std::string_view word) const {
    return token_.kind == TokenKind::kName && !token_.quoted && token_.text == word;
  }

  const Operator* binary_operator() const {
    for (const Operator& candidate : kBinary)
      if (token_.is(candidate.symbol) || is_word(candidate.symbol)) return &candidate;
    return nullptr;
  }

  /// Everything that binds at least as strongly as `least`.
  Value expression(Precedence least) {
    if (++depth_ > kDeepest)
      refuse(token_, fmt::format("the formula is nested deeper than {} levels", kDeepest));
    Value left = prefix(least);
    for (const Operator* op = binary_operator(); op != nullptr && op->precedence >= least;
         op = binary_operator()) {
      const Token sign = take();
      // powers group from the right, everything else from the left
      const Value right = expression(
          op->precedence == kPower ? kPower : static_cast<Precedence>(op->precedence + 1));
      if (op->precedence == kCompare) check_single_comparison();
      left = combine(*op, left, right, sign.column);
    }
    --depth_;
    return left;
  }

  void check_single_comparison() const {
    const Operator* next = binary_operator();
    if (next != nullptr && next->precedence == kCompare)
      refuse(token_, "comparisons cannot be chained; write for example 0 < x and x < 1");
  }

  Value combine(const Operator& op, Value left, Value right, int column) {
    if (op.precedence == kOr || op.precedence == kAnd)
      return {builder_.call(op.symbol, {truth(left, column), truth(right, column)}, column), true};
    if (op.precedence == kCompare)
      return {builder_.call(op.symbol, {left.node, right.node}, column), true};
    if (op.precedence == kPower) return {builder_.power(left.node, right.node, column)};
    const Operation operation = op.symbol == "+"   ? Operation::kAdd
                                : op.symbol == "-" ? Operation::kSubtract
                                : op.symbol == "*" ? Operation::kMultiply
                                                   : Operation::kDivide;
    return {builder_.operate(operation, left.node, right.node, column)};
  }

  /// A number stands for a condition when it is not zero; where it becomes zero is a switch.
  int truth(Value value, int column) {
    if (value.condition) return value.node;
    return builder_.call("!=", {value.node, builder_.constant(0.0)}, column);
  }

  Value prefix(Precedence least) {
    if (token_.is("-") || token_.is("+")) {
      const Token sign = take();
      const Value operand = expression(kPower);
      return {sign.text == "-" ? builder_.negate(operand.node, sign.column) : operand.node};
    }
    if (is_word("not")) {
      const Token word = take();
      if (least > kNot) refuse(word, "put 'not ...' in parentheses here");
      const Value operand = expression(kNot);
      return {builder_.call("not", {truth(operand, word.column)}, word.column), true};
    }
    return primary();
  }

  Value primary() {
    if (token_.kind == TokenKind::kNumber) return {builder_.constant(take().number)};
    if (token_.is("(")) return parenthesis();
    if (token_.kind != TokenKind::kName || binary_operator() != nullptr)
      refuse(token_, fmt::format("expected a number, a name or '(', found {}", token_.shown()));
    const Token name = take();
    if (token_.is("(")) return call(name);
    return {plain_name(name)};
  }

  Value parenthesis() {
    const Token open = take();
    const Value inside = expression(kAny);
    close(open);
    return inside;
  }

  void close(const Token& open) {
    if (token_.kind == TokenKind::kEnd) refuse(open, "this '(' is never closed");
    if (!token_.is(")"))
      refuse(token_,
             fmt::format("expected an operator or ')', found {}{}", token_.shown(), habit()));
    advance();
  }

  static bool is_constant(std::string_view name) {
    return std::any_of(kConstants.begin(), kConstants.end(),
                       [&](const Constant& constant) { return constant.name == name; });
  }

  int plain_name(const Token& name) {
    if (context_.constant) {
      if (const auto value = context_.constant(name.text)) return builder_.constant(*value);
    }
    if (name.quoted) return input({name.text, {}, name.column});
    for (const Constant& constant : kConstants)
      if (name.text == constant.name) return builder_.constant(constant.value);
    if (is_measure(name.text))
      refuse(name,
             fmt::format("'{0}' is a measure; write {0}(...) with the names it takes", name.text));
    if (const int rule = function(name.text); rule >= 0)
      refuse(name, fmt::format("'{}' is a function; write {}", name.text,
                               kEntries[static_cast<std::size_t>(rule)].signature));
    if (find_table(name.text) != nullptr)
      refuse(name, fmt::format("'{0}' is a table; write {0}(x)", name.text));
    return input({name.text, {}, name.column});
  }

  int input(FormulaInput wanted) {
    const auto found = std::find(inputs_.begin(), inputs_.end(), wanted);
    if (found != inputs_.end())
      return input_nodes_[static_cast<std::size_t>(found - inputs_.begin())];
    inputs_.push_back(std::move(wanted));
    input_nodes_.push_back(builder_.input());
    return input_nodes_.back();
  }

  bool is_measure(std::string_view name) const {
    return std::find(context_.measures.begin(), context_.measures.end(), name) !=
           context_.measures.end();
  }

  static int function(std::string_view name) {
    const int rule = rule_number(name);
    return rule < static_cast<int>(function_catalog().size()) ? rule : -1;
  }

  const std::shared_ptr<const Table>* find_table(std::string_view name) const {
    if (context_.tables == nullptr) return nullptr;
    const auto found = context_.tables->find(name);
    return found == context_.tables->end() ? nullptr : &found->second;
  }

  Value call(const Token& name) {
    if (is_measure(name.text)) return {measure(name)};
    const int rule = function(name.text);
    const auto* table = find_table(name.text);
    if (rule < 0 && table == nullptr) refuse(name, unknown_function(name.text));
    if (rule >= 0 && table != nullptr)
      refuse(name,
             fmt::format("the table '{}' has the name of a function; rename the table", name.text));
    const std::vector<Value> values = arguments();
    if (table != nullptr) {
      if (values.size() != 1)
        refuse(name, fmt::format("table {0} takes 1 argument: {0}(x); found {1}", name.text,
                                 values.size()));
      return {builder_.table(*table, values[0].node, name.column)};
    }
    return {call_function(name, rule, values)};
  }

  std::string unknown_function(std::string_view name) const {
    std::vector<std::string_view> names(context_.measures.begin(), context_.measures.end());
    for (const FunctionEntry& entry : function_catalog())
      names.push_back(entry.name);
    if (context_.tables != nullptr)
      for (const auto& [table, points] : *context_.tables)
        names.push_back(table);
    for (const ForeignFunction& foreign : kForeignFunctions)
      if (foreign.name == name)
        return fmt::format("unknown function '{}'; write {}", name, foreign.ours);
    return unknown_name("function", name, names);
  }

  /// From '(' to ')'.
  std::vector<Value> arguments() {
    const Token open = take();
    std::vector<Value> values;
    if (token_.is(")")) {
      advance();
      return values;
    }
    values.push_back(expression(kAny));
    while (token_.is(",")) {
      advance();
      values.push_back(expression(kAny));
    }
    close(open);
    return values;
  }

  int call_function(const Token& name, int rule, const std::vector<Value>& values) {
    const FunctionEntry& entry = kEntries[static_cast<std::size_t>(rule)];
    check_arity(name, entry, static_cast<int>(values.size()));
    std::vector<int> nodes;
    nodes.reserve(values.size());
    for (const Value& value : values)
      nodes.push_back(value.node);
    check_order(name, entry, nodes);
    if (entry.name == "if") nodes[0] = truth(values[0], name.column);
    if (entry.name == "pow") return builder_.power(nodes[0], nodes[1], name.column);
    if (!entry.variadic) return builder_.call(rule, nodes, name.column);
    int result = nodes[0];  // min(a, b, c) is min(min(a, b), c)
    for (std::size_t i = 1; i < nodes.size(); ++i)
      result = builder_.call(rule, {result, nodes[i]}, name.column);
    return result;
  }

  void check_arity(const Token& name, const FunctionEntry& entry, int found) const {
    if (found == entry.arity || (entry.variadic && found > entry.arity)) return;
    refuse(name,
           fmt::format("{} takes {}{} argument{}: {}; found {}", entry.name, entry.arity,
                       entry.variadic ? " or more" : "",
                       entry.arity == 1 && !entry.variadic ? "" : "s", entry.signature, found));
  }

  void check_order(const Token& name, const FunctionEntry& entry,
                   const std::vector<int>& nodes) const {
    if (entry.ordered[0] < 0) return;
    const auto below = builder_.constant_value(nodes[static_cast<std::size_t>(entry.ordered[0])]);
    const auto above = builder_.constant_value(nodes[static_cast<std::size_t>(entry.ordered[1])]);
    if (below && above && *below > *above)
      refuse(name, fmt::format("{}: argument {} must not exceed argument {}; found {} and {}",
                               entry.signature, entry.ordered[0] + 1, entry.ordered[1] + 1, *below,
                               *above));
  }

  /// A function of names, such as distance(crank.tip, ground).
  int measure(const Token& name) {
    const Token open = take();
    FormulaInput wanted{name.text, {}, name.column};
    do {
      if (!wanted.arguments.empty()) advance();  // the comma
      if (token_.kind != TokenKind::kName)
        refuse(token_, fmt::format("{} takes names, found {}", name.text, token_.shown()));
      wanted.arguments.push_back(take().text);
    } while (token_.is(","));
    if (token_.kind == TokenKind::kEnd) refuse(open, "this '(' is never closed");
    if (!token_.is(")"))
      refuse(token_, fmt::format("{} takes names: expected ',' or ')', found {}", name.text,
                                 token_.shown()));
    advance();
    return input(std::move(wanted));
  }

  std::string_view text_;
  const FormulaContext& context_;
  Lexer lexer_;
  Token token_;
  ProgramBuilder builder_;
  std::vector<FormulaInput> inputs_;
  std::vector<int> input_nodes_;
  int depth_ = 0;
  bool follows_number_ = false;  ///< the present token
};

}  // namespace

Parsed parse(std::string_view text, const FormulaContext& context) {
  return Parser(text, context).parse();
}

}  // namespace picus::formula
