// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// First-order states, variables, and the blocks made of them; negrut-hht-i3 (8a), (8b).

#include <optional>
#include <variant>
#include <vector>

#include "picus/model/values.h"

namespace picus {

struct FirstOrderState {
  static constexpr std::string_view kType = "state";
  static constexpr std::string_view kSummary = "a first-order state, explicit or implicit";
  double initial = 0.0;
  std::optional<Formula> rate, equation;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("initial", self.initial, "value at the start", FieldTraits{});
    visit("rate", self.rate, "formula of its rate (explicit form)", FieldTraits{});
    visit("equation", self.equation,
          "formula of NAME, NAME.rate and all other names that is zero (implicit form)",
          FieldTraits{});
  }
};

struct Variable {
  static constexpr std::string_view kType = "variable";
  static constexpr std::string_view kSummary = "a name for a formula, solved with the motion";
  Formula value;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("value", self.value, "formula of all names", FieldTraits{.required = true});
  }
};

struct Pid {
  static constexpr std::string_view kType = "pid";
  static constexpr std::string_view kSummary =
      "proportional, integral and filtered derivative action on an input";
  Formula input;
  double p = 0.0, i = 0.0, d = 0.0, filter = 0.01;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("input", self.input, "formula of the input, usually the control error",
          FieldTraits{.required = true});
    visit("p", self.p, "proportional gain", FieldTraits{});
    visit("i", self.i, "integral gain", FieldTraits{});
    visit("d", self.d, "derivative gain", FieldTraits{});
    visit("filter", self.filter, "time constant of the filter of the derivative",
          FieldTraits{.unit = unit::kTime});
  }
};

struct TransferFunction {
  static constexpr std::string_view kType = "transfer_function";
  static constexpr std::string_view kSummary = "a rational transfer function of an input";
  Formula input;
  std::vector<double> numerator, denominator;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("input", self.input, "formula of the input", FieldTraits{.required = true});
    visit("numerator", self.numerator, "coefficients of s, highest power first",
          FieldTraits{.required = true});
    visit("denominator", self.denominator,
          "coefficients of s, highest power first; at least as many as the numerator",
          FieldTraits{.required = true});
  }
};

using Control = std::variant<FirstOrderState, Variable, Pid, TransferFunction>;

}  // namespace picus
