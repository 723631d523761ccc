// SPDX-License-Identifier: BSD-3-Clause
// acary example 1 with every method of the catalog that steps across impacts: infinitely many
// impacts until t = 3 and the rest after them, against the closed form (10).
#include <cmath>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/impact_errors.h"

namespace picus::studies {
namespace {

constexpr int kBallSteps = 5001;  // h ≈ 1 ms, and no impact falls onto a step
constexpr double kAccumulation = 3.0;

// The last time at which the ball is faster than `speed`.
double last_faster_than(const ImpactRun& run, double speed) {
  for (std::size_t i = run.time.size(); i-- > 0;)
    if (std::abs(run.velocity[i]) > speed) return run.time[i];
  return 0.0;
}

void claim_rest(Report& report, const std::string& who, const ImpactRun& run) {
  // the impact at 3 - s is met with the speed s and left with s/2: that with s = 1/32 is the last
  // one met with more than 3/128
  constexpr double kSlow = 3.0 / 128.0, kMet = 1.0 / 32.0;
  report.claim(who + ": last time faster than 3/128 m/s [s]",
               within(last_faster_than(run, kSlow), kAccumulation - kMet, 5.0 * run.h));
  report.claim(who + ": height at the end, over h [m/s]",
               below(std::abs(run.position.back()) / run.h, 1.0));
  report.claim(who + ": velocity at the end, over h [m/s²]",
               below(std::abs(run.velocity.back()) / run.h, 1.0));
}

// Methods that find the impacts have no error that a flight would show.
void claim_events(Report& report, const ImpactCase& ball,
                  const std::pair<std::string, ImpactRun>& run) {
  const ImpactErrors errors = errors_of(ball, run.second);
  report.claim(run.first + ": error of q, uniform norm [m]", below(errors.position.max, 1e-9));
  report.claim(run.first + ": deepest penetration [m]", below(errors.penetration, 1e-12));
}

Panel curve_panel(const char* title, const char* label, Range range,
                  const std::vector<std::pair<std::string, ImpactRun>>& runs,
                  std::vector<double> ImpactRun::*what, const FilledGraph& exact) {
  Panel panel{.title = title, .x = {.label = "t [s]", .range = range}, .y = {.label = label}};
  const auto add = [&](std::string name, const std::vector<double>& time,
                       const std::vector<double>& value, Colour colour, Line line) {
    Curve curve{.name = std::move(name), .colour = colour, .line = line};
    for (std::size_t i = 0; i < time.size(); ++i) {
      if (time[i] < range.low || time[i] > range.high) continue;
      curve.x.push_back(time[i]);
      curve.y.push_back(value[i]);
    }
    panel.curves.push_back(std::move(curve));
  };
  for (std::size_t i = 0; i < runs.size(); ++i)
    add(runs[i].first, runs[i].second.time, runs[i].second.*what, colour_of(i), line_of(i));
  add("exact", exact.time, exact.value, Colour::kBlack, Line::kDashed);
  return panel;
}

}  // namespace

void bouncing_ball(Report& report) {
  const ImpactCase ball = ball_case();
  const StepSizes sizes{.largest = 1e-2, .count = 5, .runs = 8};
  std::vector<ImpactStudy> studies;
  std::vector<std::pair<std::string, ImpactRun>> runs;
  for (const StepperEntry& entry : stepper_catalog()) {
    if (!entry.make({})->traits().handles_impacts) continue;
    const std::string name(entry.name);
    runs.emplace_back(name, run_steps(ball, name, kBallSteps));
    claim_rest(report, name, runs.back().second);
    if (entry.make({})->traits().stops_at_events) {
      claim_events(report, ball, runs.back());
      continue;
    }
    studies.push_back(study_steps(ball, name, sizes));
    claim_orders(report, studies.back());
    report.curves(name, table_of(studies.back()));
  }
  Table table{{"t", "exact q", "exact v"}, {}};
  for (const auto& [name, run] : runs)
    for (const char* what : {"q", "v"})
      table.columns.push_back(fmt::format("{} {}", what, name));
  for (std::size_t i = 0; i < runs.front().second.time.size(); ++i) {
    const double t = runs.front().second.time[i];
    std::vector<double> row{t, ball.exact.at(t).position, ball.exact.at(t).velocity};
    for (const auto& [name, run] : runs)
      row.insert(row.end(), {run.position[i], run.velocity[i]});
    table.rows.push_back(std::move(row));
  }
  report.curves("motion", std::move(table));
  Figure motion{.title = "Bouncing ball, h = 1 ms", .columns = 2};
  const Range all{0.0, 4.0}, end{2.9, 3.05};
  motion.panels.push_back(
      curve_panel("height", "q [m]", all, runs, &ImpactRun::position, ball.position));
  motion.panels.push_back(
      curve_panel("velocity", "v [m/s]", all, runs, &ImpactRun::velocity, ball.velocity));
  motion.panels.push_back(curve_panel("height before the rest", "q [m]", end, runs,
                                      &ImpactRun::position, ball.position));
  motion.panels.push_back(curve_panel("velocity before the rest", "v [m/s]", end, runs,
                                      &ImpactRun::velocity, ball.velocity));
  report.figure("motion", std::move(motion));
  report.figure("work", {.title = "Work and precision, constant steps",
                         .columns = 2,
                         .panels = {work_panel(studies, Cost::kEvaluations),
                                    work_panel(studies, Cost::kTime)}});
}

}  // namespace picus::studies
