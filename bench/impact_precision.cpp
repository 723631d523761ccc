// SPDX-License-Identifier: BSD-3-Clause
// Work and precision through impacts: our methods, Siconos and an event-driven solution with
// SUNDIALS on the four problems of studies/impact_problems.h, each with a sequence of steps or
// tolerances. The error of all is that of path_error().
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "bench/precision_engines.h"
#include "bench/session.h"
#include "bench/table.h"
#include "picus/picus.h"
#include "studies/counted.h"
#include "studies/impact_methods.h"
#include "studies/problems/impacts.h"

namespace {

using namespace picus;
using namespace picus::bench;
using studies::ImpactMethod;
using studies::ImpactProblem;

constexpr int kRepetitions = 5;
constexpr std::size_t kFewSettings = 2;  // in a smoke run
constexpr double kLeastSeconds = 5e-3;   // a shorter run is repeated
constexpr double kLongSeconds = 0.5;     // a longer one is measured once
constexpr std::array kTargets{1e-3, 1e-6, 1e-9};

struct Point {
  double setting = 0.0, error = 0.0, seconds = 0.0;
  long steps = 0, evaluations = 0;
};

/// An engine with a method.
struct Engine {
  std::string name;
  std::vector<double> settings;  ///< the coarsest first
  std::function<std::optional<EngineRun>(double setting)> run;
  std::vector<Point> points = {};
  std::string trouble = {};  ///< of the settings that failed

  /// The engine says that it knows no such problem.
  bool is_missing() const { return trouble.find("not yet implemented") != std::string::npos; }
};

std::vector<double> powers(double first, double factor, int count) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i)
    result.push_back(first * std::pow(factor, i));
  return result;
}

void add_ours(std::vector<Engine>& engines, const ImpactProblem& problem) {
  for (const ImpactMethod& method : studies::impact_methods()) {
    if (!accepts(method, problem)) continue;
    engines.push_back({"Picus, " + method.name, method.settings(method.count),
                       [&problem, method](double setting) -> std::optional<EngineRun> {
                         try {
                           const studies::MethodRun run = run_method(problem, method, setting);
                           return EngineRun{run.path, run.seconds, run.steps, run.evaluations, {}};
                         } catch (const std::runtime_error& error) {
                           return EngineRun{{}, 0.0, 0, 0, error.what()};
                         }
                       }});
  }
}

/// The pendulum in its minimal coordinate, as the other engines have it.
struct WallAngle {
  static constexpr int kCoordinates = 1, kContacts = 1;
  static constexpr std::array kAngles{0};
  WallPendulum p;

  auto mass(const auto&) const { return diagonal(p.inertia); }
  auto force(const auto& s) const { return s.vector(p.torque * cos(s.q(0))); }
  auto gap(const auto& s) const { return s.vector(p.wall - s.q(0)); }
  ContactLaw law(int) const { return {.restitution = p.restitution}; }
};

ImpactProblem angle_problem(const WallPendulum& pendulum) {
  ImpactProblem problem;
  problem.name = "angle";
  problem.evaluations = std::make_unique<long>(0);
  problem.system =
      make_system(studies::Counted<WallAngle>{{pendulum}, problem.evaluations.get()}, problem.name);
  problem.start.position = Vector::Constant(1, pendulum.angle);
  problem.start.velocity = Vector::Zero(1);
  problem.end = pendulum.end;
  problem.longest_step = 1e-2 * pendulum.end;
  return problem;
}

studies::ImpactPath tip_of(const studies::ImpactPath& angle, double length) {
  studies::ImpactPath path;
  for (std::size_t i = 0; i < angle.time.size(); ++i) {
    const double theta = angle.position[i];
    const std::array tip{length * std::cos(theta), length * std::sin(theta), theta};
    path.add(angle.time[i], tip.data(), tip.size());
  }
  return path;
}

