// SPDX-License-Identifier: BSD-3-Clause
// Work and precision of every method that steps across impacts, on four problems with known
// solutions. Claims are about errors and counted work; times are drawn, and differ from run to run.
#include <algorithm>

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

WorkCurve work_of(const ImpactProblem& problem, const ImpactMethod& method, std::size_t number) {
  WorkCurve curve{&method, number};
  for (const double setting : method.settings(method.count)) {
    const MethodRun run = run_method(problem, method, setting);
    curve.setting.push_back(setting);
    curve.error.push_back(path_error(problem, run.path));
    curve.evaluations.push_back(static_cast<double>(run.evaluations));
    curve.steps.push_back(static_cast<double>(run.steps));
    curve.seconds.push_back(run.seconds);
  }
  return curve;
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
                            .marker = marker_of(curve.number)});
  return panel;
}

// Single runs: where impacts fall within steps scatters their errors by factors, which the studies
// of orders average out.
constexpr double kScatter = 0.4;
constexpr double kExact = 1e-11;

void claim_curve(Report& report, const ImpactProblem& problem, const WorkCurve& curve) {
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
  double least = curves.front().error.front();
  for (const WorkCurve& curve : curves)
    least = std::min(least, *std::min_element(curve.error.begin(), curve.error.end()));
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
      curves.push_back(work_of(problem, methods[i], i));
      claim_curve(report, problem, curves.back());
      report.curves(fmt::format("{}-{}", problem.name, methods[i].name), work_table(curves.back()));
    }
    claim_best(report, problem, curves);
    work.panels.push_back(cost_panel(problem, curves, false));
    work.panels.push_back(cost_panel(problem, curves, true));
  }
  report.figure("work", std::move(work));
}

}  // namespace picus::studies
