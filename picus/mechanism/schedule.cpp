// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/schedule.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace picus {

using Kind = Signal::Kind;

Schedule::Schedule(const Bodies& bodies, std::vector<ScheduledFormula> formulas,
                   const std::vector<ControlEquation>& controls)
    : bodies_(bodies) {
  // controls of controls of time: as long as one more is found
  for (bool found = true; found;) {
    found = false;
    for (const ControlEquation& equation : controls) {
      const bool is_plain = (equation.rate_weight == 1.0 && equation.value_weight == 0.0) ||
                            (equation.rate_weight == 0.0 && equation.value_weight == 1.0);
      if (!is_plain || equation.law.formula == nullptr || place_of(equation.index) >= 0) continue;
      ScheduledFormula formula{equation.law.formula, equation.law.signals};
      if (!depends_on_time_alone(formula) || clocklike_.size() == kMaxSignals) continue;
      clocklike_.push_back({equation.index, equation.rate_weight != 0.0, std::move(formula)});
      found = true;
    }
  }
  const auto watch = [&](ScheduledFormula formula) {
    std::array<bool, kMaxSignals> moves_by_itself{};
    bool any = false;
    for (std::size_t i = 0; i < formula.signals.size(); ++i)
      any = (moves_by_itself[i] = moves(formula.signals[i])) || any;
    if (!any) return;
    FormulaHorizon horizon(formula.expression,
                           std::span<const bool>(moves_by_itself).first(formula.signals.size()));
    if (horizon.any()) formulas_.push_back({std::move(formula), std::move(horizon)});
  };
  for (ScheduledFormula& formula : formulas)
    if (formula.signals.size() <= kMaxSignals) watch(std::move(formula));
}

int Schedule::place_of(int control) const {
  for (std::size_t i = 0; i < clocklike_.size(); ++i)
    if (clocklike_[i].control == control) return static_cast<int>(i);
  return -1;
}

bool Schedule::moves(const Signal& signal) const {
  return signal.kind == Kind::kTime ||
         (signal.kind == Kind::kControl && place_of(signal.index) >= 0);
}

bool Schedule::depends_on_time_alone(const ScheduledFormula& formula) const {
  return std::all_of(formula.signals.begin(), formula.signals.end(),
                     [this](const Signal& signal) { return moves(signal); });
}

void Schedule::renumber_controls(std::span<const int> place) {
  const auto renumber = [place](ScheduledFormula& formula) {
    for (Signal& signal : formula.signals)
      if (signal.kind == Kind::kControl || signal.kind == Kind::kControlRate)
        signal.index = place[static_cast<std::size_t>(signal.index)];
  };
  for (Clocklike& clocklike : clocklike_) {
    clocklike.control = place[static_cast<std::size_t>(clocklike.control)];
    renumber(clocklike.formula);
  }
  for (Watched& watched : formulas_)
    renumber(watched.formula);
}

std::span<const Moving> Schedule::read(const ScheduledFormula& formula, bool others, const State& s,
                                       const Movings& controls, Inputs& inputs) const {
  for (std::size_t i = 0; i < formula.signals.size(); ++i) {
    const Signal& signal = formula.signals[i];
    const int clocklike = signal.kind == Kind::kControl ? place_of(signal.index) : -1;
    if (signal.kind == Kind::kTime)
      inputs[i] = moving(signal.scale * s.time, signal.scale);
    else if (clocklike >= 0)
      inputs[i] = signal.scale * controls[static_cast<std::size_t>(clocklike)];
    else
      inputs[i] = moving(others ? signal.read(bodies_, s) : 0.0, 0.0);
  }
  return std::span<const Moving>(inputs).first(formula.signals.size());
}

double Schedule::forcing_time(const State& s) const {
  Movings controls;
  Inputs inputs;
  for (std::size_t i = 0; i < clocklike_.size(); ++i) {
    const Clocklike& control = clocklike_[i];
    const Moving law = control.formula.expression->evaluate<Moving>(
        read(control.formula, false, s, controls, inputs));
    controls[i] = control.is_state
                      ? moving(s.control(control.control), law.value.value, law.value.d(0))
                      : law;
  }
  double shortest = std::numeric_limits<double>::infinity();
  for (const Watched& watched : formulas_)
    shortest =
        std::min(shortest, watched.horizon(read(watched.formula, watched.horizon.reads_others(), s,
                                                controls, inputs)));
  return shortest;
}

}  // namespace picus
