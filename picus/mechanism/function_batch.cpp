// SPDX-License-Identifier: BSD-3-Clause
// With s(τ) = s + ṡ τ + s̈ τ²/2 a function of measures is a function of τ, and so are its slopes
// fᵢ = ∂f/∂sᵢ:
//
//   g = f,  ġ = Σ fᵢ ṡᵢ + f_t,  g̈ = d²f/dτ²
//   ∂g = Σ fᵢ ∂sᵢ
//   ∂ġ = Σ fᵢ ∂ṡᵢ + ḟᵢ ∂sᵢ
//   ∂g̈ = Σ fᵢ ∂s̈ᵢ + 2 ḟᵢ ∂ṡᵢ + f̈ᵢ ∂sᵢ
//
// and with slopes hᵢ = ∂k/∂ṡᵢ of k = f(s, ṡ, t)
//
//   ∂k = Σ fᵢ ∂sᵢ + hᵢ ∂ṡᵢ
//   ∂k̇ = Σ ḟᵢ ∂sᵢ + (fᵢ + ḣᵢ) ∂ṡᵢ + hᵢ ∂s̈ᵢ
#include "picus/mechanism/function_batch.h"

#include <array>

#include "picus/base/contract.h"
#include "picus/mechanism/scatter.h"

namespace picus {
namespace {

using Taylor = Dual<1, Dual<1>>;  // outer and inner derivative are both by τ
using Slope = MotionValue;        // ∂f along a measure, as it moves

Taylor taylor(double value, double rate, double acceleration) {
  Taylor result;
  result.value.value = value;
  result.value.grad[0] = rate;
  result.grad[0].value = rate;
  result.grad[0].grad[0] = acceleration;
  return result;
}

Slope coefficients(const Taylor& t) {
  return {t.value.value, t.value.grad[0], t.grad[0].grad[0]};
}

// Measures as they move.
struct Measures {
  std::array<Jet, kMaxMeasures> values, rates;
  std::size_t count = 0;
  Jet time;

  Measures(const Bodies& bodies, const FunctionEquation& equation, const State& s)
      : count(equation.terms.size()), time(taylor(s.time, 1.0, 0.0)) {
    expects(count <= kMaxMeasures, "room for measures");
    PairView pair(bodies, s);
    for (std::size_t i = 0; i < count; ++i) {
      view_term(pair, equation.terms[i], [&](const auto& view) {
        const double rate = view.rate();
        const double acceleration = s.acceleration.size() > 0 ? view.acceleration() : 0.0;
        const double value = has_value(equation.terms[i].direction) ? view.value() : 0.0;
        values[i] = Jet(taylor(value, rate, acceleration));
        rates[i] = Jet(taylor(rate, acceleration, 0.0));
      });
    }
  }
  Jet call(const MeasureFunction& f) const {
    return f(std::span(values).first(count), std::span(rates).first(count), time);
  }
  // ∂f along one of the inputs, as it moves.
  Taylor slope(const MeasureFunction& f, Jet& input) const {
    input.grad[0] = Taylor(1.0);
    const Taylor result = call(f).grad[0];
    input.grad[0] = Taylor(0.0);
    return result;
  }
};

// ∂f/∂sᵢ and ∂f/∂ṡᵢ.
struct Slopes {
  std::array<Slope, kMaxMeasures> along = {}, along_rate = {};

