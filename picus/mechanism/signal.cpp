// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/signal.h"

#include <array>

#include "picus/base/contract.h"

namespace picus {

double Signal::read(const Bodies& bodies, const State& s) const {
  switch (kind) {
    case Kind::kTime:
      return scale * s.time;
    case Kind::kValue:
      return scale * term.weight * measure(bodies, term, s.position);
    case Kind::kRate:
      return scale * TermView(bodies, term, s).rate();
    case Kind::kAcceleration:
      return scale * TermView(bodies, term, s).acceleration();
    case Kind::kControl:
      return scale * s.control(index);
    case Kind::kControlRate:
      return scale * s.control_rate(index);
    case Kind::kMultiplier:
      return scale * s.multiplier(index);
  }
  return 0.0;
}

double Formulation::evaluate(const Bodies& bodies, const State& s) const {
  std::array<double, kMaxSignals> gradient;
  return evaluate(bodies, s, std::span(gradient).first(signals.size()));
}

double Formulation::evaluate(const Bodies& bodies, const State& s,
                             std::span<double> gradient) const {
  expects(signals.size() <= kMaxSignals && gradient.size() == signals.size(), "room for signals");
  std::array<double, kMaxSignals> values;
  for (std::size_t i = 0; i < signals.size(); ++i)
    values[i] = signals[i].read(bodies, s);
  const double result = law(std::span<const double>(values).first(signals.size()), gradient);
  for (std::size_t i = 0; i < signals.size(); ++i)
    gradient[i] *= signals[i].scale;
  return result;
}

}  // namespace picus
