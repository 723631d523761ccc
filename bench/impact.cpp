// SPDX-License-Identifier: BSD-3-Clause
// A ball that bounces until it rests and an elastic bar against a wall, by every method of Picus
// for impacts and by Siconos: CPU time of a step and of a run, and the error, side by side.
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
#include "picus/dynamics/consistent_state.h"
#include "picus/steppers/catalog.h"
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
  make_consistent(system, s);
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

/// An engine with a method; empty when it is not installed or its step fails.
using Runner = std::function<std::optional<ImpactRun>(double h)>;

struct Measurement {
  ImpactRun run;
  double h = 0.0, error = 0.0;  ///< mean error of the position [m]
  double seconds = 0.0;         ///< median
};

/// A problem with its exact solution and the engines that solve it.
struct Contest {
  std::string name, title;
  std::vector<double> steps;
  std::function<double(double time)> exact;
  std::vector<Runner> runners;
  std::vector<Measurement> measurements = {};

  void run() {
    Session session;
    for (const Runner& runner : runners) {
      for (const double h : steps) {
        const std::optional<ImpactRun> once = runner(h);
        if (!once) continue;
        double error = 0.0;
        for (std::size_t i = 0; i < once->time.size(); ++i)
          error += std::abs(once->position[i] - exact(once->time[i]));
        error /= static_cast<double>(once->time.size());
        measurements.push_back({*once, h, error, 0.0});
        session.add_timed(label(measurements.back()), [&runner, h] { return runner(h)->seconds; });
      }
    }
    session.run(kRepetitions);
    for (Measurement& m : measurements)
      m.seconds = session.seconds(label(m));
  }

  static std::string label(const Measurement& m) { return fmt::format("{} {}", m.run.engine, m.h); }

  /// Measurements of one engine, the longest step first.
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
              {"engine, method", "h [s]", "steps", "mean error [m]", "µs per step", "ms in all",
               "Siconos over this, per step"},
              {}};
  const std::vector<const Measurement*> peers = contest.of(kPeer);
  for (const Measurement& m : contest.measurements) {
    const auto peer = std::find_if(peers.begin(), peers.end(), [&](const Measurement* p) {
      return p->h == m.h && m.run.engine.starts_with("Picus");
    });
    table.add({m.run.engine, fmt::format("{:g}", m.h), std::to_string(m.run.steps),
               fmt::format("{:.1e}", m.error), number(1e6 * m.seconds / steps_of(m)),
               number(1e3 * m.seconds),
               peer == peers.end()
                   ? ""
                   : number((*peer)->seconds / steps_of(**peer) / (m.seconds / steps_of(m)))});
  }
  return table;
}

/// CPU time at which an engine reaches an error, on the line through its measurements (both
/// logarithmic); nothing beyond them.
std::optional<double> seconds_at(const std::vector<const Measurement*>& engine, double error) {
  for (std::size_t i = 0; i + 1 < engine.size(); ++i) {
    const Measurement &a = *engine[i], &b = *engine[i + 1];
    if (a.error < error || b.error > error || a.error <= b.error) continue;
    const double part = std::log(a.error / error) / std::log(a.error / b.error);
    return a.seconds * std::pow(b.seconds / a.seconds, part);
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
      const auto time = seconds_at(contest.of(engine), error), other = seconds_at(peer, error);
      row.push_back(!time ? ""
                    : !other || engine == kPeer
                        ? number(1e3 * *time)
                        : fmt::format("{} ({})", number(1e3 * *time), number(*other / *time)));
    }
    if (std::any_of(row.begin() + 1, row.end(), [](const auto& cell) { return !cell.empty(); }))
      table.add(std::move(row));
  }
  return table;
}

void add_picus(Contest& contest, const System& system, const State& start, double end) {
  for (const StepperEntry& entry : stepper_catalog()) {
    if (!make_stepper(entry.name)->traits().handles_impacts) continue;
    contest.runners.push_back([&system, start, end, name = std::string(entry.name)](double h) {
      return step_through(name, system, start, h, end);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  const BallImpacts ball_data;
  const problems::BouncingBall ball;
  const auto ball_system = make_system(ball);
  Contest bounces{"impact_ball",
                  "A ball that bounces until it rests, acary example 1, until t = 4 s",
                  {1e-2, 1e-3, 1e-4},
                  problems::BouncingBall::height,
                  {}};
  add_picus(bounces, *ball_system, ball.at(1.0, 0.0), ball_data.end);
  bounces.runners.push_back([&](double h) { return siconos_ball(ball_data, h); });
  bounces.runners.push_back([&](double h) {
    // it ends at events, so that h says how often it is looked at, and no more
    return h == 1e-2 ? siconos_ball_by_events(ball_data, 0.1) : std::nullopt;
  });
  bounces.run();

  const BarImpact bar_data;
  const problems::ElasticBar bar;
  const problems::BarSolution mesh(bar);
  const auto bar_system = bar.make();
  Contest bars{"impact_bar",
               "An elastic bar of 200 elements against a wall, bruls-acary-cardona §6.3, until t = "
               "2.5 s",
               {8e-3, 4e-3, 2e-3, 1e-3, 5e-4},
               [&](double t) { return mesh.at(t).position(bar.elements); },
               {}};
  add_picus(bars, *bar_system, bar.start(), bar_data.end);
  bars.runners.push_back([&](double h) { return siconos_bar(bar_data, h); });
  bars.run();

  const std::vector<Table> tables{table_of(bounces), equal_errors(bounces, {1e-3, 1e-4}),
                                  table_of(bars), equal_errors(bars, {3e-2, 1e-2})};
  for (const Table& table : tables)
    print(table);
  return write_json(argc, argv, tables);
}
