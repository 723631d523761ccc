// SPDX-License-Identifier: BSD-3-Clause
// negrut-hht-i3, "Estimating the local integration error" to "The step-size selection": do errors
// follow the tolerance, and is the estimate the error?
//
// A method of second order with a local error ε per step takes steps h ~ ε^(1/3) and ends with a
// global error ~ h² ~ ε^(2/3).
//
// The true local error of a step compares it with a fine integration over the same time. Both begin
// at the same positions and velocities, the latter made consistent first: HHT-I3 violates velocity
// constraints by O(h²), which would count as a position error of O(h³), as large as what is sought.
// The shifted acceleration is the history of the method, not part of the state.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "studies/belt.h"
#include "studies/catalog.h"
#include "studies/observed_order.h"
#include "studies/problems/oscillator.h"
#include "studies/problems/pendulum.h"
#include "studies/problems/slider_crank.h"
#include "studies/runs.h"

namespace picus::studies {
namespace {

struct Problem {
  std::string name;
  std::unique_ptr<System> system;
  State start;
  double end_time;
  double steady_step;        ///< for the true local error
  int coordinate;            ///< whose value at the end is known
  double reference, within;  ///< that value, and how near a fine run must come
};

// A new problem is one more entry here.
std::vector<Problem> problems_to_study() {
  const problems::Pendulum pendulum;
  const problems::SliderCrank slider_crank;
  std::vector<Problem> result;
  // both references by an eighth-order Runge-Kutta method in the minimal coordinate, to 1e-12
  result.push_back({"pendulum", make_system(pendulum, "pendulum"),
                    pendulum.at(std::numbers::pi / 6.0, 10.0), 2.0, 2e-3, 2, 21.16813891387217,
                    1e-6});
  result.push_back({"slider-crank", make_system(slider_crank, "slider-crank"),
                    slider_crank.at(0.0, 10.0), 2.0, 1e-3, 2, -0.8586768421720, 5e-6});
  return result;
}

struct Method {
  const char* name;
  Colour colour;
  Marker marker;
};
constexpr Method kMethods[] = {{"hht_i3", Colour::kVermilion, Marker::kSquare},
                               {"hht_soi2", Colour::kGreen, Marker::kDiamond},
                               {"soi2", Colour::kBlue, Marker::kCircle}};
constexpr double kTolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
constexpr int kFineSteps = 1 << 16;  // of the reference
constexpr int kSamples = 400;

struct Trajectory {
  std::vector<State> samples;
  std::vector<double> time = {}, step = {};
  Summary summary = {};
};

Trajectory follow(const Problem& problem, const char* method, double tolerance) {
  const auto stepper = make_stepper(method, {{"jacobian_reuse", "across_steps"}});
  AdaptiveStep control({.tolerance = tolerance});
  Recorder recorder(problem.end_time / kSamples);
  const Observer record = recorder.observer();
  Trajectory result;
  State state = problem.start;
  result.summary = simulate(*problem.system, state, *stepper, control,
                            {.end_time = problem.end_time}, [&](const Moment& moment) {
                              if (!moment.is_first()) {
                                result.time.push_back(moment.state.time);
                                result.step.push_back(moment.h);
                              }
                              return record(moment);
                            });
  if (!result.summary.ok()) throw std::runtime_error(result.summary.message);
  result.samples = recorder.states();
  return result;
}

Trajectory reference(const Problem& problem) {
  const auto stepper = make_stepper("soi2");
  FixedStep control(problem.end_time / kFineSteps);
  Recorder recorder(problem.end_time / kSamples);
  run(*problem.system, problem.start, *stepper, control, problem.end_time, recorder.observer());
  return {.samples = recorder.states()};
}

/// Lengths over the extent of the system, angles in radians; root mean square over coordinates.
double difference(const Problem& problem, const Vector& a, const Vector& b) {
  const double extent = problem.system->extent(problem.start);
  double sum = 0.0;
  for (int i = 0; i < a.size(); ++i) {
    const double scale = problem.system->unit_of(i) == Unit::kAngle ? 1.0 : extent;
    sum += std::pow((a(i) - b(i)) / scale, 2);
  }
  return std::sqrt(sum / static_cast<double>(a.size()));
}

double global_error(const Problem& problem, const Trajectory& found, const Trajectory& exact) {
  double largest = 0.0;
  for (std::size_t i = 0; i < exact.samples.size(); ++i)
    largest = std::max(
        largest, difference(problem, found.samples.at(i).position, exact.samples[i].position));
  return largest;
}

// --- the error follows the tolerance ---------------------------------------------------------

void study_tolerances(Report& report, const Problem& problem, Figure& figure) {
  const Trajectory exact = reference(problem);
  report.claim(
      fmt::format("{}: reference run against Runge-Kutta", problem.name),
      within(exact.samples.back().position(problem.coordinate), problem.reference, problem.within));
  Panel errors{.title = problem.name,
               .x = {.label = "tolerance ε", .scale = Scale::kLog},
               .y = {.label = "largest global error", .scale = Scale::kLog}};
  Panel counts{.title = problem.name,
               .x = {.label = "tolerance ε", .scale = Scale::kLog},
               .y = {.label = "steps", .scale = Scale::kLog}};
  Table table{{"tolerance"}, {}};
  for (const double tolerance : kTolerances)
    table.rows.push_back({tolerance});
  double top = 0.0;
  for (const Method& method : kMethods) {
    std::vector<double> tolerances, error, steps;
    std::size_t row = 0;
    for (const double tolerance : kTolerances) {
      const Trajectory found = follow(problem, method.name, tolerance);
      tolerances.push_back(tolerance);
      error.push_back(global_error(problem, found, exact));
      steps.push_back(static_cast<double>(found.summary.accepted));
      for (const double value :
           {error.back(), steps.back(), static_cast<double>(found.summary.rejected),
            static_cast<double>(found.summary.newton_iterations),
            static_cast<double>(found.summary.factorizations)})
        table.rows[row].push_back(value);
      ++row;
    }
    for (const char* what : {"error", "steps", "rejected", "iterations", "factorizations"})
      table.columns.push_back(fmt::format("{} {}", what, method.name));
    const std::string who = fmt::format("{}, {}", problem.name, method.name);
    report.claim(who + ": global error ~ ε^p, p = 2/3",
                 within(observed_order(tolerances, error), 2.0 / 3.0, 0.1));
    report.claim(who + ": steps ~ ε^-p, p = 1/3",
                 within(-observed_order(tolerances, steps), 1.0 / 3.0, 0.03));
    top = std::max(top, error.front());
    const auto curve = [&](const std::vector<double>& y) {
      return Curve{.name = method.name,
                   .x = tolerances,
                   .y = y,
                   .colour = method.colour,
                   .marker = method.marker};
    };
    errors.curves.push_back(curve(error));
    counts.curves.push_back(curve(steps));
  }
  errors.curves.push_back(slope_guide(2.0 / 3.0, 1e-7, 1e-3, 3.0 * top));
  figure.panels.push_back(std::move(errors));
  figure.panels.push_back(std::move(counts));
  report.curves("tolerances-" + problem.name, std::move(table));
}

// --- the estimate is the error ---------------------------------------------------------------

struct LocalErrors {
  std::vector<double> time, truth, estimate;

