// SPDX-License-Identifier: BSD-3-Clause
// What the audit costs: runs of shipped models with and without it, in turn, in one process. The
// fastest of several runs of each counts. bench_audit MODEL … takes those models alone.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "bench/process_time.h"
#include "bench/table.h"
#include "picus/io/model_file.h"
#include "picus/runs/run.h"

namespace {

using namespace picus;

/// How long a model is measured.
struct Rounds {
  int least_rounds = 7, most_rounds = 100;
  double enough = 1.5;  ///< [s] of CPU time
  double part = 1.0;    ///< of the motion
};
constexpr Rounds kSmoke{.least_rounds = 1, .most_rounds = 1, .part = 0.02};
constexpr const char* kFolder = PICUS_SOURCE_DIR "/models/";

struct Case {
  const char* model;
  double end = 0.0;  ///< [s]; 0: that of the model
};

constexpr std::array kCases{Case{"pendulum"},
                            Case{"double_pendulum"},
                            Case{"four_bar"},
                            Case{"slider_crank"},
                            Case{"spatial_slider_crank"},
                            Case{"chain"},
                            Case{"spatial_chain"},
                            Case{"rolling_disc"},
                            Case{"quarter_car"},
                            Case{"elastic_bar"},
                            Case{"bouncing_ball"},
                            Case{"dry_friction_pendulum"},
                            Case{"brake"},
                            Case{"spinning_ball"},
                            Case{"woodpecker"},
                            Case{"newtons_cradle", 0.3},
                            Case{"clearance_slider_crank", 0.02},
                            Case{"bar_impact"},
                            Case{"mixing_drum", 0.2}};

struct Cost {
  double with = HUGE_VAL, without = HUGE_VAL;  ///< [s]
  long steps = 0;
  std::string method, verdict;
};

Cost measure(const Case& which, const Rounds& rounds) {
  const std::string path = fmt::format("{}{}.yaml", kFolder, which.model);
  LoadedModel loaded = load_model(path, {});
  if (which.end > 0.0) loaded.model.run.end_time = which.end;
  loaded.model.run.end_time *= rounds.part;
  const Mechanism& mechanism = *loaded.mechanism;
  RunPlan plan = plan_of(loaded);
  const Start start = assemble_start(mechanism);
  Cost cost;
  cost.method = plan.name();
  double spent = 0.0;
  for (int round = 0;
       round < rounds.most_rounds && (round < rounds.least_rounds || spent < rounds.enough);
       ++round) {
    for (const AuditMode mode : {AuditMode::kOff, AuditMode::kWarn}) {
      plan.audit = mode;
      const double begin = picus::bench::process_seconds();
      const RunOutcome outcome = run_mechanism(mechanism, start, plan, {});
      const double seconds = picus::bench::process_seconds() - begin;
      spent += seconds;
      double& best = mode == AuditMode::kOff ? cost.without : cost.with;
      best = std::min(best, seconds);
      if (!outcome.summary.ok()) cost.verdict = "failed";
      if (mode == AuditMode::kOff || cost.verdict == "failed") continue;
      cost.steps = outcome.summary.accepted;
      cost.verdict = name_of(outcome.audit.verdict);
    }
  }
  return cost;
}

}  // namespace

int main(int argc, char** argv) {
  const picus::bench::CommandLine line(argc, argv);
  const Rounds rounds = line.smoke() ? kSmoke : Rounds{};
  picus::bench::Table table{
      "audit",
      "What the audit costs on shipped models, as a part of the run without it",
      {"model", "method", "steps", "ms without", "ms with", "cost [%]", "verdict"},
      {}};
  double logarithms = 0.0;
  int count = 0;
  for (const Case& which : kCases) {
    if (!line.asks_for(which.model)) continue;
    const Cost cost = measure(which, rounds);
    logarithms += std::log(cost.with / cost.without);
    ++count;
    table.add({which.model, cost.method, fmt::format("{}", cost.steps),
               picus::bench::number(1e3 * cost.without), picus::bench::number(1e3 * cost.with),
               fmt::format("{:.1f}", 100.0 * (cost.with / cost.without - 1.0)), cost.verdict});
  }
  const double mean = std::exp(logarithms / std::max(1, count));
  table.add({"mean", "", "", "", "", fmt::format("{:.1f}", 100.0 * (mean - 1.0)), ""});
  picus::bench::print(table);
  return picus::bench::write_json(line, {table});
}
