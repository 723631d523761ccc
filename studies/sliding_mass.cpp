// SPDX-License-Identifier: BSD-3-Clause
// studer-leine-glocker §10.2: a mass slides on a rough table and is drawn back by a force, which
// ends after three seconds; then it stops. The direction of friction turns where it is slow, which
// is smooth and takes small steps of high order; only its stop is a switching point.
#include <algorithm>
#include <cmath>

#include "studies/catalog.h"
#include "studies/problems/switching.h"
#include "studies/switching_runs.h"

namespace picus::studies {
namespace {

// Two event-driven solutions, in Cartesian and in polar coordinates, agree in these digits.
constexpr double kSlowest = 0.0442492725, kSlowestAt = 0.4787229586;
constexpr double kStopAt = 3.665650043751, kStopX = -1.71187897, kStopY = -0.29877087;
constexpr double kReleasedX = -1.27098797, kReleasedY = -0.25468176,
                 kReleasedSpeed = 1.331300087502;

double sliding_speed(const SwitchingRun& run, std::size_t n) {
  return run.velocity[n].norm();
}

// The vertex of the parabola of speed² through the slowest step and its neighbours.
std::pair<double, double> slowest(const SwitchingRun& run) {
  std::size_t at = 1;
  for (std::size_t n = 1; n + 1 < run.size(); ++n)
    if (sliding_speed(run, n) < sliding_speed(run, at)) at = n;
  const auto square = [&](std::size_t n) { return run.velocity[n].squaredNorm(); };
  const double a = run.time[at - 1] - run.time[at], b = run.time[at + 1] - run.time[at];
  const double fa = square(at - 1) - square(at), fb = square(at + 1) - square(at);
  const double curvature = (fa / a - fb / b) / (a - b), slope = fa / a - curvature * a;
  const double to = -0.5 * slope / curvature;
  return {run.time[at] + to, std::sqrt(square(at) + slope * to + curvature * to * to)};
}

SwitchingRun joined(SwitchingRun first, const SwitchingRun& second) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin() + 1, from.end());
  };
  append(first.time, second.time);
  append(first.h, second.h);
  append(first.order, second.order);
  append(first.position, second.position);
  append(first.velocity, second.velocity);
  append(first.friction, second.friction);
  append(first.modes, second.modes);
  return first;
}

void draw_sliding(Report& report, const SwitchingRun& run) {
  Panel path{.title = "path", .x = {.label = "x [m]"}, .y = {.label = "y [m]"}};
  path.curves = {{.name = "",
                  .x = entry(run.position, 0),
                  .y = entry(run.position, 1),
                  .marker = Marker::kCircle}};
  Panel speed{.title = "speed", .x = {.label = "t [s]"}, .y = {.label = "|u| [m/s]"}};
  std::vector<double> speeds;
  for (std::size_t n = 0; n < run.size(); ++n)
    speeds.push_back(sliding_speed(run, n));
  speed.curves = {over_time(run, "", speeds)};
  Panel force{.title = "friction", .x = {.label = "t [s]"}, .y = {.label = "λ [N]"}};
  force.curves = {over_time(run, "along x", entry(run.friction, 0)),
                  over_time(run, "along y", entry(run.friction, 1))};
  force.curves[1].colour = Colour::kVermilion;
  Panel h = step_panel("step size"), order = order_panel("order");
  h.curves = {over_time(run, "", run.h)};
  order.curves = {over_time(run, "", run.order)};
  report.figure("sliding", {.title = "A mass slides on a table, turns, and stops",
                            .columns = 2,
                            .panels = {path, speed, order, h, force}});
}

}  // namespace

void sliding_mass(Report& report) {
  problems::SlidingMass mass;
  const SwitchingOptions options{.tolerance = 1e-10, .h_min = 1e-9, .h_max = 0.1};
  const auto pulled = make_system(mass);
  const SwitchingRun first = search_switches(*pulled, mass.start(), mass.end_of_pull, {}, options);
  State middle;
  middle.time = mass.end_of_pull;
  middle.position = first.position.back();
  middle.velocity = first.velocity.back();
  mass.pull = {0.0, 0.0};
  const auto released = make_system(mass);
  const SwitchingRun second = search_switches(*released, middle, 4.0, {}, options);

  const auto [time, speed] = slowest(first);
  report.claim("slowest at [s]; reference 0.47872", within(time, kSlowestAt, 1e-3));
  report.claim("slowest speed [m/s]; reference 0.0442493", within(speed, kSlowest, 1e-5));
  report.claim("error of x at 3 s [m]", below(std::abs(first.end()(0) - kReleasedX), 2e-8));
  report.claim("error of y at 3 s [m]", below(std::abs(first.end()(1) - kReleasedY), 2e-8));
  report.claim("error of the speed at 3 s [m/s]",
               below(std::abs(first.velocity.back().norm() - kReleasedSpeed), 1e-8));
  report.claim("switching points before 3 s: the turn is none",
               within(static_cast<double>(first.resolved), 0.0, 0.0));
  double highest = 0.0, smallest = 1.0, stop = 0.0;
  for (std::size_t n = 1; n < first.size(); ++n) {
    if (first.time[n] < 0.2 || first.time[n] > 1.0) continue;
    highest = std::max(highest, first.order[n]);
    smallest = std::min(smallest, first.h[n]);
  }
  report.claim("highest order at the turn", at_least(highest, 5.0));
  report.claim("smallest step at the turn [s]", below(smallest, 0.05));
  for (std::size_t n = 2; n < second.size() && stop == 0.0; ++n)
    if (second.modes[n][0].mode == ContactMode::kStick) stop = second.time[n];
  report.claim("error of the time at which it sticks [s]", below(std::abs(stop - kStopAt), 2e-8));
  report.claim("error of x at rest [m]", below(std::abs(second.end()(0) - kStopX), 2e-8));
  report.claim("error of y at rest [m]", below(std::abs(second.end()(1) - kStopY), 2e-8));
  double off = 0.0;
  for (std::size_t n = 1; n < second.size(); ++n)
    if (second.time[n] < stop)
      off = std::max(off, std::abs(second.friction[n].norm() - mass.limit));
  report.claim("friction while it slides: distance from 2 N [N]", below(off, 1e-6));
  const SwitchingRun run = joined(first, second);
  report.curves("motion", table_of(run));
  draw_sliding(report, run);
}

}  // namespace picus::studies
