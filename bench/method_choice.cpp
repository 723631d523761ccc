// SPDX-License-Identifier: BSD-3-Clause
// Which method for which model: the candidates of the catalog on shipped models, each with a
// sequence of tolerances or steps, and what `integrator: auto` takes among them. The solution that
// errors are measured against is the finest run of one method, checked by that of another.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "bench/model_paths.h"
#include "bench/session.h"
#include "bench/table.h"
#include "picus/simulation/rates.h"

namespace {

using namespace picus;
using namespace picus::bench;
using picus::bench::Table;  // not that of models

constexpr std::array kTargets{1e-2, 1e-4, 1e-6};
constexpr double kLimit = 1.0;           // [s] of CPU time for a run
constexpr double kReferenceLimit = 6.0;  // [s] the same for a reference
constexpr double kShortRun = 0.02;       // [s] a shorter run is measured three times

struct Case {
  std::string model;
  double end = 0.0;  ///< [s]; 0: that of the model
  std::vector<std::string> parameters = {};
};

// Of both kinds, for a smoke run.
const std::vector<Case> kSmallest{{"brake", 0.2}, {"pendulum", 0.5}};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      // contacts and friction
      {"bouncing_ball"},
      {"dry_friction_pendulum"},
      {"brake"},
      {"spinning_ball"},
      {"woodpecker"},
      {"woodpecker_geometric"},
      {"newtons_cradle"},
      {"newtons_cradle", 1.0, {"N=30"}},
      {"newtons_cradle", 1.0, {"N=100"}},
      {"clearance_slider_crank", 0.1},
      {"bar_impact"},
      // smooth
      {"pendulum"},
      {"double_pendulum"},
      {"four_bar"},
      {"slider_crank"},
      {"spatial_slider_crank"},
      {"n_four_bar", 1.5},
      {"chain"},
      {"spatial_chain"},
      {"spinning_top"},
      {"rolling_disc"},
      {"quarter_car"},
      {"bushing_mount"},
      {"elastic_bar"},
      {"poly_v_belt", 0.005},
  };
  return all;
}

std::vector<Candidate> candidates(const SystemSizes& n) {
  if (n.laws() > 0)
    return {{"event_driven"},
            {"event_driven", {{"smooth", "radau_iia"}}},
            {"event_driven", {{"smooth", "soi2"}}},
            {"extrapolation"},
            {"moreau_adaptive"},
            {"nonsmooth_pva", {}, false},
            {"moreau_jean", {}, false},
            {"moreau_midpoint", {}, false}};
  const OptionValues reuse{{"jacobian_reuse", "across_steps"}};
  return {{"half_explicit"}, {"radau_iia"},   {"lobatto_iiia"},  {"generalized_alpha", reuse},
          {"hht_i3", reuse}, {"soi2", reuse}, {"ggl", {}, false}};
}

struct Reference {
  ModelPath path;
  std::string method, checked_by;
  double difference = HUGE_VAL;
};

/// Of the finest runs of several methods the two that are closest to each other.
Reference reference_of(ShippedModel& model) {
  std::vector<std::pair<Candidate, double>> runs{{{"half_explicit"}, 1e-12},
                                                 {{"radau_iia"}, 1e-10},
                                                 {{"lobatto_iiia", {{"order", "6"}}}, 1e-11}};
  if (model.sizes().laws() > 0) {
    for (auto& [candidate, tolerance] : runs) {
      candidate.options.emplace_back("smooth", candidate.integrator);
      candidate.integrator = "event_driven";
    }
    runs.push_back({{"extrapolation"}, 1e-10});
    runs.push_back({{"nonsmooth_pva", {}, false}, model.duration() / 1e4});
  }
  std::vector<std::pair<std::string, ModelPath>> paths;
  for (const auto& [candidate, setting] : runs) {
    ModelPath path = model.run(candidate, setting, kReferenceLimit);
    fmt::print("reference {} {:g}: {} steps, {:.3g} s {}\n", candidate.name(), setting, path.steps,
               path.seconds, path.trouble);
    if (path.ok()) paths.emplace_back(candidate.name(), std::move(path));
  }
  Reference best;
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t j = i + 1; j < paths.size(); ++j) {
      const double difference = model.distance(paths[j].second, paths[i].second);
      fmt::print("{} against {}: {:.2e}\n", paths[j].first, paths[i].first, difference);
      if (difference >= best.difference) continue;
      best = {paths[i].second, paths[i].first, paths[j].first, difference};
    }
  return best;
}

struct Point {
  double setting = 0.0, error = 0.0, seconds = 0.0;
  long steps = 0;
};

struct Contestant {
  Candidate candidate;
  std::vector<Point> points = {};
  std::string taken, reason, trouble = {};
};

void measure(ShippedModel& model, const Reference& reference, Contestant& contestant) {
  const bool adaptive = contestant.candidate.adaptive;
  int below = 0;
  double setting = adaptive ? 1e-3 : model.duration() / 101.0;
  for (int k = 0; k < 8 && below < 2; ++k, setting *= adaptive ? 0.1 : 0.25) {
    ModelPath path = model.run(contestant.candidate, setting, kLimit);
    contestant.taken = path.taken;
    contestant.reason = path.reason;
    if (!path.ok()) {
      if (contestant.trouble.empty())
        contestant.trouble = fmt::format("{:.2g}: {}", setting, path.trouble);
      if (path.taken.empty() || (path.seconds > kLimit && k > 0)) break;
      continue;
    }
    for (int i = 0; i < 2 && path.seconds < kShortRun; ++i)
      path.seconds =
          std::min(path.seconds, model.run(contestant.candidate, setting, kLimit).seconds);
    const double error = model.distance(path, reference.path);
    contestant.points.push_back({setting, error, path.seconds, path.steps});
    below = error < kTargets.back() ? below + 1 : 0;
    if (!adaptive && 4.0 * path.seconds > kLimit) break;  // what the next would take
  }
}