void add_ours_in_minimal_coordinates(std::vector<Engine>& engines, const WallPendulum& pendulum) {
  const auto problem = std::make_shared<const ImpactProblem>(angle_problem(pendulum));
  for (const ImpactMethod& method : studies::impact_methods()) {
    if (!method.name.starts_with("event_driven") && method.name != "event_capturing") continue;
    if (method.name.find("SOI2") != std::string::npos)
      continue;  // for stiff parts, of which there are none
    engines.push_back(
        {"Picus, " + method.name + ", the angle alone", method.settings(method.count),
         [problem, method, pendulum](double setting) -> std::optional<EngineRun> {
           const studies::MethodRun run = run_method(*problem, method, setting);
           return EngineRun{
               tip_of(run.path, pendulum.length), run.seconds, run.steps, run.evaluations, {}};
         }});
  }
}

template <class Numbers>
void add_others(std::vector<Engine>& engines, const ImpactProblem& problem,
                const Numbers& numbers) {
  std::vector<double> steps;
  const int count = problem.system->sizes().slips > 0 ? 4 : 5;  // with friction a step takes 0.1 ms
  for (const double part : powers(1.0, 0.25, count))            // odd numbers of steps, as ours
    steps.push_back(problem.end /
                    (2.0 * std::round(0.5 * problem.end / (part * problem.longest_step)) + 1.0));
  engines.push_back(
      {"Siconos, Moreau–Jean", steps, [numbers](double h) { return siconos_moreau(numbers, h); }});
  const std::vector<double> tolerances = powers(1e-3, 0.1, 11);
  engines.push_back({"Siconos, event-driven", tolerances,
                     [numbers](double tolerance) { return siconos_events(numbers, tolerance); }});
  const auto sundials = [&](const char* name, SundialsMethod method) {
    engines.push_back({name, tolerances, [numbers, method](double tolerance) {
                         return std::optional(sundials_events(numbers, method, tolerance));
                       }});
  };
  sundials("SUNDIALS ERKStep, Dormand–Prince 5", SundialsMethod::kDormandPrince5);
  sundials("SUNDIALS ERKStep, Fehlberg 8", SundialsMethod::kFehlberg8);
  sundials("SUNDIALS CVODE, Adams", SundialsMethod::kAdams);
}

/// Once for the error, then often for the time.
void measure(const ImpactProblem& problem, std::vector<Engine>& engines, Effort effort) {
  Session session(effort);
  const auto label = [](const Engine& engine, double setting) {
    return fmt::format("{} {}", engine.name, setting);
  };
  for (Engine& engine : engines) {
    if (effort == Effort::kSmoke)
      engine.settings.resize(std::min(kFewSettings, engine.settings.size()));
    for (const double setting : engine.settings) {
      const std::optional<EngineRun> once = engine.run(setting);
      if (!once) break;
      if (!once->trouble.empty()) {
        if (engine.trouble.empty()) engine.trouble = fmt::format("{}: {}", setting, once->trouble);
        continue;
      }
      engine.points.push_back({setting, path_error(problem, once->path), once->seconds, once->steps,
                               once->evaluations});
      if (once->seconds > kLongSeconds) continue;
      const int runs = std::max(1, static_cast<int>(kLeastSeconds / once->seconds));
      session.add_timed(label(engine, setting), [&engine, setting, runs] {
        double seconds = 0.0;
        for (int i = 0; i < runs; ++i)
          seconds += engine.run(setting)->seconds;
        return seconds / runs;
      });
    }
  }
  session.run(kRepetitions);
  for (Engine& engine : engines)
    for (Point& point : engine.points)
      if (point.seconds <= kLongSeconds)
        point.seconds = session.seconds(label(engine, point.setting));
}

struct Reached {
  double seconds = 0.0;
  bool at_once = false;  ///< with the coarsest setting already
};

/// CPU time at which all finer settings, too, are below the error: on the line between the last
/// setting above it and the next, both logarithmic.
std::optional<Reached> reach(const std::vector<Point>& points, double error) {
  std::size_t first = points.size();
  while (first > 0 && points[first - 1].error <= error)
    --first;
  if (first == points.size()) return {};
  const Point& below = points[first];
  if (first == 0) return Reached{below.seconds, true};
  const Point& above = points[first - 1];
  const double part = std::log(above.error / error) / std::log(above.error / below.error);
  return Reached{above.seconds * std::pow(below.seconds / above.seconds, part), false};
}

