// SPDX-License-Identifier: BSD-3-Clause
#include "studies/impact_errors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include <fmt/format.h>

#include "picus/dynamics/consistent_state.h"
#include "studies/counted.h"
#include "studies/observed_order.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

// Of the exact graphs [s]. Lines between samples are off by its square over 8, times an
// acceleration or its rate: 2.5e-7 for the ball.
constexpr double kReferenceSpacing = 1e-3;

template <class Problem>
ImpactCase make_case(std::string name, const Problem& problem, double end,
                     const problems::ImpactMotion& exact) {
  auto evaluations = std::make_unique<long>(0);
  auto system = make_system(Counted<Problem>{problem, evaluations.get()}, name);
  const auto graph = [&](double problems::Motion::*what) {
    return filled_graph(exact.impacts(), end, kReferenceSpacing,
                        [&](std::size_t flight, double t) { return exact.at(flight, t).*what; });
  };
  FilledGraph position = graph(&problems::Motion::position);
  FilledGraph velocity = graph(&problems::Motion::velocity);
  return {.name = std::move(name),
          .system = std::move(system),
          .evaluations = std::move(evaluations),
          .start = problem.at(1.0, 0.0),
          .end = end,
          .exact = exact,
          .position = std::move(position),
          .velocity = std::move(velocity)};
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

GridNorms sum(const GridNorms& a, const GridNorms& b) {
  return {a.l1 + b.l1, a.l2 + b.l2, a.max + b.max};
}

GridNorms scaled(const GridNorms& norms, double factor) {
  return {factor * norms.l1, factor * norms.l2, factor * norms.max};
}

ImpactErrors mean_of(std::span<const ImpactErrors> all) {
  ImpactErrors total;
  for (const ImpactErrors& e : all) {
    total.position = sum(total.position, e.position);
    total.velocity = sum(total.velocity, e.velocity);
    total.position_graph += e.position_graph;
    total.velocity_graph += e.velocity_graph;
    total.penetration = std::max(total.penetration, e.penetration);
  }
  const double part = 1.0 / static_cast<double>(all.size());
  return {scaled(total.position, part), scaled(total.velocity, part), part * total.position_graph,
          part * total.velocity_graph, total.penetration};
}

Panel error_panel(const ImpactStudy& study, const char* what, const char* label,
                  Measure NamedMeasure::*of) {
  Panel panel{.title = fmt::format("{}, {}", study.problem, what),
              .x = {.label = "h [s]", .scale = Scale::kLog},
              .y = {.label = label, .scale = Scale::kLog}};
  for (const NamedMeasure& measure : kMeasures)
    panel.curves.push_back({.name = measure.name,
                            .x = study.h,
                            .y = study.values(measure.*of),
                            .colour = measure.colour,
                            .marker = measure.marker});
  double lowest = panel.curves.front().y.front();
  for (const Curve& curve : panel.curves)
    lowest = std::min(lowest, curve.y.front());
  panel.curves.push_back(slope_guide(1.0, study.h.back(), study.h.front(), 0.5 * lowest));
  return panel;
}

}  // namespace

ImpactCase ball_case() {
  const problems::BouncingBall ball;
  return make_case("ball", ball, 5.0, problems::exact_motion(ball, 1.0));
}

ImpactCase oscillator_case() {
  const problems::ImpactOscillator oscillator;
  const double end = 10.0;
  return make_case("oscillator", oscillator, end, problems::exact_motion(oscillator, 1.0, end));
}

// What rounding may leave of a step.
constexpr double kSliver = 1e-12;

