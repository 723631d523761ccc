// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/friction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace picus {

SlipVector AssembledFriction::smooth_force(double largest, const SlipVector& slip) const {
  return -largest * slip / std::sqrt(slip.squaredNorm() + slip_speed * slip_speed);
}

void FrictionElements::renumber_controls(std::span<const int> place) {
  for (Element& element : elements_)
    element.limit.renumber_controls(place);
}

void FrictionElements::friction_laws(std::vector<ContactLaw>& laws) const {
  for (const Element& element : elements_)
    laws.push_back(element.law);
}

int FrictionElements::friction_limits(const State& s, int first, Vector& limits) const {
  for (const Element& element : elements_) {
    limits(first) = element.limit.evaluate(bodies_, s);
    if (element.bearing) limits(first) += element.bearing->evaluate(bodies_, s);
    ++first;
  }
  return first;
}

bool FrictionElements::limits_read_reactions() const {
  return std::any_of(elements_.begin(), elements_.end(),
                     [](const Element& element) { return element.bearing.has_value(); });
}

int FrictionElements::reaction_limits(int first, std::vector<int>& elements) const {
  for (const Element& element : elements_) {
    if (element.bearing) elements.push_back(first);
    ++first;
  }
  return first;
}

int FrictionElements::friction_limit_tangent(const State& s, int first,
                                             SparseMatrix& along_multiplier) const {
  for (const Element& element : elements_) {
    if (element.bearing)
      element.bearing->differentiate(
          bodies_, s, [&](int row, double slope) { along_multiplier.add(first, row, slope); });
    ++first;
  }
  return first;
}

int FrictionElements::switches() const {
  return count_switches(elements_, &Element::limit);
}

void FrictionElements::switch_values(const State& s, int first, Vector& values) const {
  put_switch_values(
      bodies_, elements_,
      [](const Element& element) -> const Formulation& { return element.limit; }, s, first, values);
}

std::string FrictionElements::name_of_switch(int index) const {
  return name_switch(elements_, &Element::limit, index);
}

std::vector<ForceComponent> smooth_friction(const ContactGeometry& geometry,
                                            const Formulation& limit, double slip_speed) {
  std::vector<ForceComponent> components = unit_friction(geometry, slip_speed);
  Formulation largest = limit;
  for (ForceComponent& component : components) {
    component.magnitude = product(largest, std::move(component.magnitude));
    largest.switches = 0;  // one report is enough
  }
  return components;
}

Formulation limited(Formulation law, double factor) {
  law.value_law = {};
  if (!law.signals.empty()) {
    const auto others = static_cast<std::size_t>(law.switches++);
    law.switch_law = [given = law.law, own = std::move(law.switch_law), others](
                         std::span<const double> signals, std::span<double> values) {
      std::array<double, kMaxSignals> slopes{};
      if (others > 0) own(signals, values.first(others));
      values[others] = given(signals, std::span(slopes).first(signals.size()));
    };
  }
  law.law = [given = std::move(law.law), factor](std::span<const double> signals,
                                                 std::span<double> gradient) {
    const double value = factor * given(signals, gradient);
    for (double& slope : gradient)
      slope = value > 0.0 ? factor * slope : 0.0;
    return value < 0.0 ? 0.0 : value;  // what is not a number stays so
  };
  return law;
}

Formulation product(Formulation a, Formulation b) {
  Formulation result;
  const std::size_t count = a.signals.size();
  result.signals = std::move(a.signals);
  result.signals.insert(result.signals.end(), b.signals.begin(), b.signals.end());
  result.law = [first = a.law, second = std::move(b.law), count](std::span<const double> signals,
                                                                 std::span<double> gradient) {
    const double x = first(signals.first(count), gradient.first(count));
    const double y = second(signals.subspan(count), gradient.subspan(count));
    for (std::size_t i = 0; i < gradient.size(); ++i)
      gradient[i] *= i < count ? y : x;
    return x * y;
  };
  result.text = a.text;
  result.switches = a.switches;
  if (a.switches > 0)
    result.switch_law = [law = a.switch_law, count](std::span<const double> signals,
                                                    std::span<double> values) {
      law(signals.first(count), values);
    };
  return result;
}

}  // namespace picus