Table who_is_cheapest(const ImpactProblem& problem, const std::vector<Engine>& engines) {
  Table table{"work_precision_" + problem.name + "_impacts",
              fmt::format("{}, CPU time to reach an error, ms; in brackets over the cheapest",
                          problem.title),
              {"engine, method"},
              {}};
  std::array<double, kTargets.size()> cheapest{};
  for (std::size_t k = 0; k < kTargets.size(); ++k) {
    table.columns.push_back(fmt::format("{:.0e}", kTargets[k]));
    cheapest[k] = HUGE_VAL;
    for (const Engine& engine : engines)
      if (const auto reached = reach(engine.points, kTargets[k]))
        cheapest[k] = std::min(cheapest[k], reached->seconds);
  }
  table.columns.insert(table.columns.end(), {"least error", "its ms", "its evaluations"});
  for (const Engine& engine : engines) {
    if (engine.points.empty() && engine.trouble.empty()) continue;  // not installed
    std::vector<std::string> row{engine.name};
    for (std::size_t k = 0; k < kTargets.size(); ++k) {
      const auto reached = reach(engine.points, kTargets[k]);
      row.push_back(!reached ? ""
                             : fmt::format("{}{} ({})", reached->at_once ? "≤ " : "",
                                           number(1e3 * reached->seconds),
                                           number(reached->seconds / cheapest[k])));
    }
    const auto best =
        std::min_element(engine.points.begin(), engine.points.end(),
                         [](const Point& a, const Point& b) { return a.error < b.error; });
    if (best == engine.points.end())
      row.insert(row.end(), {engine.is_missing() ? "not implemented" : "failed", "", ""});
    else
      row.insert(row.end(),
                 {fmt::format("{:.0e}", best->error), number(1e3 * best->seconds),
                  best->evaluations > 0 ? std::to_string(best->evaluations) : std::string()});
    table.add(std::move(row));
  }
  return table;
}

/// Everything measured, for the terminal.
Table all_points(const ImpactProblem& problem, const std::vector<Engine>& engines) {
  Table table{"points_" + problem.name,
              problem.title,
              {"engine, method", "setting", "steps", "evaluations", "error", "ms"},
              {}};
  for (const Engine& engine : engines)
    for (const Point& p : engine.points)
      table.add({engine.name, fmt::format("{:.3g}", p.setting), std::to_string(p.steps),
                 std::to_string(p.evaluations), fmt::format("{:.2e}", p.error),
                 number(1e3 * p.seconds)});
  return table;
}

template <class Numbers>
Table contest(const ImpactProblem& problem, const Numbers& numbers, Effort effort) {
  std::vector<Engine> engines;
  add_ours(engines, problem);
  if constexpr (std::is_same_v<Numbers, WallPendulum>)
    add_ours_in_minimal_coordinates(engines, numbers);
  add_others(engines, problem, numbers);
  measure(problem, engines, effort);
  print(all_points(problem, engines));
  for (const Engine& engine : engines)
    if (!engine.trouble.empty())
      fmt::print("{} on the {} fails with setting {}\n", engine.name, problem.name, engine.trouble);
  Table table = who_is_cheapest(problem, engines);
  print(table);
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  const ImpactProblem ball = studies::ball_problem(), oscillator = studies::oscillator_problem(),
                      pendulum = studies::pendulum_problem(),
                      woodpecker = studies::woodpecker_problem();
  const problems::BouncingBall b;
  const problems::ImpactOscillator o;
  const problems::BouncingPendulum p;
  std::vector<Table> tables;
  const auto add = [&](const ImpactProblem& problem, const auto& numbers) {
    if (line.asks_for(problem.name)) tables.push_back(contest(problem, numbers, line.effort));
  };
  add(ball, OneCoordinate{b.m, 0.0, 0.0, b.m * b.f, b.e, 1.0, ball.end});
  add(oscillator, OneCoordinate{o.m, o.c, o.k, 0.0, o.e, 1.0, oscillator.end});
  add(pendulum, WallPendulum{p.J + p.m * p.L * p.L, p.m * p.g * p.L, p.L, 0.25 * std::numbers::pi,
                             p.e, pendulum.start.position(2), pendulum.end});
  add(woodpecker, ThreeContacts{studies::woodpecker_contacts(), woodpecker.end});
  return write_json(line, tables);
}