ImpactRun run_steps(const ImpactCase& problem, std::string_view stepper, int steps) {
  ImpactRun run;
  run.h = problem.end / steps;
  State state = problem.start;
  if (const Consistency start = make_consistent(*problem.system, state); !start.ok())
    throw std::runtime_error(start.message);
  const auto method = make_stepper(stepper);
  method->start(*problem.system, state);
  for (std::vector<double>* values : {&run.time, &run.position, &run.velocity})
    values->reserve(static_cast<std::size_t>(steps) + 1);
  const auto record = [&](int n) {
    state.time = n * run.h;
    run.time.push_back(state.time);
    run.position.push_back(state.position(0));
    run.velocity.push_back(state.velocity(0));
  };
  record(0);
  State to = state;
  *problem.evaluations = 0;
  const double begin = cpu_seconds();
  for (int n = 1; n <= steps; ++n) {
    double left = run.h;
    while (left > kSliver * run.h) {  // several times, of methods that stop at events
      const StepReport report = method->attempt(*problem.system, state, left, to);
      if (!report.ok())
        throw std::runtime_error(
            fmt::format("{}: {}", stepper, explain(*problem.system, report, state.time, left)));
      method->accept();
      std::swap(state, to);
      left -= report.taken > 0.0 ? report.taken : left;
    }
    record(n);
  }
  run.seconds = cpu_seconds() - begin;
  run.evaluations = *problem.evaluations;
  return run;
}

ImpactErrors errors_of(const ImpactCase& problem, const ImpactRun& run) {
  ImpactErrors errors;
  std::vector<double> position = run.position, velocity = run.velocity;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const problems::Motion exact = problem.exact.at(run.time[i]);
    errors.penetration = std::max(errors.penetration, -run.position[i]);
    position[i] -= exact.position;
    velocity[i] -= exact.velocity;
  }
  errors.position = grid_norms(run.h, position);
  errors.velocity = grid_norms(run.h, velocity);
  errors.position_graph = hausdorff_distance({run.time, run.position}, problem.position);
  errors.velocity_graph = hausdorff_distance({run.time, run.velocity}, problem.velocity);
  return errors;
}

std::vector<double> ImpactStudy::values(Measure measure) const {
  std::vector<double> result;
  for (const ImpactErrors& e : errors)
    result.push_back(measure(e));
  return result;
}

double ImpactStudy::order(Measure measure) const {
  return observed_order(h, values(measure));
}

ImpactStudy study_steps(const ImpactCase& problem, std::string_view stepper,
                        const StepSizes& sizes) {
  ImpactStudy study{.stepper = std::string(stepper), .problem = problem.name};
  for (const double h : halved(sizes.largest, sizes.count)) {
    // odd, so that no impact of the ball falls onto a step
    const int fewest = 2 * static_cast<int>(std::lround(0.5 * problem.end / h)) + 1;
    std::vector<ImpactErrors> errors;
    double step = 0.0, evaluations = 0.0, seconds = 0.0;
    for (int k = 0; k < sizes.runs; ++k) {
      // the error depends on where in its step an impact falls: many places are averaged
      const ImpactRun run = run_steps(problem, stepper, fewest + 2 * k);
      errors.push_back(errors_of(problem, run));
      step += run.h / sizes.runs;
      evaluations += static_cast<double>(run.evaluations) / sizes.runs;
      seconds += run.seconds / sizes.runs;
    }
    study.h.push_back(step);
    study.evaluations.push_back(evaluations);
    study.seconds.push_back(seconds);
    study.errors.push_back(mean_of(errors));
  }
  return study;
}

void claim_orders(Report& report, const ImpactStudy& study) {
  const auto [uniform, l2, graph, l1] = std::to_array(kMeasures);
  const auto claim = [&](const std::string& what, const Check& check) {
    report.claim(fmt::format("{}, {}: {}", study.problem, study.stepper, what), check);
  };
  claim("order of v, Hausdorff distance", within(study.order(graph.velocity), 1.0, 0.15));
  claim("order of v, ‖·‖₁", within(study.order(l1.velocity), 1.0, 0.15));
  claim("order of q, Hausdorff distance", within(study.order(graph.position), 1.0, 0.15));
  claim("order of q, ‖·‖₁", within(study.order(l1.position), 1.0, 0.15));
  // a jump that is one step late is an error of its height over that step
  claim("order of v, ‖·‖₂", within(study.order(l2.velocity), 0.5, 0.15));
  claim("order of v, uniform norm", within(study.order(uniform.velocity), 0.0, 0.15));
  const std::vector<double> error = study.values(uniform.velocity);
  claim("error of v in the uniform norm, finest over coarsest step",
        at_least(error.back() / error.front(), 0.5));
}

