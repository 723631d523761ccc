// SPDX-License-Identifier: BSD-3-Clause
// A ball that bounces until it rests and an elastic bar against a wall, by every method of Picus
// for impacts and by Siconos: CPU time of a step and of a run, and the error, side by side. Methods
// with constant steps are timed without their set-up, those with error control with it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "bench/impact_peers.h"
#include "bench/session.h"
#include "bench/table.h"
#include "picus/base/contract.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/catalog.h"
#include "studies/impact_methods.h"
#include "studies/problems/bar_solution.h"
#include "studies/problems/impacts.h"

namespace {

using namespace picus;
using namespace picus::bench;

constexpr int kRepetitions = 5;

std::optional<ImpactRun> step_through(const std::string& method, const System& system, State s,
                                      double h, double end) {
  ImpactRun run{"Picus, " + method};
  const auto stepper = make_stepper(method);
  expects(make_consistent(system, s).ok(), "a consistent start");
  stepper->start(system, s);
  State to = s;
  run.steps = std::lround(end / h);
  const auto last = s.position.size() - 1;
  const std::clock_t start = std::clock();
  for (long n = 1; n <= run.steps; ++n) {
    const StepReport report = stepper->attempt(system, s, h, to);
    if (!report.ok()) {
      fmt::print(stderr, "{}: {}\n", method, explain(system, report, s.time, h));
      return std::nullopt;  // explicit methods have a longest step
    }
    stepper->accept();
    to.time = static_cast<double>(n) * h;
    run.time.push_back(to.time);
    run.position.push_back(to.position(last));
    std::swap(s, to);
  }
  run.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return run;
}

/// An engine with a method.
struct Engine {
  std::vector<double> settings;  ///< steps [s] or tolerances, the coarsest first
  bool has_constant_steps = true;
  /// Empty when the engine is not installed or its step fails.
  std::function<std::optional<ImpactRun>(double setting)> run;
};

struct Measurement {
  ImpactRun run;
  double setting = 0.0;
  bool has_constant_steps = true;
  double error = 0.0;    ///< mean error of the position [m]
  double seconds = 0.0;  ///< median
};

/// A problem with its exact solution and the engines that solve it.
struct Contest {
  std::string name, title;
  std::function<double(double time)> exact;
  std::vector<Engine> engines = {};
  std::vector<Measurement> measurements = {};

  void run(Effort effort) {
    Session session(effort);
    for (Engine& engine : engines) {
      if (effort == Effort::kSmoke) engine.settings.resize(1);
      for (const double setting : engine.settings) {
        const std::optional<ImpactRun> once = engine.run(setting);
        if (!once) continue;
        double error = 0.0;
        for (std::size_t i = 0; i < once->time.size(); ++i)
          error += std::abs(once->position[i] - exact(once->time[i]));
        error /= static_cast<double>(once->time.size());
        measurements.push_back({*once, setting, engine.has_constant_steps, error, 0.0});
        session.add_timed(label(measurements.back()),
                          [&engine, setting] { return engine.run(setting)->seconds; });
      }
    }
    session.run(kRepetitions);
    for (Measurement& m : measurements)
      m.seconds = session.seconds(label(m));
  }

  static std::string label(const Measurement& m) {
    return fmt::format("{} {}", m.run.engine, m.setting);
  }

