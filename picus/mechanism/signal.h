// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The numbers that laws and formulas see, with their derivatives.

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picus/expressions/expression.h"
#include "picus/mechanism/term.h"

namespace picus {

/// A number a law reads from the state.
struct Signal {
  enum class Kind {
    kTime,
    kValue,         ///< of the term's measure
    kRate,          ///< of the term
    kAcceleration,  ///< of the term; in control equations only
    kControl,       ///< x[index]: states, variables, force states
    kControlRate,   ///< ẋ[index]; in control equations only
    kMultiplier,    ///< λ[index]; in control equations only
  };
  Kind kind = Kind::kTime;
  Term term = {};
  int index = -1;
  double scale = 1.0;  ///< from SI units to those of the formula

  double read(const Bodies& bodies, const State& s) const;
  /// Control i becomes control place[i].
  void renumber_controls(std::span<const int> place);
};

/// Laws see at most this many signals, so that they fit on the stack.
inline constexpr int kMaxSignals = 64;

/// A number from signals, with its gradient; called once per evaluation of the equations, so it
/// must not allocate.
using Law = std::function<double(std::span<const double> signals, std::span<double> gradient)>;

/// Numbers that change their sign where a law jumps or has a kink, see System::switches.
using SwitchLaw = std::function<void(std::span<const double> signals, std::span<double> values)>;

/// A law with the signals it reads.
struct Formulation {
  std::vector<Signal> signals;
  Law law;
  /// The same without gradient, where that is cheaper.
  std::function<double(std::span<const double> signals)> value_law = {};
  std::shared_ptr<const Expression> formula = {};  ///< of a law that is one
  std::string text = {};                           ///< as the user wrote it, for messages
  std::string switch_name = {};                    ///< of its switches; empty: the formula's
  int switches = 0;
  SwitchLaw switch_law = {};

  /// From the values of the signals.
  double value(std::span<const double> values) const;
  double value(std::span<const double> values, std::span<double> gradient) const;

  double evaluate(const Bodies& bodies, const State& s) const;
  double evaluate(const Bodies& bodies, const State& s, std::span<double> gradient) const;
  void switch_values(const Bodies& bodies, const State& s, std::span<double> values) const;
  /// Control i becomes control place[i].
  void renumber_controls(std::span<const int> place);

 private:
  using Values = std::array<double, kMaxSignals>;
  std::span<const double> read(const Bodies& bodies, const State& s, Values& values) const;
};

/// The switches of a list of parts, each of which has a law.
template <class Part>
int count_switches(const std::vector<Part>& parts, Formulation Part::*law) {
  int count = 0;
  for (const Part& part : parts)
    count += (part.*law).switches;
  return count;
}

template <class Part>
std::string name_switch(const std::vector<Part>& parts, Formulation Part::*law, int index) {
  for (const Part& part : parts) {
    const Formulation& formulation = part.*law;
    if (index < formulation.switches)
      return formulation.switch_name.empty() ? "formula '" + formulation.text + "'"
                                             : formulation.switch_name;
    index -= formulation.switches;
  }
  return {};
}

/// The switches of a list of parts one after the other; `law` gives the Formulation of a part.
template <class Parts, class LawOf>
void put_switch_values(const Bodies& bodies, const Parts& parts, LawOf&& law, const State& s,
                       int first, Vector& values) {
  for (const auto& part : parts) {
    const Formulation& formulation = law(part);
    if (formulation.switches == 0) continue;
    formulation.switch_values(
        bodies, s, {values.data() + first, static_cast<std::size_t>(formulation.switches)});
    first += formulation.switches;
  }
}

}  // namespace picus
