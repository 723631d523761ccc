// SPDX-License-Identifier: BSD-3-Clause
// Springs and dampers by numbers or by curves.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

using Kind = Signal::Kind;

// A curve in SI units.
struct Characteristic {
  std::shared_ptr<const Table> table;
  double per_x = 1.0, y_unit = 1.0;  ///< units of x in one SI unit; SI units in one of y

  double value(double x) const { return y_unit * (*table)(per_x * x); }
  double slope(double x) const { return y_unit * per_x * table->derivative(per_x * x, 1); }
  double switch_value(double x) const { return table->switch_value(per_x * x); }

  /// ∫ from 0 to x: of cubics between the points, so that two places of Gauss are exact.
  double energy(double x) const {
    const double end = per_x * x;
    double sum = 0.0, from = 0.0;
    const auto add_until = [&](double to) {
      const double middle = 0.5 * (from + to), reach = (to - from) / std::sqrt(12.0);
      sum += 0.5 * (to - from) * ((*table)(middle - reach) + (*table)(middle + reach));
      from = to;
    };
    const auto add_points = [&](auto begin, auto last) {
      for (auto point = begin; point != last; ++point)
        if (*point > std::min(0.0, end) && *point < std::max(0.0, end)) add_until(*point);
    };
    const std::span<const double> points = table->x();
    if (end > 0.0)
      add_points(points.begin(), points.end());
    else
      add_points(points.rbegin(), points.rend());
    add_until(end);
    return sum * y_unit / per_x;
  }
};

// −S(value − free) − D(rate) + preload, S and D by curves or by numbers.
struct CurvedLaw {
  LinearLaw linear;
  std::optional<Characteristic> spring, damper;

  double operator()(std::span<const double> s, std::span<double> gradient) const {
    const double stretch = s[0] - linear.free;
    gradient[0] = spring ? -spring->slope(stretch) : -linear.stiffness;
    gradient[1] = damper ? -damper->slope(s[1]) : -linear.damping;
    const double back = spring ? spring->value(stretch) : linear.stiffness * stretch;
    const double resisting = damper ? damper->value(s[1]) : linear.damping * s[1];
    return linear.preload - back - resisting;
  }
  int switches() const {
    return (spring && spring->table->has_switch() ? 1 : 0) +
           (damper && damper->table->has_switch() ? 1 : 0);
  }
  void switch_values(std::span<const double> s, std::span<double> values) const {
    std::size_t next = 0;
    if (spring && spring->table->has_switch())
      values[next++] = spring->switch_value(s[0] - linear.free);
    if (damper && damper->table->has_switch()) values[next] = damper->switch_value(s[1]);
  }
  double energy(double value) const {
    const double stretch = value - linear.free;
    const double stored =
        spring ? spring->energy(stretch) : 0.5 * linear.stiffness * stretch * stretch;
    return stored - linear.preload * stretch;
  }
};

}  // namespace

std::optional<Formulation> Assembler::linear(const LinearLaw& law, const SpringTerms& terms,
                                             AssembledForce& record) {
  LinearLaw linear = law;
  if (law.free_is_initial)
    linear.free = measure(builder_.bodies(), terms.measured, builder_.state().position);
  if (law.spring != nullptr || law.damper != nullptr) return curved(linear, terms, record);
  Formulation result;
  result.signals = {{.kind = Kind::kValue, .term = terms.measured},
                    {.kind = Kind::kRate, .term = terms.along}};
  result.law = [linear](std::span<const double> s, std::span<double> gradient) {
    gradient[0] = -linear.stiffness;
    gradient[1] = -linear.damping;
    return -linear.stiffness * (s[0] - linear.free) - linear.damping * s[1] + linear.preload;
  };
  const Signal value = result.signals.front();
  record.add_potential([linear, value, &bodies = builder_.bodies()](const State& s) {
    const double stretch = value.read(bodies, s) - linear.free;
    return 0.5 * linear.stiffness * stretch * stretch - linear.preload * stretch;
  });
  return result;
}

std::shared_ptr<const Table> Assembler::table_of(const CurvePart& part, const std::string& force) {
  if (part.curve) return part.curve;
  try {
    return std::make_shared<Table>(part.x, part.y,
                                   TableOptions{part.interpolation, part.extrapolation});
  } catch (const InputError& error) {
    complain(part.place, fmt::format("force '{}': {}", force, error.what()));
    return nullptr;
  }
}

std::optional<Formulation> Assembler::curved(const LinearLaw& law, const SpringTerms& terms,
                                             AssembledForce& record) {
  CurvedLaw curved{law, {}, {}};
  const auto take = [&](const CurvePart* part, double number, const char* key, Dimension x,
                        std::optional<Characteristic>& target) {
    if (part == nullptr) return true;
    if (number != 0.0) {
      complain(part->place, fmt::format("force '{}': found {} and its table, expected one of them",
                                        record.name, key));
      return false;
    }
    const auto table = table_of(*part, record.name);
    if (!table) return false;
    target =
        Characteristic{table, to_user(x, part->place),
                       context_.scale(terms.is_angle ? unit::kTorque : unit::kForce, part->place)};
    return true;
  };
  const bool is_fine = take(law.spring, law.stiffness, "stiffness",
                            terms.is_angle ? unit::kAngle : unit::kLength, curved.spring) &&
                       take(law.damper, law.damping, "damping",
                            terms.is_angle ? unit::kAngularVelocity : unit::kSpeed, curved.damper);
  if (!is_fine) return std::nullopt;
  Formulation result;
  result.signals = {{.kind = Kind::kValue, .term = terms.measured},
                    {.kind = Kind::kRate, .term = terms.along}};
  result.law = curved;
  result.switches = curved.switches();
  if (result.switches > 0) {
    result.switch_name = fmt::format("a point of the table of force '{}'", record.name);
    result.switch_law = [curved](std::span<const double> s, std::span<double> values) {
      curved.switch_values(s, values);
    };
  }
  const Signal value = result.signals.front();
  record.add_potential([curved, value, &bodies = builder_.bodies()](const State& s) {
    return curved.energy(value.read(bodies, s));
  });
  return result;
}

}  // namespace picus
