// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/signal.h"

#include "picus/base/contract.h"

namespace picus {

double Signal::read(const Bodies& bodies, const State& s) const {
  switch (kind) {
    case Kind::kTime:
      return scale * s.time;
    case Kind::kValue:
      return scale * term.weight * measure(bodies, term, s.position);
    case Kind::kRate:
      return scale * rate_of(bodies, term, s);
    case Kind::kAcceleration:
      return scale * acceleration_of(bodies, term, s);
    case Kind::kControl:
      return scale * s.control(index);
    case Kind::kControlRate:
      return scale * s.control_rate(index);
    case Kind::kMultiplier:
      return scale * s.multiplier(index);
  }
  return 0.0;
}

void Signal::renumber_controls(std::span<const int> place) {
  if (kind == Kind::kControl || kind == Kind::kControlRate)
    index = place[static_cast<std::size_t>(index)];
}

std::span<const double> Formulation::read(const Bodies& bodies, const State& s,
                                          Values& values) const {
  expects(signals.size() <= kMaxSignals, "room for signals");
  for (std::size_t i = 0; i < signals.size(); ++i)
    values[i] = signals[i].read(bodies, s);
  return std::span<const double>(values).first(signals.size());
}

double Formulation::value(std::span<const double> values) const {
  if (value_law) return value_law(values);
  Values gradient;
  return law(values, std::span(gradient).first(signals.size()));
}

double Formulation::value(std::span<const double> values, std::span<double> gradient) const {
  const double result = law(values, gradient);
  for (std::size_t i = 0; i < signals.size(); ++i)
    gradient[i] *= signals[i].scale;
  return result;
}

double Formulation::evaluate(const Bodies& bodies, const State& s) const {
  Values values;
  return value(read(bodies, s, values));
}

double Formulation::evaluate(const Bodies& bodies, const State& s,
                             std::span<double> gradient) const {
  Values values;
  return value(read(bodies, s, values), gradient);
}

void Formulation::renumber_controls(std::span<const int> place) {
  for (Signal& signal : signals)
    signal.renumber_controls(place);
}

void Formulation::switch_values(const Bodies& bodies, const State& s,
                                std::span<double> values) const {
  Values seen;
  switch_law(read(bodies, s, seen), values);
}

}  // namespace picus