  /// Measurements of one engine, the coarsest setting first.
  std::vector<const Measurement*> of(const std::string& engine) const {
    std::vector<const Measurement*> found;
    for (const Measurement& m : measurements)
      if (m.run.engine == engine) found.push_back(&m);
    return found;
  }
};

double steps_of(const Measurement& m) {
  return static_cast<double>(m.run.steps);
}

const std::string kPeer = "Siconos, Moreau–Jean";

Table table_of(const Contest& contest) {
  Table table{contest.name,
              contest.title,
              {"engine, method", "setting", "steps", "mean error [m]", "µs per step", "ms in all",
               "Siconos over this, per step"},
              {}};
  const std::vector<const Measurement*> peers = contest.of(kPeer);
  for (const Measurement& m : contest.measurements) {
    const auto peer = std::find_if(peers.begin(), peers.end(), [&](const Measurement* p) {
      return m.has_constant_steps && p->setting == m.setting && m.run.engine.starts_with("Picus");
    });
    table.add({m.run.engine,
               fmt::format("{} = {:g}{}", m.has_constant_steps ? "h" : "tolerance", m.setting,
                           m.has_constant_steps ? " s" : ""),
               std::to_string(m.run.steps), fmt::format("{:.1e}", m.error),
               number(1e6 * m.seconds / steps_of(m)), number(1e3 * m.seconds),
               peer == peers.end()
                   ? ""
                   : number((*peer)->seconds / steps_of(**peer) / (m.seconds / steps_of(m)))});
  }
  return table;
}

struct Reached {
  double seconds = 0.0;
  bool at_once = false;  ///< with the coarsest setting already
};

/// CPU time at which an engine reaches an error, on the line through its measurements (both
/// logarithmic); nothing beyond them.
std::optional<Reached> reach(const std::vector<const Measurement*>& engine, double error) {
  if (!engine.empty() && engine.front()->error <= error)
    return Reached{engine.front()->seconds, true};
  for (std::size_t i = 0; i + 1 < engine.size(); ++i) {
    const Measurement &a = *engine[i], &b = *engine[i + 1];
    if (a.error < error || b.error > error || a.error <= b.error) continue;
    const double part = std::log(a.error / error) / std::log(a.error / b.error);
    return Reached{a.seconds * std::pow(b.seconds / a.seconds, part), false};
  }
  return {};
}

Table equal_errors(const Contest& contest, const std::vector<double>& errors) {
  Table table{contest.name + "_at_equal_error",
              "CPU time of the run at equal error, ms; in brackets that of Siconos, Moreau–Jean, "
              "over it",
              {"engine, method"},
              {}};
  for (const double error : errors)
    table.columns.push_back(fmt::format("{:.0e} m", error));
  const std::vector<const Measurement*> peer = contest.of(kPeer);
  std::vector<std::string> engines;
  for (const Measurement& m : contest.measurements)
    if (std::find(engines.begin(), engines.end(), m.run.engine) == engines.end())
      engines.push_back(m.run.engine);
  for (const std::string& engine : engines) {
    std::vector<std::string> row{engine};
    for (const double error : errors) {
      const auto own = reach(contest.of(engine), error), other = reach(peer, error);
      std::string cell;
      if (own) cell = (own->at_once ? "≤ " : "") + number(1e3 * own->seconds);
      if (own && other && engine != kPeer)
        cell += fmt::format(" ({})", number(other->seconds / own->seconds));
      row.push_back(cell);
    }
    if (std::any_of(row.begin() + 1, row.end(), [](const auto& cell) { return !cell.empty(); }))
      table.add(std::move(row));
  }
  return table;
}

/// A problem as the lines of studies/impact_methods.h take it; its system counts nothing.
studies::ImpactProblem problem_of(std::unique_ptr<System> system, const State& start, double end,
                                  double longest_step) {
  studies::ImpactProblem problem;
  problem.evaluations = std::make_unique<long>(0);
  problem.system = std::move(system);
  problem.start = start;
  problem.end = end;
  problem.longest_step = longest_step;
  return problem;
}

/// With error control, the set-up included.
std::optional<ImpactRun> adapt_through(const studies::ImpactMethod& method,
                                       const studies::ImpactProblem& problem, double tolerance) {
  const studies::MethodRun seen = run_method(problem, method, tolerance);
  ImpactRun run{"Picus, " + method.name, seen.seconds, seen.steps, seen.path.time};
  const std::size_t n = seen.path.position.size() / seen.path.time.size();
  for (std::size_t i = n - 1; i < seen.path.position.size(); i += n)
    run.position.push_back(seen.path.position[i]);
  return run;
}

void add_picus(Contest& contest, const studies::ImpactProblem& problem,
               const std::vector<double>& steps) {
  for (const studies::ImpactMethod& method : studies::impact_methods()) {
    if (method.vary == studies::ImpactMethod::Vary::kStep) {
      contest.engines.push_back({steps, true, [&problem, name = method.stepper](double h) {
                                   return step_through(name, *problem.system, problem.start, h,
                                                       problem.end);
                                 }});
      continue;
    }
    // its smallest steps are too many for a bar of 200 elements
    if (method.stepper == "extrapolation") continue;
    contest.engines.push_back({{1e-3, 1e-5, 1e-7}, false, [&problem, method](double tolerance) {
                                 return adapt_through(method, problem, tolerance);
                               }});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  const BallImpacts ball_data;
  const problems::BouncingBall ball;
  const studies::ImpactProblem bouncing =
      problem_of(make_system(ball), ball.at(1.0, 0.0), ball_data.end, 1e-2);
  Contest bounces{"impact_ball",
                  "A ball that bounces until it rests, acary example 1, until t = 4 s",
                  problems::BouncingBall::height};
  const std::vector<double> ball_steps{1e-2, 1e-3, 1e-4};
  add_picus(bounces, bouncing, ball_steps);
  bounces.engines.push_back(
      {ball_steps, true, [&](double h) { return siconos_ball(ball_data, h); }});
  // its tolerance stays; h says how often it is looked at, and no more
  bounces.engines.push_back(
      {{0.1}, true, [&](double h) { return siconos_ball_by_events(ball_data, h); }});
  bounces.run(line.effort);

  const BarImpact bar_data;
  const problems::ElasticBar bar;
  const problems::BarSolution mesh(bar);
  const studies::ImpactProblem hitting = problem_of(bar.make(), bar.start(), bar_data.end, 8e-3);
  Contest bars{"impact_bar",
               "An elastic bar of 200 elements against a wall, bruls-acary-cardona §6.3, until t = "
               "2.5 s",
               [&](double t) { return mesh.at(t).position(bar.elements); }};
  const std::vector<double> bar_steps{8e-3, 4e-3, 2e-3, 1e-3, 5e-4};
  add_picus(bars, hitting, bar_steps);
  bars.engines.push_back({bar_steps, true, [&](double h) { return siconos_bar(bar_data, h); }});
  bars.run(line.effort);

  const std::vector<Table> tables{table_of(bounces), equal_errors(bounces, {1e-3, 1e-4}),
                                  table_of(bars), equal_errors(bars, {3e-2, 1e-2, 5e-3})};
  for (const Table& table : tables)
    print(table);
  return write_json(line, tables);
}