Table table_of(const ImpactStudy& study) {
  Table table{{"h"}, {}};
  for (const NamedMeasure& measure : kMeasures)
    for (const char* what : {"v", "q"})
      table.columns.push_back(fmt::format("{} {}", measure.name, what));
  for (const char* what : {"penetration", "force evaluations", "CPU seconds"})
    table.columns.emplace_back(what);
  for (std::size_t i = 0; i < study.h.size(); ++i) {
    std::vector<double> row{study.h[i]};
    for (const NamedMeasure& measure : kMeasures)
      for (const Measure value : {measure.velocity, measure.position})
        row.push_back(value(study.errors[i]));
    row.insert(row.end(), {study.errors[i].penetration, study.evaluations[i], study.seconds[i]});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Panel velocity_error_panel(const ImpactStudy& study) {
  return error_panel(study, "velocity", "error of v", &NamedMeasure::velocity);
}

Panel position_error_panel(const ImpactStudy& study) {
  return error_panel(study, "position", "error of q", &NamedMeasure::position);
}

constexpr std::array kMethodColours{Colour::kBlue,   Colour::kVermilion, Colour::kGreen,
                                    Colour::kPurple, Colour::kOrange,    Colour::kSky,
                                    Colour::kWine,   Colour::kOlive,     Colour::kIndigo};

Colour colour_of(std::size_t i) {
  return kMethodColours[i % kMethodColours.size()];
}

Line line_of(std::size_t i) {
  return i < kMethodColours.size() ? Line::kSolid : Line::kDashed;
}

Marker marker_of(std::size_t i) {
  constexpr Marker kMarkers[] = {Marker::kCircle,  Marker::kSquare, Marker::kTriangle,
                                 Marker::kDiamond, Marker::kCross,  Marker::kPlus};
  return kMarkers[i % std::size(kMarkers)];
}

Panel work_panel(std::span<const ImpactStudy> studies, Cost cost) {
  const bool is_time = cost == Cost::kTime;
  Panel panel{
      .title = studies.front().problem + (is_time ? ", time" : ", evaluations"),
      .x = {.label = "‖e‖₁ of q [m s]", .scale = Scale::kLog},
      .y = {.label = is_time ? "CPU time [s]" : "evaluations of the force", .scale = Scale::kLog}};
  for (std::size_t i = 0; i < studies.size(); ++i)
    panel.curves.push_back(
        {.name = studies[i].stepper,
         .x = studies[i].values([](const ImpactErrors& e) { return e.position.l1; }),
         .y = is_time ? studies[i].seconds : studies[i].evaluations,
         .colour = colour_of(i),
         .marker = marker_of(i),
         .line = line_of(i)});
  return panel;
}

std::vector<ImpactStudy> study_orders(Report& report, std::span<const std::string_view> steppers,
                                      const std::string& title) {
  Figure errors{.title = title, .columns = 2};
  Figure work{.title = "Work and precision, constant steps", .columns = 2};
  std::vector<ImpactStudy> all;
  for (const auto& make : {ball_case, oscillator_case}) {
    const ImpactCase problem = make();
    std::vector<ImpactStudy> studies;
    for (const std::string_view stepper : steppers) {
      studies.push_back(study_steps(problem, stepper));
      report.curves(fmt::format("{}-{}", problem.name, stepper), table_of(studies.back()));
    }
    errors.panels.push_back(velocity_error_panel(studies.front()));
    errors.panels.push_back(position_error_panel(studies.front()));
    work.panels.push_back(work_panel(studies, Cost::kEvaluations));
    work.panels.push_back(work_panel(studies, Cost::kTime));
    std::move(studies.begin(), studies.end(), std::back_inserter(all));
  }
  report.figure("errors", std::move(errors));
  report.figure("work", std::move(work));
  return all;
}

}  // namespace picus::studies
