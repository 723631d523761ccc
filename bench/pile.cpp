// SPDX-License-Identifier: BSD-3-Clause
// Piles of spheres and of disks in a box by Picus, Siconos, Bullet, ODE and MuJoCo: CPU time of a
// step beside what the step is worth, measured alike for all; and how the cost of a step of Picus
// grows.
//
// bench_pile --own leaves out the other engines, --coarse the residual of 1e-6, which takes
// longest,
// --fine takes it alone; --disks, --spheres and --growth take those tables alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "bench/pile_engine.h"
#include "bench/session.h"
#include "bench/table.h"

namespace {

using namespace picus;
using namespace picus::bench;
using picus::bench::Table;  // not that of models

constexpr double kStep = 2e-3;  // [s]
constexpr double kEnd = 3.0;    // at rest
constexpr double kGrowthTolerance = 1e-3;
constexpr double kGrowthEnd = 1.5;   // nearly at rest
constexpr int kBetweenSamples = 25;  // steps
// Of CPU time for a run [s].
constexpr double kPatience = 7200.0, kPatienceWithOthers = 120.0;
constexpr int kFastest = 12;           // balls that may roll on
constexpr double kBetweenNews = 20.0;  // of CPU time, for whoever waits [s]

// What is measured of the engines that are compared.
struct Selection {
  bool own = false;
  std::vector<double> tolerances{1e-1, 1e-3, 1e-6};
};

struct Phase {
  double seconds = 0.0;
  int steps = 0;
  std::vector<double> residuals;
  double milliseconds() const { return 1e3 * seconds / std::max(1, steps); }
  std::string residual() const {
    return residuals.empty() ? "" : fmt::format("{:.1e}", median(residuals));
  }
};

struct PileRun {
  Phase falling, resting;
  PileJudge::Verdict last;
  double deepest = 0.0;
  std::string trouble;
};

// Of translation [J], the largest first: what rolls on stands out.
std::vector<double> energies(const PileEngine& engine, const problems::Pile& pile) {
  std::vector<double> result;
  for (const auto& ball : pile.start())
    result.push_back(0.5 * ball.mass *
                     engine.velocity(static_cast<int>(result.size())).squaredNorm());
  std::sort(result.rbegin(), result.rend());
  return result;
}

// One step, in one attempt or in several; the judge looks at the last of them. False when it fails.
bool advance(PileEngine& engine, PileJudge* judge) {
  constexpr double kRounding = 1e-9;
  for (double left = kStep; left > kRounding * kStep;) {
    if (judge != nullptr) judge->look_before(engine);
    const double gone = engine.attempt();
    if (gone < 0.0) return false;
    left -= gone;
  }
  return true;
}

// The last third of the run counts as rest.
PileRun run(PileEngine& engine, const problems::Pile& pile, double end) {
  const double patience = engine.name() == "Picus" ? kPatience : kPatienceWithOthers;
  PileRun result;
  PileJudge judge(pile);
  const int steps = static_cast<int>(std::lround(end / kStep));
  double next_news = kBetweenNews;
  for (int k = 1; k <= steps; ++k) {
    const bool is_sample = k % kBetweenSamples == 0;
    Phase& phase = 3 * k > 2 * steps ? result.resting : result.falling;
    const double begin = cpu_seconds();
    const bool ok = advance(engine, is_sample ? &judge : nullptr);
    phase.seconds += cpu_seconds() - begin;
    ++phase.steps;
    if (!ok) {
      result.trouble = fmt::format("failed at {:.2f} s", k * kStep);
      return result;
    }
    const double spent = result.falling.seconds + result.resting.seconds;
    if (spent > next_news) {
      next_news = spent + kBetweenNews;
      fmt::print(stderr, "  {:.3f} s after {:.0f} s of CPU time, {} attempts given up\n", k * kStep,
                 spent, engine.divided());
    }
    if (spent > patience) {
      result.trouble = fmt::format("stopped at {:.2f} s", k * kStep);
      return result;
    }
    if (!is_sample) continue;
    result.last = judge.judge(engine);
    phase.residuals.push_back(result.last.residual);
    result.deepest = std::max(result.deepest, result.last.penetration);
  }
  return result;
}

using Maker = std::function<std::unique_ptr<PileEngine>(const problems::Pile&)>;

void add(Table& table, const problems::Pile& pile, double end, const Maker& make) {
  std::unique_ptr<PileEngine> engine;
  try {
    engine = make(pile);
  } catch (const std::exception& error) {
    fmt::print(stderr, "left out: {}\n", error.what());
  }
  if (engine == nullptr) return;
  const PileRun r = run(*engine, pile, end);
  fmt::print(stderr, "{}, {}: {:.1f} ms falling, {:.1f} ms at rest {}\n", engine->name(),
             engine->setting(), r.falling.milliseconds(), r.resting.milliseconds(), r.trouble);
  const std::vector<double> moving = energies(*engine, pile);
  fmt::print(stderr, "  translation: {:.1e} J, but for the {} fastest balls {:.1e} J\n",
             std::accumulate(moving.begin(), moving.end(), 0.0), kFastest,
             std::accumulate(moving.begin() + kFastest, moving.end(), 0.0));
  const std::string divided =
      engine->divided() == 0 ? "" : fmt::format(" ({} steps divided)", engine->divided());
  table.add({engine->name(), engine->setting() + divided, number(r.falling.milliseconds()),
             r.falling.residual(), number(r.resting.milliseconds()), r.resting.residual(),
             fmt::format("{:.1e}", r.deepest),
             r.trouble.empty() ? fmt::format("{:.1e}", r.last.kinetic) : r.trouble,
             std::to_string(r.last.contacts)});
}

// Siconos solves the contact problems of Picus; the other engines find their own.
Table peers_table(int balls, bool in_space, double end, const Selection& selection) {
  const problems::Pile pile{.balls = balls, .in_space = in_space};
  Table table{in_space ? "pile_spheres" : "pile_disks",
              fmt::format("{} {} in a box, friction 0.3, h = {:g} s, until t = {:g} s", balls,
                          in_space ? "spheres" : "disks", kStep, end),
              {"engine", "setting", "falling: ms", "residual", "last third: ms", "residual",
               "penetration / R", "J left", "contacts"},
              {}};
  for (const double tolerance : selection.tolerances)
    add(table, pile, end,
        [&](const auto& p) { return make_picus_pile(p, kStep, "automatic", tolerance); });
  if (selection.own) return table;
  for (const double tolerance : {1e-3, 1e-6})
    add(table, pile, end, [&](const auto& p) { return make_siconos_pile(p, kStep, tolerance); });
  for (const int iterations : {10, 100})
    add(table, pile, end, [&](const auto& p) { return make_bullet_pile(p, kStep, iterations); });
  for (const int iterations : {20, 200})
    add(table, pile, end, [&](const auto& p) { return make_ode_pile(p, kStep, iterations); });
  add(table, pile, end, [](const auto& p) { return make_mujoco_pile(p, kStep, "PGS"); });
  return table;
}

// Layers stay as many, the floor grows with the number of balls. A hundred balls in the higher
// heaps stand in a shaft, which is another problem.
Table growth_table(const std::vector<int>& counts, double end) {
  Table table{"pile_growth",
              fmt::format("A step of Picus against the number of balls, residual {:g}, until t = "
                          "{:g} s",
                          kGrowthTolerance, end),
              {"balls", "layers", "number", "falling: ms", "µs per ball", "last third: ms",
               "µs per ball", "J left over J at the start"},
              {}};
  for (const bool in_space : {false, true}) {
    for (const int layers : in_space ? std::array{5, 10} : std::array{10, 20}) {
      for (const int balls : counts) {
        problems::Pile pile{.balls = balls, .in_space = in_space};
        const double floor = static_cast<double>(balls) / layers;
        pile.across = static_cast<int>(std::lround(in_space ? std::sqrt(floor) : floor));
        const auto engine = make_picus_pile(pile, kStep, "automatic", kGrowthTolerance);
        double height = 0.0;
        for (const auto& ball : pile.start())
          height += ball.mass * pile.gravity * pile.up().dot(ball.centre);
        const int steps = static_cast<int>(std::lround(end / kStep));
        Phase falling, resting;
        bool ok = true;
        for (int k = 1; ok && k <= steps; ++k) {
          Phase& phase = 3 * k > 2 * steps ? resting : falling;
          const double begin = cpu_seconds();
          ok = advance(*engine, nullptr);
          phase.seconds += cpu_seconds() - begin;
          ++phase.steps;
        }
        const std::vector<double> moving = energies(*engine, pile);
        const double left = std::accumulate(moving.begin(), moving.end(), 0.0);
        fmt::print(stderr, "{} balls: {:.1f} ms, {:.1f} ms\n", balls, falling.milliseconds(),
                   resting.milliseconds());
        table.add({in_space ? "spheres" : "disks", std::to_string(layers), std::to_string(balls),
                   number(falling.milliseconds()), number(1e3 * falling.milliseconds() / balls),
                   ok ? number(resting.milliseconds()) : "failed",
                   number(1e3 * resting.milliseconds() / balls),
                   fmt::format("{:.1e}", left / height)});
      }
    }
  }
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  const auto has = [&](std::string_view option) { return line.has(option); };
  const bool smoke = line.smoke();
  Selection selection{.own = has("--own")};
  if (has("--coarse")) selection.tolerances.pop_back();
  if (has("--fine")) selection.tolerances = {1e-6};
  const int balls = smoke ? 27 : 1000;
  const double end = smoke ? 0.3 : kEnd;
  std::vector<picus::bench::Table> tables;
  const bool all = !has("--disks") && !has("--spheres") && !has("--growth");
  if (all || has("--disks")) tables.push_back(peers_table(balls, false, end, selection));
  if (all || has("--growth"))
    tables.push_back(growth_table(smoke ? std::vector{20, 40} : std::vector{100, 1000, 10000},
                                  smoke ? end : kGrowthEnd));
  if (all || has("--spheres")) tables.push_back(peers_table(balls, true, end, selection));
  for (const auto& table : tables)
    print(table);
  return write_json(line, tables);
}
