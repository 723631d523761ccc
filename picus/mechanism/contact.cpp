// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace picus {
namespace {

using Kind = Signal::Kind;

// m(t) as a function of a moving time, exact up to its second derivative.
Jet moving(const Motion& motion, const Jet& time) {
  const double t = time.value.value.value;
  const MotionValue m = motion(t);
  const Jet dt = time - t;
  return m.value + dt * (m.rate + 0.5 * m.acceleration * dt);
}

MeasureFunction linear_function(std::vector<double> weights, bool of_rates, double constant,
                                Motion motion) {
  return [weights = std::move(weights), of_rates, constant, motion = std::move(motion)](
             std::span<const Jet> s, std::span<const Jet> rates, const Jet& time) {
    Jet sum(-constant);
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] != 0.0) sum += weights[i] * (of_rates ? rates : s)[i];
    return motion ? sum - moving(motion, time) : sum;
  };
}

/// The forces along all terms from measures and rates, with their derivatives.
///
///   N = N(g, ġ),  F_d = −μ N v_d / √(Σ v² + v₀²),  along term i: N ∂g/∂sᵢ + Σ_d F_d ∂v_d/∂ṡᵢ
///
/// Without a law of its normal force, N = 1 and friction works alone.
class CompliantLaw {
 public:
  CompliantLaw(const ContactGeometry& geometry, const std::optional<HuntCrossley>& normal,
               double friction, double slip_speed)
      : count_(geometry.terms.size()),
        gap_(geometry.gap_function()),
        normal_(normal),
        friction_(friction),
        slip_speed_(slip_speed) {
    for (const Term& term : geometry.terms)
      has_value_.push_back(has_value(term.direction));
    for (std::size_t d = 0; friction > 0.0 && d < geometry.slips.size(); ++d)
      slips_.push_back(geometry.slip_function(d));
  }

  std::vector<Signal> signals(const std::vector<Term>& terms) const {
    std::vector<Signal> result{{.kind = Kind::kTime}};
    for (const Term& term : terms)
      if (has_value(term.direction)) result.push_back({.kind = Kind::kValue, .term = term});
    for (const Term& term : terms)
      result.push_back({.kind = Kind::kRate, .term = term});
    return result;
  }

  double gap(std::span<const double> signals) const {
    return inputs(signals).call(gap_).value.value.value;
  }

  /// Magnitude along one term, and its gradient by the signals.
  double along(std::size_t term, std::span<const double> signals,
               std::span<double> gradient) const {
    Inputs in = inputs(signals);
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (normal_ && in.call(gap_).value.value.value >= 0.0) return 0.0;
    // derivatives by the signals, one after the other: the innermost dual carries them, the middle
    // one the motion along τ, the outer one the slope along the term
    double result = 0.0;
    std::size_t k = 1;  // behind time
    for (const bool rates : {false, true}) {
      for (std::size_t j = 0; j < count_; ++j) {
        if (!rates && !has_value_[j]) continue;
        const Dual<1> total = magnitude(in, term, j, rates);
        gradient[k++] = total.grad[0];
        result = total.value;
      }
    }
    return result;
  }

 private:
  struct Inputs {
    std::array<Jet, kMaxMeasures> s, rates;
    Jet time;
    std::size_t count = 0;

    Jet call(const MeasureFunction& f) const {
      return f(std::span(s).first(count), std::span(rates).first(count), time);
    }
  };

  // Measures that move with their rates: time and measures change along the middle dual.
  Inputs inputs(std::span<const double> signals) const {
    Inputs in;
    in.count = count_;
    in.time = Jet(signals[0]);
    in.time.value.grad[0] = Dual<1>(1.0);
    std::size_t k = 1;
    for (std::size_t j = 0; j < count_; ++j)
      in.s[j] = Jet(has_value_[j] ? signals[k++] : 0.0);
    for (std::size_t j = 0; j < count_; ++j) {
      in.rates[j] = Jet(signals[k++]);
      in.s[j].value.grad[0] = Dual<1>(in.rates[j].value.value.value);
    }
    return in;
  }

