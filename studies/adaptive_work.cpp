// SPDX-License-Identifier: BSD-3-Clause
#include "studies/adaptive_work.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "picus/simulation/adaptive_step.h"
#include "picus/simulation/simulate.h"
#include "studies/observed_order.h"

namespace picus::studies {
namespace {

constexpr int kFirstSteps = 5;  // runs for each tolerance: where impacts fall into steps is chance

struct AdaptiveRun {
  double error = 0.0;
  long evaluations = 0, rejected = 0;
};

AdaptiveRun run_adaptive(const ImpactCase& problem, const OptionValues& options, double tolerance,
                         double first_step) {
  AdaptiveStep control({.tolerance = tolerance,
                        .h_initial = first_step,
                        .safety = 1.0,
                        .max_growth = 5.0,
                        .max_shrink = 0.5,
                        .dead_band = 1.0});
  const auto stepper = make_stepper("moreau_adaptive", options);
  State state = problem.start;
  AdaptiveRun run;
  *problem.evaluations = 0;
  const Summary summary = simulate(
      *problem.system, state, *stepper, control, {.end_time = problem.end}, [&](const Moment& now) {
        const double exact = problem.exact.at(now.state.time).position;
        run.error += now.h * std::abs(now.state.position(0) - exact);  // acary (21)
        return true;
      });
  if (!summary.ok()) throw std::runtime_error(summary.message);
  run.evaluations = *problem.evaluations;
  run.rejected = summary.rejected;
  return run;
}

}  // namespace

double WorkCurve::order_in_tolerance() const {
  return observed_order(tolerance, error);
}

double WorkCurve::cost() const {
  return -observed_order(error, evaluations);
}

double WorkCurve::evaluations_for(double wanted) const {
  double mean_error = 0.0, mean_work = 0.0;
  const double part = 1.0 / static_cast<double>(error.size());
  for (std::size_t i = 0; i < error.size(); ++i) {
    mean_error += part * std::log(error[i]);
    mean_work += part * std::log(evaluations[i]);
  }
  return std::exp(mean_work - cost() * (std::log(wanted) - mean_error));
}

WorkCurve constant_steps(const ImpactCase& problem) {
  WorkCurve curve{.name = "constant steps"};
  const ImpactStudy study =
      study_steps(problem, "moreau_jean", {.largest = 5e-2, .count = 7, .runs = 8});
  for (std::size_t i = 0; i < study.h.size(); ++i) {
    curve.error.push_back(study.errors[i].position.l1);
    curve.evaluations.push_back(study.evaluations[i]);
    curve.rejected.push_back(0.0);
  }
  return curve;
}

WorkCurve adaptive_steps(const ImpactCase& problem, std::string name, const OptionValues& options) {
  WorkCurve curve{.name = std::move(name)};
  for (int decade = 2; decade <= 8; ++decade) {
    const double tolerance = std::pow(10.0, -decade);
    double error = 0.0, evaluations = 0.0, rejected = 0.0;
    for (int k = 0; k < kFirstSteps; ++k) {
      const AdaptiveRun run = run_adaptive(problem, options, tolerance, 1e-3 * (1.0 + 0.13 * k));
      error += run.error / kFirstSteps;
      evaluations += static_cast<double>(run.evaluations) / kFirstSteps;
      rejected += static_cast<double>(run.rejected) / kFirstSteps;
    }
    curve.tolerance.push_back(tolerance);
    curve.error.push_back(error);
    curve.evaluations.push_back(evaluations);
    curve.rejected.push_back(rejected);
  }
  return curve;
}

Panel work_panel(const ImpactCase& problem, const std::vector<WorkCurve>& curves) {
  Panel panel{.title = problem.name,
              .x = {.label = "‖e‖₁ of q [m s]", .scale = Scale::kLog},
              .y = {.label = "evaluations of the force", .scale = Scale::kLog}};
  for (std::size_t i = 0; i < curves.size(); ++i)
    panel.curves.push_back({.name = curves[i].name,
                            .x = curves[i].error,
                            .y = curves[i].evaluations,
                            .colour = colour_of(i),
                            .marker = marker_of(i),
                            .line = line_of(i)});
  return panel;
}

Table table_of(const WorkCurve& curve) {
  Table table{{"tolerance", "error", "evaluations", "rejected steps"}, {}};
  for (std::size_t i = 0; i < curve.error.size(); ++i)
    table.rows.push_back({curve.tolerance.empty() ? 0.0 : curve.tolerance[i], curve.error[i],
                          curve.evaluations[i], curve.rejected[i]});
  return table;
}

}  // namespace picus::studies