/// CPU time of the first setting from which on all are below the error [s].
std::optional<double> reach(const std::vector<Point>& points, double error) {
  std::size_t first = points.size();
  while (first > 0 && points[first - 1].error <= error)
    --first;
  if (first == points.size()) return {};
  return points[first].seconds;
}

std::string cell(const std::optional<double>& seconds) {
  return seconds ? number(1e3 * *seconds) : "";
}

void print_points(const ShippedModel& model, const std::vector<Contestant>& all) {
  Table table{
      "points_" + model.name(), model.name(), {"method", "setting", "steps", "error", "ms"}, {}};
  for (const Contestant& c : all)
    for (const Point& p : c.points)
      table.add({c.candidate.name(), fmt::format("{:.2g}", p.setting), std::to_string(p.steps),
                 fmt::format("{:.1e}", p.error), number(1e3 * p.seconds)});
  print(table);
  for (const Contestant& c : all)
    if (!c.trouble.empty()) fmt::print("{} fails at {}\n", c.candidate.name(), c.trouble);
}

/// "event_driven 1.2": who is the first there, and in how many ms.
std::string winner(const std::vector<Contestant>& all, double target) {
  const Contestant* best = nullptr;
  double least = HUGE_VAL;
  for (const Contestant& c : all) {
    const auto seconds = reach(c.points, target);
    if (c.candidate.integrator == "auto" || !seconds || *seconds >= least) continue;
    best = &c;
    least = *seconds;
  }
  return best == nullptr ? "none" : fmt::format("{} {}", best->candidate.name(), cell(least));
}

std::vector<std::string> summary_row(const ShippedModel& model, const Reference& reference,
                                     const std::vector<Contestant>& all) {
  const SystemSizes n = model.sizes();
  const Contestant& automatic = all.back();
  std::vector<std::string> row{fmt::format("{}, {:.3g} s", model.name(), model.duration()),
                               std::to_string(n.velocities),
                               std::to_string(n.joints() + n.rollings()), std::to_string(n.laws()),
                               fmt::format("{:.0e}", reference.difference)};
  for (const double target : kTargets)
    row.push_back(reference.difference < target ? winner(all, target) : "unknown");
  row.push_back(automatic.taken);
  for (const double target : kTargets)
    row.push_back(reference.difference < target ? cell(reach(automatic.points, target)) : "");
  return row;
}

Table method_table(const ShippedModel& model, const std::vector<Contestant>& all) {
  Table table{"method_choice_" + model.name(), model.name(), {"method"}, {}};
  for (const double target : kTargets)
    table.columns.push_back(fmt::format("{:.0e}", target));
  table.columns.insert(table.columns.end(), {"least error", "its ms", "fails"});
  for (const Contestant& c : all) {
    std::vector<std::string> row{c.candidate.name()};
    for (const double target : kTargets)
      row.push_back(cell(reach(c.points, target)));
    const auto best =
        std::min_element(c.points.begin(), c.points.end(),
                         [](const Point& a, const Point& b) { return a.error < b.error; });
    if (best == c.points.end())
      row.insert(row.end(), {"", ""});
    else
      row.insert(row.end(), {fmt::format("{:.0e}", best->error), number(1e3 * best->seconds)});
    row.push_back(c.trouble);
    table.add(std::move(row));
  }
  return table;
}

std::vector<Table> measure_models(const CommandLine& line) {
  Table summary{"method_choice",
                "CPU time [ms] to an error",
                {"model", "nv", "equations", "laws", "references differ by"},
                {}};
  for (const double target : kTargets)
    summary.columns.push_back(fmt::format("{:.0e}: first", target));
  summary.columns.push_back("auto takes");
  for (const double target : kTargets)
    summary.columns.push_back(fmt::format("{:.0e}: auto", target));
  for (const Case& one : line.smoke() ? kSmallest : cases()) {
    if (!line.asks_for(one.model)) continue;
    ShippedModel model(one.model, one.end, one.parameters);
    const Rates rates = rates_of(model.system(), model.start(), model.consistency());
    fmt::print("{}: rates of forces {:.3g}, controls {:.3g}, motion {:.3g}, T {}\n", one.model,
               rates.forces, rates.controls, rates.motion, model.duration());
    const Reference reference = reference_of(model);
    std::vector<Contestant> all;
    for (const Candidate& candidate : candidates(model.sizes()))
      all.push_back({candidate, {}, {}, {}, {}});
    all.push_back({Candidate{"auto"}, {}, {}, {}, {}});
    if (reference.path.ok() && !reference.path.positions.empty())
      for (Contestant& contestant : all)
        measure(model, reference, contestant);
    print_points(model, all);
    print(method_table(model, all));
    fmt::print("auto: {}\n", all.back().reason);
    summary.add(summary_row(model, reference, all));
    std::fflush(stdout);
  }
  print(summary);
  return {summary};
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  return write_json(line, measure_models(line));
}
