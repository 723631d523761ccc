// SPDX-License-Identifier: BSD-3-Clause
#include "studies/impact_errors.h"

#include <cmath>
#include <ctime>
#include <stdexcept>

#include <fmt/format.h>

#include "picus/dynamics/consistent_state.h"
#include "studies/observed_order.h"

namespace picus::studies {
namespace {

constexpr double kReferenceSpacing = 1e-4;  // of the exact graphs; lines are off by its square [s]

// A problem that counts the evaluations of its force, not those of its derivatives.
template <class Problem>
struct Counted : Problem {
  long* evaluations;

  auto force(const auto& s) const {
    if constexpr (std::is_same_v<std::decay_t<decltype(s.q(0))>, double>) ++*evaluations;
    return Problem::force(s);
  }
};

template <class Problem>
ImpactCase make_case(std::string name, const Problem& problem, double end,
                     problems::ImpactMotion exact) {
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
          .exact = std::move(exact),
          .position = std::move(position),
          .velocity = std::move(velocity)};
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
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
  Curve guide =
      slope_guide(1.0, study.h.back(), study.h.front(), 0.4 * panel.curves.back().y.front());
  guide.name = "slope 1";
  panel.curves.push_back(std::move(guide));
  return panel;
}

}  // namespace

ImpactCase ball_case() {
  const problems::BouncingBall ball;
  return make_case("bouncing ball", ball, 5.0, problems::exact_motion(ball, 1.0));
}

ImpactCase oscillator_case() {
  const problems::ImpactOscillator oscillator;
  const double end = 15.0;
  return make_case("linear oscillator", oscillator, end,
                   problems::exact_motion(oscillator, 1.0, end));
}

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
    const StepReport report = method->attempt(*problem.system, state, run.h, to);
    if (!report.ok())
      throw std::runtime_error(
          fmt::format("{}: {}", stepper, explain(*problem.system, report, state.time, run.h)));
    method->accept();
    std::swap(state, to);
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

ImpactStudy study_steps(const ImpactCase& problem, std::string_view stepper) {
  constexpr int kPerDecade = 8, kDecades = 2;
  ImpactStudy study{.stepper = std::string(stepper), .problem = problem.name};
  for (int i = 0; i <= kPerDecade * kDecades; ++i) {
    const double h = 1e-2 * std::pow(10.0, -static_cast<double>(i) / kPerDecade);
    // odd, so that no impact of the ball falls onto a step
    const int steps = 2 * static_cast<int>(std::lround(0.5 * problem.end / h)) + 1;
    const ImpactRun run = run_steps(problem, stepper, steps);
    study.h.push_back(run.h);
    study.evaluations.push_back(static_cast<double>(run.evaluations));
    study.seconds.push_back(run.seconds);
    study.errors.push_back(errors_of(problem, run));
  }
  return study;
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

Panel work_panel(std::span<const ImpactStudy> studies, Cost cost) {
  const bool is_time = cost == Cost::kTime;
  Panel panel{
      .title = studies.front().problem + (is_time ? ", time" : ", evaluations"),
      .x = {.label = "‖e‖₁ of q [m s]", .scale = Scale::kLog},
      .y = {.label = is_time ? "CPU time [s]" : "evaluations of the force", .scale = Scale::kLog}};
  constexpr Colour kColours[] = {Colour::kBlue,   Colour::kVermilion, Colour::kGreen,
                                 Colour::kPurple, Colour::kOrange,    Colour::kSky};
  constexpr Marker kMarkers[] = {Marker::kCircle,  Marker::kSquare, Marker::kTriangle,
                                 Marker::kDiamond, Marker::kCross,  Marker::kPlus};
  for (std::size_t i = 0; i < studies.size(); ++i)
    panel.curves.push_back(
        {.name = studies[i].stepper,
         .x = studies[i].values([](const ImpactErrors& e) { return e.position.l1; }),
         .y = is_time ? studies[i].seconds : studies[i].evaluations,
         .colour = kColours[i % std::size(kColours)],
         .marker = kMarkers[i % std::size(kMarkers)]});
  return panel;
}

}  // namespace picus::studies