  // Of one term, with the derivative by measure or rate j.
  Dual<1> magnitude(Inputs& in, std::size_t term, std::size_t j, bool by_rate) const {
    if (by_rate) {
      in.rates[j].value.value.grad[0] = 1.0;
      in.s[j].value.grad[0].grad[0] = 1.0;
    } else {
      in.s[j].value.value.grad[0] = 1.0;
    }
    Dual<1> normal(1.0), total(0.0);
    if (normal_) {
      in.s[term].grad[0].value = Dual<1>(1.0);
      const Jet gap = in.call(gap_);
      in.s[term].grad[0].value = Dual<1>(0.0);
      normal = normal_->force(gap.value.value, gap.value.grad[0]);
      total = normal * gap.grad[0].value;
    }
    if (!slips_.empty()) {
      in.rates[term].grad[0].value = Dual<1>(1.0);
      std::array<Dual<1>, 2> slip, slope;
      Dual<1> square(slip_speed_ * slip_speed_);
      for (std::size_t d = 0; d < slips_.size(); ++d) {
        const Jet k = in.call(slips_[d]);
        slip[d] = k.value.value;
        slope[d] = k.grad[0].value;
        square += slip[d] * slip[d];
      }
      in.rates[term].grad[0].value = Dual<1>(0.0);
      const Dual<1> per_speed = friction_ * normal / sqrt(square);
      for (std::size_t d = 0; d < slips_.size(); ++d)
        total -= per_speed * slip[d] * slope[d];
    }
    in.s[j].value.value.grad[0] = 0.0;
    in.s[j].value.grad[0].grad[0] = 0.0;
    in.rates[j].value.value.grad[0] = 0.0;
    return total;
  }

  std::size_t count_;
  MeasureFunction gap_;
  std::vector<MeasureFunction> slips_;
  std::vector<char> has_value_;
  std::optional<HuntCrossley> normal_;
  double friction_, slip_speed_;
};

}  // namespace

std::size_t ContactGeometry::place_of(const Term& term) {
  const auto found = std::find(terms.begin(), terms.end(), term);
  if (found != terms.end()) return static_cast<std::size_t>(found - terms.begin());
  terms.push_back(term);
  return terms.size() - 1;
}

ConstraintEquation ContactGeometry::linear(const std::vector<double>& weights) const {
  ConstraintEquation equation;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0.0) continue;
    Term term = terms[k];
    term.weight *= weights[k];
    equation.terms.push_back(std::move(term));
  }
  return equation;
}

MeasureFunction ContactGeometry::gap_function() const {
  return gap.function ? gap.function : linear_function(gap.weights, false, constant, motion);
}

MeasureFunction ContactGeometry::slip_function(std::size_t slip) const {
  const Equation& equation = slips[slip];
  return equation.function ? equation.function : linear_function(equation.weights, true, 0.0, {});
}

namespace {

std::vector<ForceComponent> components_of(const ContactGeometry& geometry, const CompliantLaw& made,
                                          bool may_open) {
  const auto law = std::make_shared<const CompliantLaw>(made);
  std::vector<ForceComponent> components;
  for (std::size_t i = 0; i < geometry.terms.size(); ++i) {
    Formulation magnitude;
    magnitude.signals = law->signals(geometry.terms);
    magnitude.law = [law, i](std::span<const double> s, std::span<double> gradient) {
      return law->along(i, s, gradient);
    };
    if (may_open && i == 0) {
      magnitude.switches = 1;
      magnitude.switch_law = [law](std::span<const double> s, std::span<double> values) {
        values[0] = law->gap(s);
      };
    }
    components.push_back({geometry.terms[i], std::move(magnitude)});
  }
  return components;
}

}  // namespace

std::vector<ForceComponent> compliant_forces(const ContactGeometry& geometry,
                                             const Compliance& compliance, double friction) {
  return components_of(
      geometry, CompliantLaw(geometry, compliance.normal, friction, compliance.slip_speed), true);
}

std::vector<ForceComponent> unit_friction(const ContactGeometry& geometry, double slip_speed) {
  return components_of(geometry, CompliantLaw(geometry, std::nullopt, 1.0, slip_speed), false);
}

}  // namespace picus
