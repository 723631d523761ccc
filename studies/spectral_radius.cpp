// SPDX-License-Identifier: BSD-3-Clause
// The numerical dissipation of the unconstrained methods (jay-negrut §1 names it as the reason for
// the parameter ρ∞): on ẍ = -ω² x one step is a linear map of (q, hv, h²a), with a the shifted
// acceleration. Its matrix is measured by stepping from unit states and compared with the closed
// form derived from the formulas (2).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/math/decompositions.h"
#include "studies/catalog.h"
#include "studies/problems/oscillator.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

using Map = Eigen::Matrix3d;

// At infinity the three roots of the optimal parameters coincide, so that the spectral radius is
// approached only like (ωh)^(-2/3).
constexpr double kAtInfinity = 0.02;

struct Parameters {
  double alpha_m, alpha_f, beta, gamma;
};

Parameters optimal(double alpha_m, double alpha_f) {
  const double alpha = alpha_m - alpha_f;
  return {alpha_m, alpha_f, 0.25 * (1.0 - alpha) * (1.0 - alpha), 0.5 - alpha};
}

Parameters chung_hulbert(double rho) {
  return optimal((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
}

struct Method {
  std::string words, stepper;
  OptionValues options;
  Parameters parameters;
  double at_infinity;  ///< spectral radius for ωh → ∞
  Colour colour;
  Line line = Line::kSolid;
};

std::vector<Method> methods() {
  const auto damped = [](double rho, Colour colour) {
    return Method{fmt::format("generalized-α, ρ = {:g}", rho),
                  "generalized_alpha",
                  to_round_off({{"rho", fmt::format("{}", rho)}}),
                  chung_hulbert(rho),
                  rho,
                  colour};
  };
  // at infinity a double root -(1 + α)/(1 - α), and α/(1 + α), which is smaller down to -1/3
  const auto hht = [](double alpha, Colour colour) {
    return Method{fmt::format("HHT, α = −{:g}", -alpha),
                  "hht",
                  to_round_off({{"alpha", fmt::format("{}", alpha)}}),
                  optimal(0.0, -alpha),
                  (1.0 + alpha) / (1.0 - alpha),
                  colour,
                  Line::kDashed};
  };
  return {{"Newmark, trapezoidal",
           "newmark",
           to_round_off(),
           {0.0, 0.0, 0.25, 0.5},
           1.0,
           Colour::kBlack},
          // β = (γ + 1/2)²/4 with γ = 0.6: roots at infinity coincide at -(3 - 2γ)/(1 + 2γ)
          {"Newmark, β = 0.3025, γ = 0.6",
           "newmark",
           to_round_off({{"beta", "0.3025"}, {"gamma", "0.6"}}),
           {0.0, 0.0, 0.3025, 0.6},
           1.8 / 2.2,
           Colour::kGrey},
          damped(0.9, Colour::kBlue),
          damped(0.5, Colour::kGreen),
          damped(0.2, Colour::kPurple),
          damped(0.0, Colour::kOrange),
          hht(-0.1, Colour::kSky),
          hht(-0.3, Colour::kVermilion)};
}

// The formulas (2) solved for the new values; Ω = ωh.
Map closed_form(const Parameters& p, double Omega) {
  const double O2 = Omega * Omega, f = 1.0 - p.alpha_f;
  const Eigen::RowVector3d free_q(1.0, 1.0, 0.5 - p.beta), free_v(0.0, 1.0, 1.0 - p.gamma);
  const Eigen::RowVector3d a =
      -(p.alpha_m * Eigen::RowVector3d(0.0, 0.0, 1.0) +
        p.alpha_f * O2 * Eigen::RowVector3d(1.0, 0.0, 0.0) + f * O2 * free_q) /
      (1.0 - p.alpha_m + f * p.beta * O2);
  Map A;
  A << free_q + p.beta * a, free_v + p.gamma * a, a;
  return A;
}

// One column for each unit state (q, hv, h²a), with h = 1.
Map measured(const Method& method, double Omega) {
  const auto system = make_system(problems::Oscillator{Omega}, "oscillator");
  Map A;
  for (int column = 0; column < 3; ++column) {
    const auto unit = [&](int part) { return Vector::Constant(1, column == part ? 1.0 : 0.0); };
    State from, to;
    from.position = unit(0);
    from.velocity = unit(1);
    from.acceleration = unit(2);
    size_state(*system, from);
    const auto stepper = make_stepper(method.stepper, method.options);
    stepper->start(*system, from);
    if (!stepper->attempt(*system, from, 1.0, to).ok()) return Map::Constant(std::nan(""));
    A.col(column) << to.position(0), to.velocity(0),
        (*stepper->internal("shifted_acceleration"))(0);
  }
  return A;
}

double radius(const Map& A) {
  return A.allFinite() ? complex_modes(A).values.cwiseAbs().maxCoeff() : std::nan("");
}

std::vector<double> frequencies() {
  std::vector<double> result;
  for (int i = 0; i <= 100; ++i)
    result.push_back(std::pow(10.0, -2.0 + 0.05 * i));
  return result;
}

}  // namespace

void spectral_radius(Report& report) {
  const std::vector<double> Omega = frequencies();
  Table table{{"omega h"}, {}};
  for (const double O : Omega)
    table.rows.push_back({O});
  Panel panel{.x = {.label = "ω h", .scale = Scale::kLog, .range = Range{0.01, 1000.0}},
              .y = {.label = "spectral radius", .range = Range{0.0, 1.05}}};
  for (const Method& method : methods()) {
    double map_difference = 0.0, radius_difference = 0.0, largest = 0.0;
    table.columns.push_back(method.words);
    std::vector<double> radii;
    for (std::size_t i = 0; i < Omega.size(); ++i) {
      const Map found = measured(method, Omega[i]),
                wanted = closed_form(method.parameters, Omega[i]);
      radii.push_back(radius(found));
      table.rows[i].push_back(radii.back());
      map_difference = std::max(map_difference, (found - wanted).cwiseAbs().maxCoeff());
      radius_difference = std::max(radius_difference, std::abs(radii.back() - radius(wanted)));
      largest = std::max(largest, radii.back());
    }
    report.claim(method.words + ": deviation of the map", below(map_difference, 1e-10));
    report.claim(method.words + ": deviation of its spectral radius",
                 below(radius_difference, 1e-10));
    report.claim(method.words + ": excess of the largest spectral radius over 1",
                 below(largest - 1.0, 1e-10));
    report.claim(method.words + ": spectral radius at ωh = 1000",
                 within(radii.back(), method.at_infinity, kAtInfinity));
    panel.curves.push_back({.name = method.words,
                            .x = Omega,
                            .y = radii,
                            .colour = method.colour,
                            .line = method.line});
  }
  report.curves("spectral-radius", std::move(table));
  report.figure("spectral-radius", {.title = "Spectral radius of one step on the linear oscillator",
                                    .panels = {std::move(panel)},
                                    .panel_width = 620.0,
                                    .panel_height = 340.0});
}

}  // namespace picus::studies
