// SPDX-License-Identifier: BSD-3-Clause
// bruls-acary-cardona §5.3, Fig. 3: accelerations that start wrong, as after an impact, make every
// formulation oscillate except PVA, which enforces the constraints at acceleration level too.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/pendulum_runs.h"

namespace picus::studies {
namespace {

constexpr double kStep = 2e-3, kEnd = 2.0, kZoom = 0.1;

// First acceleration residuals of P, V and PV found by an independent implementation.
struct Expected {
  const char* gravity_name;
  double gravity;
  std::array<double, 3> first_residual;
};
constexpr Expected kExpected[] = {{"-y", -10.0, {85.871, 85.870, 85.865}},
                                  {"+y", 10.0, {85.604, 85.737, 85.732}}};

// How many of the first `count` steps change the sign of the residual of the x constraint.
double sign_changes(const Residuals& residuals, std::size_t count) {
  const std::vector<double>& g = residuals.x[kAcceleration];
  double changes = 0.0;  // the envelope of P itself passes zero after 16 steps
  for (std::size_t i = 1; i <= count; ++i)
    changes += g[i] * g[i - 1] < 0.0 ? 1.0 : 0.0;
  return changes;
}

void claim_oscillation(Report& report, const std::string& who, const Residuals& found,
                       double first) {
  report.claim(who + ": first acceleration residual",
               near(found.worst[kAcceleration][0], first, 0.02));
  report.claim(who + ": sign changes in the first 10 steps", at_least(sign_changes(found, 10), 10));
}

Curve until(double end, const Formulation& scheme, const std::vector<double>& time,
            const std::vector<double>& values) {
  Curve curve{.colour = scheme.colour};
  for (std::size_t i = 0; i < time.size() && time[i] <= end; ++i) {
    curve.x.push_back(time[i]);
    curve.y.push_back(values[i]);
  }
  if (end < kEnd) {  // successive values, not joined: they jump at every step
    curve.name = scheme.label;
    curve.marker = scheme.marker;
    curve.line = scheme.label == "PVA" ? Line::kSolid : Line::kNone;
  }
  return curve;
}

Figure disturbed_figure(const std::vector<Formulation>& schemes,
                        const std::vector<Residuals>& runs) {
  Figure figure{
      .title = "Pendulum started with zero accelerations, h = 2 ms, ρ = 0.9, gravity along −y",
      .columns = 2,
      .panel_height = 220.0};
  for (const double end : {kEnd, kZoom})
    figure.panels.push_back({.title = "acceleration constraint of x",
                             .x = {.label = "t [s]", .range = Range{0.0, end}},
                             .y = {.label = "residual [m/s²]"}});
  for (const double end : {kEnd, kZoom})
    figure.panels.push_back({.title = "multiplier of the x constraint",
                             .x = {.label = "t [s]", .range = Range{0.0, end}},
                             .y = {.label = "λ [N]"}});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<double>& residual = runs[i].x[kAcceleration];
    figure.panels[0].curves.push_back(until(kEnd, schemes[i], runs[i].time, residual));
    figure.panels[1].curves.push_back(until(kZoom, schemes[i], runs[i].time, residual));
    figure.panels[2].curves.push_back(until(kEnd, schemes[i], runs[i].time, runs[i].multiplier));
    figure.panels[3].curves.push_back(until(kZoom, schemes[i], runs[i].time, runs[i].multiplier));
  }
  return figure;
}

Table curves_of(const std::vector<Formulation>& schemes, const std::vector<Residuals>& runs) {
  Table table{{"t"}, {}};
  for (const Formulation& scheme : schemes) {
    table.columns.push_back(scheme.label + " residual x");
    table.columns.push_back(scheme.label + " residual y");
    table.columns.push_back(scheme.label + " multiplier x");
  }
  for (std::size_t k = 0; k < runs[0].time.size(); ++k) {
    std::vector<double> row{runs[0].time[k]};
    for (const Residuals& residuals : runs) {
      row.push_back(residuals.x[kAcceleration][k]);
      row.push_back(residuals.y[kAcceleration][k]);
      row.push_back(residuals.multiplier[k]);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void pendulum_disturbed(Report& report) {
  std::vector<Formulation> schemes = formulations();
  schemes.resize(4);  // P, V, PV, PVA
  for (const Expected& expected : kExpected) {
    const problems::Pendulum pendulum{.gravity = expected.gravity};
    std::vector<Residuals> runs;
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      runs.push_back(watch_pendulum(pendulum, schemes[i], kStep, kEnd, Start::kDisturbed));
      const std::string who =
          fmt::format("{}, gravity {}", schemes[i].label, expected.gravity_name);
      if (i < expected.first_residual.size())
        claim_oscillation(report, who, runs.back(), expected.first_residual[i]);
      else
        report.claim(who + ": largest acceleration residual",
                     below(runs.back().largest(kAcceleration), 1e-10));
    }
    if (expected.gravity > 0.0) continue;
    report.curves("acceleration-level", curves_of(schemes, runs));
    report.figure("acceleration-level", disturbed_figure(schemes, runs));
  }
}

}  // namespace picus::studies
