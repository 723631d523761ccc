// SPDX-License-Identifier: BSD-3-Clause
// The elastic bar of bruls-acary-cardona §6.3 from event to event with error control: HHT-I3
// (negrut-hht-i3), SOI2 (jay-negrut) and Radau IIA against explicit steps, which stability holds
// small whatever the tolerance. Reference: the exact motion of the mesh.
#include <cmath>
#include <ctime>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "picus/picus.h"
#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/bar_solution.h"

namespace picus::studies {
namespace {

struct StiffMethod {
  const char* name;
  const char* smooth;
  double tolerance;  ///< the first; each of the others is a tenth of the one before
  int runs;
  double power;    ///< of the tolerance, at least, that the error follows
  double release;  ///< error of that time with the last tolerance, at most [s]
  Colour colour;
  Marker marker;
};
constexpr StiffMethod kStiffMethods[] = {
    {"SOI2", "soi2", 1e-3, 4, 0.55, 5e-4, Colour::kBlue, Marker::kPlus},
    {"HHT-I3", "hht_i3", 1e-3, 4, 0.55, 5e-4, Colour::kVermilion, Marker::kCross},
    {"Radau IIA 5", "radau_iia", 1e-2, 6, 0.7, 1e-6, Colour::kGreen, Marker::kSquare},
    {"half-explicit 5", "half_explicit", 1e-4, 4, 0.7, 1e-5, Colour::kPurple, Marker::kTriangle}};

constexpr double kStiffLoose = 1e-3;  // a tolerance
constexpr double kStiffEnd = 1.5;     // [s], behind the release

struct StiffRun {
  double error = 0.0;    ///< of the displacements, root mean square [m]
  double release = 0.0;  ///< [s]
  double seconds = 0.0;
  long steps = 0, factorizations = 0;
};

StiffRun fly_to_events(const problems::ElasticBar& bar, const State& exact,
                       const StiffMethod& method, double tolerance) {
  const auto system = bar.make();
  State state = bar.start();
  const auto stepper = make_stepper("event_driven", {{"smooth", method.smooth}});
  AdaptiveStep control({.tolerance = tolerance});
  StiffRun run;
  bool was_closed = false;
  double time = 0.0;
  const std::clock_t begin = std::clock();
  const Summary summary = simulate(
      *system, state, *stepper, control, {.end_time = kStiffEnd}, [&](const Moment& moment) {
        if (moment.is_first()) return true;
        const bool is_closed = moment.stepper.law_modes()[0].mode != ContactMode::kOpen;
        if (was_closed && !is_closed) run.release = time;
        was_closed = is_closed;
        time = moment.state.time;
        return true;
      });
  if (!summary.ok()) throw std::runtime_error(summary.message);
  run.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  run.steps = summary.accepted;
  run.factorizations = summary.factorizations;
  run.error = (state.position - exact.position).norm() / std::sqrt(bar.elements + 1.0);
  return run;
}

}  // namespace

void stiff_events(Report& report) {
  const problems::ElasticBar bar;
  const problems::BarSolution mesh(bar);
  const State exact = mesh.at(kStiffEnd);
  Panel accuracy{.title = "error against tolerance",
                 .x = {.label = "tolerance", .scale = Scale::kLog},
                 .y = {.label = "error of displacements at 1.5 s [m]", .scale = Scale::kLog}};
  Panel steps{.title = "steps",
              .x = {.label = "accepted steps", .scale = Scale::kLog},
              .y = {.label = "error of displacements at 1.5 s [m]", .scale = Scale::kLog}};
  Panel cost{.title = "work",
             .x = {.label = "CPU time [s]", .scale = Scale::kLog},
             .y = {.label = "error of displacements at 1.5 s [m]", .scale = Scale::kLog}};
  Table table{{"method", "tolerance", "error", "release", "steps", "factorizations", "seconds"},
              {}};
  double fewest_explicit = 1e9, most_implicit = 0.0;
  for (std::size_t m = 0; m < std::size(kStiffMethods); ++m) {
    const StiffMethod& method = kStiffMethods[m];
    const bool is_explicit = method.smooth == std::string_view("half_explicit");
    std::vector<double> tolerances, errors, counts, seconds;
    double release = 0.0;
    for (int n = 0; n < method.runs; ++n) {
      const double tolerance = method.tolerance * std::pow(10.0, -n);
      const StiffRun run = fly_to_events(bar, exact, method, tolerance);
      tolerances.push_back(tolerance);
      errors.push_back(run.error);
      counts.push_back(static_cast<double>(run.steps));
      seconds.push_back(run.seconds);
      release = std::abs(run.release - mesh.release());
      if (is_explicit)
        fewest_explicit = std::min(fewest_explicit, counts.back());
      else if (std::abs(tolerance / kStiffLoose - 1.0) < 1e-9)
        most_implicit = std::max(most_implicit, counts.back());
      table.rows.push_back({static_cast<double>(m), tolerance, run.error, run.release,
                            counts.back(), static_cast<double>(run.factorizations), run.seconds});
    }
    report.claim(fmt::format("{}: power of the tolerance that the error follows", method.name),
                 at_least(observed_order(tolerances, errors), method.power));
    report.claim(fmt::format("{}: error of the release with the tolerance {:.0e} [s]", method.name,
                             tolerances.back()),
                 below(release, method.release));
    Curve curve{.name = method.name,
                .x = tolerances,
                .y = errors,
                .colour = method.colour,
                .marker = method.marker};
    accuracy.curves.push_back(curve);
    curve.x = counts;
    steps.curves.push_back(curve);
    curve.x = seconds;
    cost.curves.push_back(std::move(curve));
  }
  report.claim("fewest explicit steps over the most implicit ones at 1e-3",
               at_least(fewest_explicit / most_implicit, 5.0));
  report.curves("runs", std::move(table));
  report.figure("stiff_events",
                {.title = "Elastic bar of 200 elements against a wall, event_driven",
                 .columns = 3,
                 .panels = {accuracy, steps, cost}});
}

}  // namespace picus::studies