  /// Root mean squares without the first steps: single ones vanish where the error changes sign.
  double ratio() const {
    double above = 0.0, below = 0.0;
    for (std::size_t i = 5; i < time.size(); ++i) {
      above += estimate[i] * estimate[i];
      below += truth[i] * truth[i];
    }
    return std::sqrt(above / below);
  }
};

LocalErrors local_errors(const Problem& problem, const char* method, OptionValues options,
                         int steps) {
  options.emplace_back("newton_tolerance", "1e-13");
  options.emplace_back("newton_share", "1e-8");
  const auto stepper = make_stepper(method, options);
  constexpr double kTolerance = 1e-6;
  State state = problem.start;
  expects(make_consistent(*problem.system, state).ok(), "the problem starts consistently");
  stepper->control_error(kTolerance);
  stepper->start(*problem.system, state);
  State to = state;
  LocalErrors result;
  const double extent = problem.system->extent(problem.start);
  double length = extent;
  for (int i = 0; i < steps; ++i) {
    const StepReport step = stepper->attempt(*problem.system, state, problem.steady_step, to);
    if (!step.ok()) throw std::runtime_error(explain(*problem.system, step, state.time, to.time));
    stepper->accept();
    State fine = state;
    expects(make_consistent(*problem.system, fine).ok(), "the problem starts consistently");
    const auto exact = make_stepper("soi2", {{"newton_tolerance", "1e-13"}});
    FixedStep control(problem.steady_step / 32.0);
    expects(simulate(*problem.system, fine, *exact, control, {.end_time = to.time}).ok(),
            "fine steps succeed");
    // the same scales as the estimate: displacements beyond the extent enlarge it
    for (int k = 0; k < to.position.size(); ++k)
      if (problem.system->unit_of(k) == Unit::kLength)
        length = std::max(length, std::abs(to.position(k) - problem.start.position(k)));
    double sum = 0.0;
    for (int k = 0; k < to.position.size(); ++k) {
      const double scale = problem.system->unit_of(k) == Unit::kAngle ? 1.0 : length;
      sum += std::pow((to.position(k) - fine.position(k)) / scale, 2);
    }
    result.time.push_back(to.time);
    result.truth.push_back(std::sqrt(sum / static_cast<double>(to.position.size())));
    result.estimate.push_back(kTolerance * step.error);
    std::swap(state, to);
  }
  return result;
}

void study_estimates(Report& report, const Problem& problem, Figure& figure) {
  for (const Method& method : kMethods) {
    const double ratio = local_errors(problem, method.name, {}, 150).ratio();
    report.claim(fmt::format("{}, {}: estimate over true local error, factor at most 1.5",
                             problem.name, method.name),
                 below(std::max(ratio, 1.0 / ratio), 1.5));
  }
  const LocalErrors ours = local_errors(problem, "hht_i3", {}, 150);
  const LocalErrors paper = local_errors(problem, "hht_i3", {{"error_constant", "paper"}}, 150);
  Table table{{"t", "true", "corrected", "paper"}, {}};
  for (std::size_t i = 0; i < ours.time.size(); ++i)
    table.rows.push_back({ours.time[i], ours.truth[i], ours.estimate[i], paper.estimate[i]});
  report.curves("local-errors-" + problem.name, std::move(table));
  figure.panels.push_back(
      {.title = fmt::format("{}, HHT-I3, h = {:g} s", problem.name, problem.steady_step),
       .x = {.label = "t [s]"},
       .y = {.label = "local error", .scale = Scale::kLog},
       .curves = {{.name = "true", .x = ours.time, .y = ours.truth, .colour = Colour::kBlack},
                  {.name = "estimate",
                   .x = ours.time,
                   .y = ours.estimate,
                   .colour = Colour::kBlue,
                   .line = Line::kDashed},
                  {.name = "(26) as printed",
                   .x = ours.time,
                   .y = paper.estimate,
                   .colour = Colour::kVermilion,
                   .line = Line::kDashed}}});
}

// Without constraints only the constants differ. (β - 1/(6(1+α))) / (α/2 + β - 1/6) is 1.742 for
// α = -0.3 and 1.193 for α = -0.05.
void study_constants(Report& report) {
  const problems::Oscillator equations;
  State start;
  start.position = Vector::Constant(1, 1.0);
  start.velocity = Vector::Constant(1, 0.5);
  const Problem problem{
      "oscillator", make_system(equations, "oscillator"), start, 8.0, 0.02, 0, 0.0, 0.0};
  for (const auto& [alpha, factor] : {std::pair("-0.3", 1.742), std::pair("-0.05", 1.193)}) {
    const OptionValues options{{"alpha", alpha}};
    report.claim(fmt::format("oscillator, α = {}: corrected estimate over true error", alpha),
                 near(local_errors(problem, "hht_i3", options, 400).ratio(), 1.0, 0.02));
    OptionValues printed = options;
    printed.emplace_back("error_constant", "paper");
    report.claim(fmt::format("oscillator, α = {}: (26) as printed over true error", alpha),
                 near(local_errors(problem, "hht_i3", printed, 400).ratio(), factor, 0.02));
  }
}

// --- a large mechanism -----------------------------------------------------------------------

constexpr double kBeltEnd = 5e-3, kBeltReference = 5e-9;

std::vector<State> follow_belt(Belt& belt, double tolerance) {
  RunPart part = belt.run();
  part.end_time = kBeltEnd;
  part.output_interval = kBeltEnd / 50.0;
  part.tolerance = tolerance;
  std::vector<State> samples;
  const RunOutcome outcome = run_mechanism(
      belt.mechanism(), assemble_start(belt.mechanism()), plan_of(part, belt.mechanism()),
      [&](const Sample& sample) { samples.push_back(sample.state); });
  if (!outcome.summary.ok()) throw std::runtime_error(outcome.summary.message);
  return samples;
}

/// As difference() above, over the poses of all bodies.
double belt_difference(const Belt& belt, const State& a, const State& b) {
  const Bodies& bodies = belt.mechanism().bodies();
  const double extent = belt.mechanism().system().extent(a);
  double sum = 0.0;
  for (int body = 1; body < bodies.size(); ++body) {
    const Pose<double> one = bodies.pose(body, a.position), other = bodies.pose(body, b.position);
    sum +=
        (one.r - other.r).squaredNorm() / (extent * extent) + std::pow(one.angle - other.angle, 2);
  }
  return std::sqrt(sum / (3.0 * (bodies.size() - 1)));
}

// The start of the belt of negrut-hht-i3, against the same method with a tight tolerance.
void study_belt(Report& report, Figure& figure) {
  Belt belt;
  const std::vector<State> exact = follow_belt(belt, kBeltReference);
  std::vector<double> tolerances, errors;
  Table table{{"tolerance", "error hht_i3"}, {}};
  for (const double tolerance : kTolerances) {
    const std::vector<State> found = follow_belt(belt, tolerance);
    double largest = 0.0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      largest = std::max(largest, belt_difference(belt, found.at(i), exact[i]));
    tolerances.push_back(tolerance);
    errors.push_back(largest);
    table.rows.push_back({tolerance, largest});
  }
  report.claim("belt, hht_i3: global error ~ ε^p, p = 2/3",
               within(observed_order(tolerances, errors), 2.0 / 3.0, 0.15));
  double flattest = 0.0;
  for (std::size_t i = 1; i < errors.size(); ++i)
    flattest = std::max(flattest, errors[i] / errors[i - 1]);
  report.claim("belt, hht_i3: error over that with ten times the tolerance", below(flattest, 1.0));
  Panel panel{.title = "belt, first 5 ms",
              .x = {.label = "tolerance ε", .scale = Scale::kLog},
              .y = {.label = "largest global error", .scale = Scale::kLog}};
  const double top = errors.front();
  panel.curves.push_back({.name = "hht_i3",
                          .x = tolerances,
                          .y = errors,
                          .colour = Colour::kVermilion,
                          .marker = Marker::kSquare});
  panel.curves.push_back(slope_guide(2.0 / 3.0, 1e-7, 1e-3, 3.0 * top));
  figure.panels.push_back(std::move(panel));
  report.curves("tolerances-belt", std::move(table));
}

}  // namespace

void hht_control(Report& report) {
  Figure tolerances{
      .title = "Error control", .columns = 2, .panel_width = 360.0, .panel_height = 260.0};
  Figure estimates{.title = "Estimated and true local errors",
                   .columns = 1,
                   .panel_width = 560.0,
                   .panel_height = 240.0};
  Figure steps{.title = "Steps of HHT-I3, ε = 1e-5",
               .columns = 1,
               .panel_width = 560.0,
               .panel_height = 200.0};
  for (const Problem& problem : problems_to_study()) {
    study_tolerances(report, problem, tolerances);
    study_estimates(report, problem, estimates);
    const Trajectory run = follow(problem, "hht_i3", 1e-5);
    Table table{{"t", "h"}, {}};
    for (std::size_t i = 0; i < run.time.size(); ++i)
      table.rows.push_back({run.time[i], run.step[i]});
    report.curves("steps-" + problem.name, std::move(table));
    steps.panels.push_back({.title = problem.name,
                            .x = {.label = "t [s]"},
                            .y = {.label = "h [s]", .scale = Scale::kLog},
                            .curves = {{.x = run.time, .y = run.step, .marker = Marker::kPlus}}});
  }
  study_belt(report, tolerances);
  study_constants(report);
  report.figure("tolerances", std::move(tolerances));
  report.figure("local-errors", std::move(estimates));
  report.figure("steps", std::move(steps));
}

}  // namespace picus::studies