  Slopes(const Bodies& bodies, const FunctionEquation& equation, const State& s, bool reads_rates) {
    Measures at(bodies, equation, s);
    for (std::size_t i = 0; i < at.count; ++i) {
      along[i] = coefficients(at.slope(equation.function, at.values[i]));
      if (reads_rates) along_rate[i] = coefficients(at.slope(equation.function, at.rates[i]));
    }
  }
};

// Second derivatives of f along the measures; `of_rates`: ∂²f/∂ṡᵢ∂sⱼ instead.
void curvatures(const Bodies& bodies, const FunctionEquation& equation, const State& s,
                bool of_rates, std::array<std::array<double, kMaxMeasures>, kMaxMeasures>& C) {
  Measures at(bodies, equation, s);
  // nothing moves but sⱼ
  at.time = Jet(s.time);
  for (std::size_t i = 0; i < at.count; ++i) {
    at.values[i] = Jet(at.values[i].value.value.value);
    at.rates[i] = Jet(at.rates[i].value.value.value);
  }
  for (std::size_t j = 0; j < at.count; ++j) {
    at.values[j].value.value.grad[0] = 1.0;
    for (std::size_t i = 0; i < at.count; ++i)
      C[i][j] = at.slope(equation.function, of_rates ? at.rates[i] : at.values[i]).value.grad[0];
    at.values[j].value.value.grad[0] = 0.0;
  }
}

// Visits the terms with their views and slopes.
template <class Visit, class... Where>
void for_each_slope(const Bodies& bodies, const std::vector<FunctionEquation>& equations,
                    bool reads_rates, const State& s, Visit&& visit, const Where&... chart) {
  for (const FunctionEquation& equation : equations) {
    const Slopes slopes(bodies, equation, s, reads_rates);
    PairView pair(bodies, s, chart...);
    for (std::size_t i = 0; i < equation.terms.size(); ++i)
      view_term(pair, equation.terms[i], [&](const auto& view) {
        visit(equation.row, view, slopes.along[i], slopes.along_rate[i]);
      });
  }
}

// −multiplier ∂(Σ slopeᵢ rowᵢ)/∂q
void add_function_tangent(const Bodies& bodies, const FunctionEquation& equation, const State& s,
                          const Chart& c, double multiplier, bool of_rates, SparseMatrix& K) {
  const Slopes slopes(bodies, equation, s, of_rates);
  std::array<std::array<double, kMaxMeasures>, kMaxMeasures> C;
  curvatures(bodies, equation, s, of_rates, C);
  const std::size_t n = equation.terms.size();
  PairView pair(bodies, s, c), other(bodies, s, c);
  for (std::size_t i = 0; i < n; ++i) {
    const double slope = (of_rates ? slopes.along_rate : slopes.along)[i].value;
    view_term(pair, equation.terms[i], [&](const auto& here) {
      add_square(K, here.places(), -multiplier * slope, here.row_tangent());
      for (std::size_t j = 0; j < n; ++j)
        view_term(other, equation.terms[j], [&](const auto& there) {
          add_outer(K, here.places(), here.row(), there.places(), there.value_tangent(),
                    -multiplier * C[i][j]);
        });
    });
  }
}

}  // namespace

Vector3 gradient_of(const Bodies& bodies, const FunctionEquation& equation, const State& s,
                    int body, bool of_rates) {
  const Slopes slopes(bodies, equation, s, of_rates);
  Vector3 gradient = Vector3::Zero();
  for (std::size_t i = 0; i < equation.terms.size(); ++i) {
    const Term& term = equation.terms[i];
    const Row<double> row = row_in_space(term, bodies.pose(term.body_i, s.position),
                                         bodies.pose(term.body_j, s.position));
    const double slope = (of_rates ? slopes.along_rate : slopes.along)[i].value;
    if (term.body_i == body) gradient += slope * row.head<3>();
    if (term.body_j == body) gradient += slope * row.segment<3>(6);
  }
  return gradient;
}

MotionValue value_of(const Bodies& bodies, const FunctionEquation& equation, const State& s) {
  return coefficients(Measures(bodies, equation, s).call(equation.function).value);
}

void FunctionBatch::force(const State& s, Vector& F) const {
  for_each_slope(bodies_, equations_, false, s,
                 [&](int row, const auto& view, const Slope& f, const Slope&) {
                   add_to(F, view.places(), s.multiplier(row) * f.value * view.row());
                 });
}

void FunctionBatch::momentum_tangent(const State& s, const Chart& c, Forces, SparseMatrix& K,
                                     SparseMatrix&) const {
  for (const FunctionEquation& equation : equations_)
    add_function_tangent(bodies_, equation, s, c, s.multiplier(equation.row), false, K);
}

void FunctionBatch::constraint(const State& s, Level level, Vector& g) const {
  for (const FunctionEquation& equation : equations_) {
    const MotionValue at = value_of(bodies_, equation, s);
    g(equation.row) += level == Level::kPosition   ? at.value
                       : level == Level::kVelocity ? at.rate
                                                   : at.acceleration;
  }
}

void FunctionBatch::constraint_tangent(const State& s, const Chart& c, SparseMatrix& G) const {
  for_each_slope(
      bodies_, equations_, false, s,
      [&](int row, const auto& view, const Slope& f, const Slope&) {
        add_row(G, row, view.places(), f.value * view.value_tangent());
      },
      c);
}

void FunctionBatch::constraint_velocity_tangent(const State& s, const Chart& c,
                                                SparseMatrix& along_q) const {
  for_each_slope(
      bodies_, equations_, false, s,
      [&](int row, const auto& view, const Slope& f, const Slope&) {
        add_row(along_q, row, view.places(),
                f.value * view.rate_tangent() + f.rate * view.value_tangent());
      },
      c);
}

void FunctionBatch::constraint_acceleration_tangent(const State& s, const Chart& c,
                                                    SparseMatrix& along_q,
                                                    SparseMatrix& along_v) const {
  for_each_slope(
      bodies_, equations_, false, s,
      [&](int row, const auto& view, const Slope& f, const Slope&) {
        add_row(along_q, row, view.places(),
                f.value * view.acceleration_tangent() + 2.0 * f.rate * view.rate_tangent() +
                    f.acceleration * view.value_tangent());
        add_row(along_v, row, view.places(),
                f.value * view.acceleration_along_velocity() + 2.0 * f.rate * view.row());
      },
      c);
}

void FunctionBatch::multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                                       SparseMatrix&) const {
  for_each_slope(bodies_, equations_, false, s,
                 [&](int row, const auto& view, const Slope& f, const Slope&) {
                   add_column(along_lambda, row, view.places(), f.value * view.row());
                 });
}

