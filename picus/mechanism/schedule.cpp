// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/schedule.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace picus {

using Kind = Signal::Kind;

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

}  // namespace

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
      clocklike_.push_back(
          {equation.index, equation.rate_weight != 0.0, watch(std::move(formula))});
      found = true;
    }
  }
  for (ScheduledFormula& formula : formulas) {
    if (formula.signals.size() > kMaxSignals) continue;
    const bool narrows = reads_controls(formula);
    Watched watched = watch(std::move(formula));
    if (narrows || watched.horizon.any()) formulas_.push_back(std::move(watched));
  }
}

Schedule::Watched Schedule::watch(ScheduledFormula formula) const {
  std::array<bool, kMaxSignals> moves_by_itself{};
  for (std::size_t i = 0; i < formula.signals.size(); ++i)
    moves_by_itself[i] = moves(formula.signals[i]);
  FormulaHorizon horizon(formula.expression,
                         std::span<const bool>(moves_by_itself).first(formula.signals.size()));
  return {std::move(formula), std::move(horizon)};
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

bool Schedule::reads_controls(const ScheduledFormula& formula) const {
  return std::any_of(formula.signals.begin(), formula.signals.end(), [this](const Signal& signal) {
    return signal.kind == Kind::kControl && moves(signal);
  });
}

void Schedule::renumber_controls(std::span<const int> place) {
  const auto renumber = [place](ScheduledFormula& formula) {
    for (Signal& signal : formula.signals)
      if (signal.kind == Kind::kControl || signal.kind == Kind::kControlRate)
        signal.index = place[static_cast<std::size_t>(signal.index)];
  };
  for (Clocklike& clocklike : clocklike_) {
    clocklike.control = place[static_cast<std::size_t>(clocklike.control)];
    renumber(clocklike.law.formula);
  }
  for (Watched& watched : formulas_)
    renumber(watched.formula);
}

void Schedule::read(const Watched& watched, const State& s, const Movings& controls,
                    Movings& inputs) const {
  const std::vector<Signal>& signals = watched.formula.signals;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const Signal& signal = signals[i];
    const int clocklike = signal.kind == Kind::kControl ? place_of(signal.index) : -1;
    inputs.time[i] = kForever;
    if (signal.kind == Kind::kTime) {
      inputs.value[i] = moving(signal.scale * s.time, signal.scale);
    } else if (clocklike >= 0) {
      inputs.value[i] = signal.scale * controls.value[static_cast<std::size_t>(clocklike)];
      inputs.time[i] = controls.time[static_cast<std::size_t>(clocklike)];
    } else {
      const bool matters = watched.horizon.reads_others();
      inputs.value[i] = moving(matters ? signal.read(bodies_, s) : 0.0, 0.0);
    }
  }
}

double Schedule::horizon_of(const Watched& watched, const Movings& inputs) {
  const std::size_t count = watched.formula.signals.size();
  return watched.horizon(std::span<const Moving>(inputs.value).first(count),
                         std::span<const double>(inputs.time).first(count));
}

double Schedule::forcing_time(const State& s) const {
  Movings controls, inputs;
  for (std::size_t i = 0; i < clocklike_.size(); ++i) {
    const Clocklike& control = clocklike_[i];
    read(control.law, s, controls, inputs);
    const ScheduledFormula& formula = control.law.formula;
    const Moving law = formula.expression->evaluate<Moving>(
        std::span<const Moving>(inputs.value).first(formula.signals.size()));
    controls.value[i] = control.is_state
                            ? moving(s.control(control.control), law.value.value, law.value.d(0))
                            : law;
    controls.time[i] = horizon_of(control.law, inputs);
  }
  double shortest = kForever;
  for (const Watched& watched : formulas_) {
    read(watched, s, controls, inputs);
    shortest = std::min(shortest, horizon_of(watched, inputs));
  }
  return shortest;
}

}  // namespace picus
