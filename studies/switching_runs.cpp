// SPDX-License-Identifier: BSD-3-Clause
#include "studies/switching_runs.h"

#include <stdexcept>

#include <fmt/format.h>

namespace picus::studies {

SwitchingRun search_switches(const System& system, State start, double end_time,
                             const ExtrapolationOptions& extrapolation,
                             const SwitchingOptions& search, const Observer& observe) {
  SwitchingRun run;
  const auto stepper = make_extrapolation(extrapolation);
  SwitchingSearch control(search);
  const Summary summary =
      simulate(system, start, *stepper, control, {.end_time = end_time}, [&](const Moment& moment) {
        run.time.push_back(moment.state.time);
        run.h.push_back(moment.h);
        run.order.push_back(moment.report.order);
        run.position.push_back(moment.state.position);
        run.velocity.push_back(moment.state.velocity);
        const Vector* impulse = moment.is_first() ? nullptr : moment.stepper.impulses().normal;
        run.impulse.push_back(impulse != nullptr ? *impulse : Vector());
        const Vector* friction = moment.is_first() ? nullptr : moment.stepper.impulses().tangential;
        run.friction.push_back(friction != nullptr ? Vector(*friction / moment.h) : Vector());
        const std::span<const LawMode> modes = moment.stepper.law_modes();
        run.modes.emplace_back(modes.begin(), modes.end());
        if (moment.is_first()) run.modes.back().clear();
        return !observe || observe(moment);
      });
  if (!summary.ok()) throw std::runtime_error(summary.message);
  run.attempts = summary.attempts();
  run.base_steps = summary.newton_iterations;  // one each: all is linear but the contacts
  run.resolved = control.resolved();
  return run;
}

std::vector<double> entry(const std::vector<Vector>& values, int i) {
  std::vector<double> result;
  result.reserve(values.size());
  for (const Vector& value : values)
    result.push_back(value.size() > i ? value(i) : 0.0);
  return result;
}

Curve over_time(const SwitchingRun& run, std::string name, const std::vector<double>& values,
                double from) {
  Curve curve{.name = std::move(name)};
  for (std::size_t i = 1; i < run.size(); ++i) {
    if (run.time[i] < from) continue;
    curve.x.push_back(run.time[i]);
    curve.y.push_back(values[i]);
  }
  return curve;
}

Panel step_panel(const std::string& title) {
  return {.title = title,
          .x = {.label = "t [s]"},
          .y = {.label = "step [s]", .scale = Scale::kLog},
          .curves = {}};
}

Panel order_panel(const std::string& title) {
  return {.title = title,
          .x = {.label = "t [s]"},
          .y = {.label = "order", .range = Range{0.0, 7.0}},
          .curves = {}};
}

Table table_of(const SwitchingRun& run) {
  Table table{{"t", "h", "order"}, {}};
  for (Eigen::Index i = 0; i < run.position.front().size(); ++i)
    table.columns.push_back(fmt::format("q{}", i));
  for (Eigen::Index i = 0; i < run.velocity.front().size(); ++i)
    table.columns.push_back(fmt::format("v{}", i));
  for (std::size_t n = 0; n < run.size(); ++n) {
    std::vector<double> row{run.time[n], run.h[n], run.order[n]};
    row.insert(row.end(), run.position[n].begin(), run.position[n].end());
    row.insert(row.end(), run.velocity[n].begin(), run.velocity[n].end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace picus::studies
