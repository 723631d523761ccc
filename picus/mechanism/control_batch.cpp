// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/control_batch.h"

#include <array>

#include "picus/mechanism/scatter.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

// −∂law/∂signal · ∂signal/∂(everything) into row `row`
void add_signal(const Bodies& bodies, const Signal& signal, double slope, int row, const State& s,
                const Chart& c, ControlTangent& tangent) {
  switch (signal.kind) {
    case Kind::kTime:
      return;
    case Kind::kControl:
      return tangent.control.add(row, signal.index, -slope);
    case Kind::kControlRate:
      return tangent.rate.add(row, signal.index, -slope);
    case Kind::kMultiplier:
      return tangent.multiplier.add(row, signal.index, -slope);
    default:
      break;
  }
  view_one(
      bodies, signal.term,
      [&](const auto& view) {
        if (signal.kind == Kind::kValue) {
          add_row(tangent.position, row, view.places(), -slope * view.value_tangent());
        } else if (signal.kind == Kind::kRate) {
          add_row(tangent.position, row, view.places(), -slope * view.rate_tangent());
          add_row(tangent.velocity, row, view.places(), -slope * view.row());
        } else {
          add_row(tangent.position, row, view.places(), -slope * view.acceleration_tangent());
          add_row(tangent.velocity, row, view.places(),
                  -slope * view.acceleration_along_velocity());
          add_row(tangent.acceleration, row, view.places(), -slope * view.row());
        }
      },
      s, c);
}

}  // namespace

void ControlBatch::renumber_controls(std::span<const int> place) {
  for (ControlEquation& equation : equations_) {
    equation.index = place[static_cast<std::size_t>(equation.index)];
    equation.law.renumber_controls(place);
  }
}

void ControlBatch::control(const State& s, Vector& d) const {
  for (const ControlEquation& equation : equations_) {
    const int i = equation.index;
    if (equation.rate_weight != 0.0) d(i) += equation.rate_weight * s.control_rate(i);
    d(i) += equation.value_weight * s.control(i) - equation.law.evaluate(bodies_, s);
  }
}

void ControlBatch::control_tangent(const State& s, const Chart& c, ControlTangent& tangent) const {
  std::array<double, kMaxSignals> storage;
  for (const ControlEquation& equation : equations_) {
    const std::vector<Signal>& signals = equation.law.signals;
    const std::span<double> gradient = std::span(storage).first(signals.size());
    equation.law.evaluate(bodies_, s, gradient);
    const int row = equation.index;
    if (equation.rate_weight != 0.0) tangent.rate.add(row, row, equation.rate_weight);
    if (equation.value_weight != 0.0) tangent.control.add(row, row, equation.value_weight);
    for (std::size_t k = 0; k < signals.size(); ++k)
      add_signal(bodies_, signals[k], gradient[k], row, s, c, tangent);
  }
}

int ControlBatch::switches() const {
  return count_switches(equations_, &ControlEquation::law);
}

void ControlBatch::switch_values(const State& s, int first, Vector& values) const {
  put_switch_values(
      bodies_, equations_,
      [](const ControlEquation& equation) -> const Formulation& { return equation.law; }, s, first,
      values);
}

std::string ControlBatch::name_of_switch(int index) const {
  return name_switch(equations_, &ControlEquation::law, index);
}

}  // namespace picus