void FunctionRateBatch::force(const State& s, Vector& F) const {
  for_each_slope(bodies_, equations_, true, s,
                 [&](int row, const auto& view, const Slope&, const Slope& h) {
                   add_to(F, view.places(), s.nonholonomic_multiplier(row) * h.value * view.row());
                 });
}

void FunctionRateBatch::momentum_tangent(const State& s, const Chart& c, Forces, SparseMatrix& K,
                                         SparseMatrix&) const {
  for (const FunctionEquation& equation : equations_)
    add_function_tangent(bodies_, equation, s, c, s.nonholonomic_multiplier(equation.row), true, K);
}

void FunctionRateBatch::multiplier_tangent(const State& s, SparseMatrix&,
                                           SparseMatrix& along_psi) const {
  for_each_slope(bodies_, equations_, true, s,
                 [&](int row, const auto& view, const Slope&, const Slope& h) {
                   add_column(along_psi, row, view.places(), h.value * view.row());
                 });
}

void FunctionRateBatch::nonholonomic(const State& s, Level level, Vector& k) const {
  for (const FunctionEquation& equation : equations_) {
    const MotionValue at = value_of(bodies_, equation, s);
    k(equation.row) += level == Level::kVelocity ? at.value : at.rate;
  }
}

void FunctionRateBatch::nonholonomic_tangent(const State& s, const Chart& c, Level level,
                                             SparseMatrix& along_q, SparseMatrix& along_v) const {
  for_each_slope(
      bodies_, equations_, true, s,
      [&](int row, const auto& view, const Slope& f, const Slope& h) {
        if (level == Level::kVelocity) {
          add_row(along_q, row, view.places(),
                  f.value * view.value_tangent() + h.value * view.rate_tangent());
          add_row(along_v, row, view.places(), h.value * view.row());
        } else {
          const double of_rate = f.value + h.rate;
          add_row(along_q, row, view.places(),
                  f.rate * view.value_tangent() + of_rate * view.rate_tangent() +
                      h.value * view.acceleration_tangent());
          add_row(along_v, row, view.places(),
                  of_rate * view.row() + h.value * view.acceleration_along_velocity());
        }
      },
      c);
}

}  // namespace picus
