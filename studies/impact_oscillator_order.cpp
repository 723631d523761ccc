// SPDX-License-Identifier: BSD-3-Clause
// studer-leine-glocker §10.3: an oscillator that hits a stop, with a fixed order p between impacts
// and h_min = h_max^p across them, so that the whole is of order p in h_max, (50).
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/switching.h"
#include "studies/runs.h"
#include "studies/switching_runs.h"

namespace picus::studies {
namespace {

constexpr double kStopEnd = 1.0;         // behind three impacts
constexpr double kStopRounding = 1e-13;  // smaller steps drown in the rounding of time
// Errors end here: gaps below 1e-13 of the positions count as closed, and steps across impacts are
// at least as small.
constexpr double kStopFloor = 5e-12;
constexpr int kStopRuns = 20;  // over the octave below h, whose errors are averaged
constexpr int kStopOrders = 6;

struct OrderLine {
  std::vector<double> h, error, work;
};

SwitchingRun run_stop(const problems::StoppedOscillator& oscillator, int order, double h_max) {
  const auto system = make_system(oscillator);
  return search_switches(*system, oscillator.start(), kStopEnd, {.order = order},
                         {.h_min = std::pow(h_max, order), .h_max = h_max});
}

// The error depends on where in its step an impact falls.
OrderLine order_line(const problems::StoppedOscillator& oscillator, int order) {
  const double exact = oscillator.at(kStopEnd).position;
  OrderLine line;
  for (const double h : halved(order == 1 ? 8e-3 : 4e-2, 5)) {
    if (std::pow(0.5 * h, order) < kStopRounding) break;
    double error = 0.0, work = 0.0, size = 0.0;
    for (int n = 0; n < kStopRuns; ++n) {
      const double h_max = h * std::pow(0.5, static_cast<double>(n) / kStopRuns);
      const SwitchingRun run = run_stop(oscillator, order, h_max);
      size += h_max / kStopRuns;
      error += std::abs(run.end()(0) - exact) / kStopRuns;
      work += static_cast<double>(run.base_steps) / kStopRuns;
    }
    line.h.push_back(size);
    line.error.push_back(error);
    line.work.push_back(work);
  }
  return line;
}

// Up to p = 4 over all four octaves; beyond, over the steps whose errors are above the floor.
void claim_order(Report& report, int order, const OrderLine& line) {
  std::size_t count = line.h.size();
  if (order > 4)
    count = static_cast<std::size_t>(std::find_if(line.error.begin(), line.error.end(),
                                                  [](double error) { return error < kStopFloor; }) -
                                     line.error.begin());
  const std::span h(line.h), error(line.error);
  report.claim(fmt::format("p = {}: order in h_max over {} octaves, mean of {} runs each", order,
                           count > 0 ? count - 1 : 0, kStopRuns),
               at_least(observed_order(h.first(count), error.first(count)), order - 0.5));
}

// A line from zero and back for every step.
Curve stems(const SwitchingRun& run, const std::vector<double>& values) {
  Curve curve;
  for (std::size_t n = 1; n < run.size(); ++n) {
    curve.x.insert(curve.x.end(), {run.time[n], run.time[n], run.time[n]});
    curve.y.insert(curve.y.end(), {0.0, values[n], 0.0});
  }
  return curve;
}

void draw_motion(Report& report, const problems::StoppedOscillator& oscillator) {
  const SwitchingRun run = run_stop(oscillator, 4, 2e-2);
  double worst = 0.0;
  for (std::size_t n = 1; n < run.size(); ++n)
    worst = std::max(worst, std::abs(run.position[n](0) - oscillator.at(run.time[n]).position));
  report.claim("order 4, h_max = 0.02: switching intervals of three impacts",
               within(static_cast<double>(run.resolved), 6.0, 0.0));
  report.claim("order 4, h_max = 0.02: largest error of x over all steps [m]", below(worst, 1e-5));
  // an impact with the velocity v takes (1 + e) m v, and the next one comes with e v
  const double first = oscillator.first_impact_speed() * (1.0 + oscillator.e) * oscillator.m;
  const double e = oscillator.e;
  double sum = 0.0;
  for (const double impulse : entry(run.impulse, 0))
    sum += impulse;
  report.claim("order 4, h_max = 0.02: impulses of three impacts, sum [N s]",
               near(sum, first * (1.0 + e + e * e), 1e-5));
  report.curves("motion", table_of(run));
  Panel impulse{.title = "contact impulse", .x = {.label = "t [s]"}, .y = {.label = "Λ [N s]"}};
  impulse.curves = {stems(run, entry(run.impulse, 0))};
  Panel x{.title = "position", .x = {.label = "t [s]"}, .y = {.label = "x [m]"}},
      v{.title = "velocity", .x = {.label = "t [s]"}, .y = {.label = "ẋ [m/s]"}};
  x.curves = {over_time(run, "", entry(run.position, 0))};
  v.curves = {over_time(run, "", entry(run.velocity, 0))};
  x.curves.front().marker = v.curves.front().marker = Marker::kCircle;
  Panel h = step_panel("step size"), order = order_panel("order");
  h.curves = {over_time(run, "", run.h)};
  order.curves = {over_time(run, "", run.order)};
  report.figure("motion",
                {.title = "Impact oscillator, order 4, h_max = 0.02, a mark for every step",
                 .columns = 2,
                 .panels = {x, v, impulse, h, order}});
}

}  // namespace

void impact_oscillator_order(Report& report) {
  const problems::StoppedOscillator oscillator;
  draw_motion(report, oscillator);
  Panel error{.title = "error at t = 1 s",
              .x = {.label = "h_max [s]", .scale = Scale::kLog},
              .y = {.label = "|x − x_exact| [m]", .scale = Scale::kLog}},
      work{.title = "work and precision",
           .x = {.label = "steps of the base scheme", .scale = Scale::kLog},
           .y = {.label = "|x − x_exact| [m]", .scale = Scale::kLog}};
  constexpr Marker kMarkers[] = {Marker::kCircle,  Marker::kSquare, Marker::kTriangle,
                                 Marker::kDiamond, Marker::kCross,  Marker::kPlus};
  Table table{{"order", "h_max", "error", "base steps"}, {}};
  for (int order = 1; order <= kStopOrders; ++order) {
    const OrderLine line = order_line(oscillator, order);
    const std::string name = fmt::format("p = {}", order);
    claim_order(report, order, line);
    for (std::size_t i = 0; i < line.h.size(); ++i)
      table.rows.push_back({static_cast<double>(order), line.h[i], line.error[i], line.work[i]});
    const Curve curve{.name = name,
                      .x = line.h,
                      .y = line.error,
                      .colour = static_cast<Colour>(order - 1),
                      .marker = kMarkers[order - 1]};
    error.curves.push_back(curve);
    work.curves.push_back(curve);
    work.curves.back().x = line.work;
    if (order == kStopOrders)
      report.claim("p = 6: error with h_max = 0.02, where errors end [m]",
                   below(line.error[1], 1e-11));
  }
  report.curves("orders", std::move(table));
  report.figure("orders", {.title = "Impact oscillator: h_min = h_max^p across impacts",
                           .columns = 2,
                           .panels = {error, work}});
}

}  // namespace picus::studies
