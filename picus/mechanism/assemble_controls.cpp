// SPDX-License-Identifier: BSD-3-Clause
// States and variables, and the blocks that are made of them.
#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

// Σ weight · control
Formulation sum_of(const std::vector<std::pair<double, int>>& terms) {
  Formulation sum;
  std::vector<double> weights;
  for (const auto& [weight, index] : terms) {
    sum.signals.push_back({.kind = Kind::kControl, .index = index});
    weights.push_back(weight);
  }
  sum.law = [weights](std::span<const double> signals, std::span<double> gradient) {
    double value = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      value += weights[i] * signals[i];
      gradient[i] = weights[i];
    }
    return value;
  };
  return sum;
}

std::string state_name(const std::string& block, std::size_t k) {
  return fmt::format("{}.x{}", block, k + 1);
}

}  // namespace

void Assembler::add_controls() {
  for (const Named<Control>& part : model_.controls)
    if (is_new_name(part.name, part.place)) add_control_names(part);
  for (const Named<Control>& part : model_.controls)
    std::visit([&](const auto& control) { state(part.name, control, part.place); }, part.value);
}

// All names first: formulas may use any of them in any order.
void Assembler::add_control_names(const Named<Control>& part) {
  const std::string& name = part.name;
  if (const auto* first_order = std::get_if<FirstOrderState>(&part.value)) {
    builder_.add_control(name, false, first_order->initial);
    return;
  }
  if (std::holds_alternative<Pid>(part.value)) {
    builder_.add_control(name + ".input", true, 0.0);
    builder_.add_control(name + ".integral", false, 0.0);
    builder_.add_control(name + ".filtered", false, 0.0);
  } else if (const auto* transfer = std::get_if<TransferFunction>(&part.value)) {
    builder_.add_control(name + ".input", true, 0.0);
    for (std::size_t k = 0; k + 1 < transfer->denominator.size(); ++k)
      builder_.add_control(state_name(name, k), false, 0.0);
  }
  builder_.add_control(name, true, 0.0);
}

void Assembler::state(const std::string& name, const FirstOrderState& control, SourcePlace place) {
  if (control.rate.has_value() == control.equation.has_value())
    return complain(place, fmt::format("state '{}': expected either rate or equation", name));
  const Formula& formula = control.rate ? *control.rate : *control.equation;
  auto law = formulate(formula, {.accelerations = true, .self = name});
  if (!law) return;
  if (control.equation) {
    bool has_rate = false;
    for (const Signal& signal : law->signals)
      has_rate =
          has_rate || (signal.kind == Kind::kControlRate && signal.index == control_index(name));
    if (!has_rate)
      return complain(
          formula.place,
          fmt::format("the equation of state '{}' does not contain {}.rate", name, name));
  }
  builder_.add_control_equation({.index = control_index(name),
                                 .rate_weight = control.rate ? 1.0 : 0.0,
                                 .law = std::move(*law)});
}

void Assembler::state(const std::string& name, const Variable& control, SourcePlace) {
  if (auto law = formulate(control.value, {.accelerations = true}))
    builder_.add_control_equation(
        {.index = control_index(name), .value_weight = 1.0, .law = std::move(*law)});
}

// u = p e + i ∫e + d (e − f)/T, f' = (e − f)/T
void Assembler::state(const std::string& name, const Pid& control, SourcePlace place) {
  if (!(control.filter > 0.0))
    return complain(place, fmt::format("pid '{}': filter: found {:g}, expected a positive time",
                                       name, control.filter));
  auto law = formulate(control.input, {.accelerations = true});
  if (!law) return;
  const int input = control_index(name + ".input"), integral = control_index(name + ".integral"),
            filtered = control_index(name + ".filtered");
  const double rate = 1.0 / control.filter;
  builder_.add_control_equation({.index = input, .value_weight = 1.0, .law = std::move(*law)});
  builder_.add_control_equation(
      {.index = integral, .rate_weight = 1.0, .law = sum_of({{1.0, input}})});
  builder_.add_control_equation(
      {.index = filtered, .rate_weight = 1.0, .law = sum_of({{rate, input}, {-rate, filtered}})});
  builder_.add_control_equation({.index = control_index(name),
                                 .value_weight = 1.0,
                                 .law = sum_of({{control.p + control.d * rate, input},
                                                {control.i, integral},
                                                {-control.d * rate, filtered}})});
}

// Controllable canonical form: x_k' = x_{k+1}, x_n' = u − Σ a_k x_{k+1}.
void Assembler::state(const std::string& name, const TransferFunction& control, SourcePlace place) {
  const std::size_t n = control.denominator.size();
  if (n < 2 || control.numerator.empty() || control.numerator.size() > n ||
      control.denominator.front() == 0.0) {
    return complain(
        place,
        fmt::format(
            "transfer function '{}': expected at least two denominator coefficients, the first not "
            "zero, and no more coefficients in the numerator than in the denominator",
            name));
  }
  if (n > kMaxSignals)
    return complain(place, fmt::format("transfer function '{}': found order {}, expected at most "
                                       "{}; connect several transfer functions of lower order",
                                       name, n - 1, kMaxSignals - 1));
  auto law = formulate(control.input, {.accelerations = true});
  if (!law) return;
  const int input = control_index(name + ".input");
  builder_.add_control_equation({.index = input, .value_weight = 1.0, .law = std::move(*law)});
  const double lead = control.denominator.front();
  const auto a = [&](std::size_t k) { return control.denominator[n - 1 - k] / lead; };
  const auto b = [&](std::size_t k) {
    const std::size_t m = control.numerator.size();
    return k < m ? control.numerator[m - 1 - k] / lead : 0.0;
  };
  std::vector<std::pair<double, int>> last{{1.0, input}}, output{{b(n - 1), input}};
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const int x = control_index(state_name(name, k));
    last.emplace_back(-a(k), x);
    output.emplace_back(b(k) - a(k) * b(n - 1), x);
    if (k + 2 < n)
      builder_.add_control_equation(
          {.index = x,
           .rate_weight = 1.0,
           .law = sum_of({{1.0, control_index(state_name(name, k + 1))}})});
  }
  builder_.add_control_equation(
      {.index = control_index(state_name(name, n - 2)), .rate_weight = 1.0, .law = sum_of(last)});
  builder_.add_control_equation(
      {.index = control_index(name), .value_weight = 1.0, .law = sum_of(output)});
}

void Assembler::add_endings() {
  for (const Formula& formula : model_.run.until) {
    auto value = formulate(formula, {.owner = "until"});
    if (!value) continue;
    if (value->signals.empty()) {
      complain(formula.place,
               fmt::format("until: '{}' is always {}, expected a formula of time, positions, "
                           "velocities or controls",
                           formula.text, value->value({}) > 0.0 ? "true" : "false"));
      continue;
    }
    builder_.add_ending({formula.text, std::move(*value)});
  }
}

}  // namespace picus
