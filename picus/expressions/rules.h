// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The list of rules that programs call by number. To add a function: write its rule in
// elementary.h or shapes.h and name it in Functions.

#include "picus/expressions/shapes.h"

namespace picus::formula {

template <class... Rules>
struct RuleList {};

/// What users may call: the catalog.
using Functions =
    RuleList<Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Sinh, Cosh, Tanh, Exp, Log, Log10, Sqrt, Cbrt,
             Pow, Hypot, Abs, Sign, Min, Max, Floor, Ceil, Round, Mod, Clamp, Deadband, Step, Step5,
             Ramp, Pulse, Square, Impact, Bistop, If>;

template <class Compare>
struct Comparison {
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    return Compare{}(plain_value(x[0]), plain_value(x[1])) ? 1.0 : 0.0;
  }
  static void switches(const auto& x, double* out) { out[0] = x[0] - x[1]; }
};

struct Less : Comparison<std::less<>> {
  static constexpr FunctionEntry kEntry{"<(a, b)", "below", 1};
};
struct LessEqual : Comparison<std::less_equal<>> {
  static constexpr FunctionEntry kEntry{"<=(a, b)", "not above", 1};
};
struct Greater : Comparison<std::greater<>> {
  static constexpr FunctionEntry kEntry{">(a, b)", "above", 1};
};
struct GreaterEqual : Comparison<std::greater_equal<>> {
  static constexpr FunctionEntry kEntry{">=(a, b)", "not below", 1};
};
struct Equal : Comparison<std::equal_to<>> {
  static constexpr FunctionEntry kEntry{"==(a, b)", "equal", 1};
};
struct NotEqual : Comparison<std::not_equal_to<>> {
  static constexpr FunctionEntry kEntry{"!=(a, b)", "not equal", 1};
};

struct And {
  static constexpr FunctionEntry kEntry{"and(a, b)", "both"};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    return plain_value(x[0]) != 0.0 && plain_value(x[1]) != 0.0 ? 1.0 : 0.0;
  }
};

struct Or {
  static constexpr FunctionEntry kEntry{"or(a, b)", "at least one"};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    return plain_value(x[0]) != 0.0 || plain_value(x[1]) != 0.0 ? 1.0 : 0.0;
  }
};

struct Not {
  static constexpr FunctionEntry kEntry{"not(a)", "logical negation"};
  static auto value(const auto& x) -> ScalarOf<decltype(x)> {
    return plain_value(x[0]) != 0.0 ? 0.0 : 1.0;
  }
};

/// x^p with p constant: cheaper than Pow, which also differentiates by p.
struct ConstantPower {
  static constexpr FunctionEntry kEntry{"^(x, p)", "power with a constant exponent"};
  static auto value(const auto& x) { return power(x[0], plain_value(x[1])); }
};

/// What only operators call.
using Operators =
    RuleList<Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual, And, Or, Not, ConstantPower>;

template <class... A, class... B>
RuleList<A..., B...> operator+(RuleList<A...>, RuleList<B...>);
using AllRules = decltype(Functions{} + Operators{});

/// Arguments of an instruction: registers picked by their numbers.
template <class T>
struct Operands {
  const T* registers;
  const int* numbers;
  const T& operator[](int i) const { return registers[numbers[i]]; }
};

template <class T>
using Call = T (*)(const Operands<T>&);

template <class Rule, class T>
T call(const Operands<T>& x) {
  return Rule::value(x);
}

template <class T, class... Rules>
constexpr std::array<Call<T>, sizeof...(Rules)> calls_of(RuleList<Rules...>) {
  return {&call<Rules, T>...};
}

/// The rules for one scalar, by number.
template <class T>
inline constexpr auto kCalls = calls_of<T>(AllRules{});

template <class... Rules>
constexpr std::array<FunctionEntry, sizeof...(Rules)> entries_of(RuleList<Rules...>) {
  return {Rules::kEntry...};
}

/// Descriptions, by number.
inline constexpr auto kEntries = entries_of(AllRules{});

constexpr int rule_number(std::string_view name) {
  for (std::size_t i = 0; i < kEntries.size(); ++i)
    if (kEntries[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace picus::formula
