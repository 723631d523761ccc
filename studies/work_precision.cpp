// SPDX-License-Identifier: BSD-3-Clause
// Work and precision of every method that steps across impacts, on four problems with known
// solutions. Claims are about errors and counted work; times are drawn, and differ from run to run.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "studies/catalog.h"
#include "studies/impact_errors.h"
#include "studies/impact_methods.h"
#include "studies/observed_order.h"

namespace picus::studies {
namespace {

// One method on one problem, the coarsest setting first.
struct WorkCurve {
  const ImpactMethod* method = nullptr;
  std::size_t number = 0;  ///< of the method, for its colour
  std::vector<double> setting = {}, error = {}, evaluations = {}, steps = {}, seconds = {};
};

// CPU times of less are the least of several runs.
constexpr double kShort = 0.02;
constexpr int kRepeated = 3;

double least_seconds(const ImpactProblem& problem, const ImpactMethod& method, double setting,
                     double seconds) {
  for (int i = 1; i < kRepeated && seconds < kShort; ++i)
    seconds = std::min(seconds, run_method(problem, method, setting).seconds);
  return seconds;
}

// Runs that fail are left out, and told.
WorkCurve work_of(const ImpactProblem& problem, const ImpactMethod& method, std::size_t number,
                  Report& report) {
  WorkCurve curve{&method, number};
  for (const double setting : method.settings(method.count)) {
    MethodRun run;
    try {
      run = run_method(problem, method, setting);
    } catch (const std::runtime_error& trouble) {
      report.note(fmt::format("left out: {}", trouble.what()));
      continue;
    }
    curve.setting.push_back(setting);
    curve.error.push_back(path_error(problem, run.path));
    curve.evaluations.push_back(static_cast<double>(run.evaluations));
    curve.steps.push_back(static_cast<double>(run.steps));
    curve.seconds.push_back(least_seconds(problem, method, setting, run.seconds));
  }
  return curve;
}

// "event_driven, SOI2" → "event_driven-soi2"
std::string file_name(const std::string& method) {
  std::string name;
  for (const char c : method) {
    if (c == ',') continue;
    name += c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  }
  return name;
}

Table work_table(const WorkCurve& curve) {
  Table table{{"setting", "steps", "force evaluations", "error", "CPU seconds"}, {}};
  for (std::size_t i = 0; i < curve.setting.size(); ++i)
    table.rows.push_back(
        {curve.setting[i], curve.steps[i], curve.evaluations[i], curve.error[i], curve.seconds[i]});
  return table;
}

Panel cost_panel(const ImpactProblem& problem, const std::vector<WorkCurve>& curves, bool is_time) {
  Panel panel{
      .title = problem.title,
      .x = {.label = is_time ? "CPU time [s]" : "evaluations of the force", .scale = Scale::kLog},
      .y = {.label = "relative error", .scale = Scale::kLog}};
  for (const WorkCurve& curve : curves)
    panel.curves.push_back({.name = curve.method->name,
                            .x = is_time ? curve.seconds : curve.evaluations,
                            .y = curve.error,
                            .colour = colour_of(curve.number),
                            .marker = marker_of(curve.number),
                            .line = line_of(curve.number)});
  return panel;
}

// Single runs: where impacts fall within steps scatters their errors by factors, which the studies
// of orders average out.
constexpr double kScatter = 0.4;
constexpr double kExact = 1e-11;

void claim_curve(Report& report, const ImpactProblem& problem, const WorkCurve& curve) {
  if (curve.error.empty()) return;  // a note says so
  const std::string who = fmt::format("{}, {}: ", problem.name, curve.method->name);
  if (curve.error.back() < kExact)
    report.claim(who + "error of the finest setting", below(curve.error.back(), kExact));
  else if (curve.method->vary == ImpactMethod::Vary::kTolerance)
    report.claim(who + "error, finest over coarsest tolerance",
                 below(curve.error.back() / curve.error.front(), 0.1));
  else if (curve.method->order > 0)
    report.claim(
        fmt::format("{}order over constant steps, expected {}", who, curve.method->order),
        at_least(observed_order(curve.setting, curve.error), curve.method->order - kScatter));
}

// What the best of all methods reaches on every problem.
constexpr double kReached = 1e-9;

void claim_best(Report& report, const ImpactProblem& problem,
                const std::vector<WorkCurve>& curves) {
  double least = HUGE_VAL;
  for (const WorkCurve& curve : curves)
    for (const double error : curve.error)
      least = std::min(least, error);
  report.claim(problem.name + ": least error of all methods", below(least, kReached));
}

}  // namespace

void work_precision(Report& report) {
  const std::vector<ImpactMethod> methods = impact_methods();
  Figure work{.title = "Error over evaluations of the force (left) and CPU time (right)",
              .columns = 2};
  for (const ImpactProblem& problem : impact_problems()) {
    std::vector<WorkCurve> curves;
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (!accepts(methods[i], problem)) continue;
      curves.push_back(work_of(problem, methods[i], i, report));
      claim_curve(report, problem, curves.back());
      report.curves(fmt::format("{}-{}", problem.name, file_name(methods[i].name)),
                    work_table(curves.back()));
    }
    claim_best(report, problem, curves);
    work.panels.push_back(cost_panel(problem, curves, false));
    work.panels.push_back(cost_panel(problem, curves, true));
  }
  report.figure("work", std::move(work));
}

}  // namespace picus::studies
