// SPDX-License-Identifier: BSD-3-Clause
// The poly-V belt of negrut-hht-i3 against SUNDIALS IDA on the same System: time to the same
// quality of the two curves the paper shows. Both start from the same consistent state and solve
// the same equations with the same matrices of derivatives and the same sparse solver; what differs
// is the form of the constraints (index 3 for HHT, stabilised index 2 for IDA, as is usual with
// BDF) and what a tolerance means, so they are compared by the error of the curves.
//
// bench_belt --reference FILE writes the tight solution that the study hht-belt compares with.
#include "studies/belt.h"

#include <cmath>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "bench/ida_system.h"
#include "bench/session.h"
#include "bench/table.h"
#include "picus/dynamics/consistent_state.h"

namespace {

using namespace picus;
using namespace picus::bench;
using studies::Belt;
using studies::BeltCurves;

constexpr double kEnd = 0.2;
constexpr int kSamples = 1000;
constexpr int kSmokeSamples = 10;  // of these, in a smoke run
constexpr int kRepeats = 2;        // the faster run counts
// typical sizes of the belt's motion
constexpr IdaSettings kScales{.length = 0.25, .speed = 10.0, .spin = 200.0};

double time_of(int sample) {
  return kEnd * sample / kSamples;
}

std::vector<double> sample_times(int samples) {
  std::vector<double> times;
  for (int i = 0; i <= samples; ++i)
    times.push_back(time_of(i));
  return times;
}

/// The tight solution up to a sample.
BeltCurves reference_until(int samples) {
  BeltCurves curves = studies::belt_reference();
  for (auto* curve : {&curves.time, &curves.speed, &curves.reaction})
    curve->resize(static_cast<std::size_t>(samples) + 1);
  return curves;
}

int samples_of(const BeltCurves& reference) {
  return static_cast<int>(reference.time.size()) - 1;
}

struct Quality {
  double speed = 1.0, reaction = 1.0;  ///< peak difference over peak
  double mean = 1.0;                   ///< of the reaction: root mean square over swing
};

struct Run {
  std::string method, setting;
  Quality quality;
  bool ok = false;
  double seconds = 0.0;
  long steps = 0, rejections = 0, jacobians = 0, iterations = 0;
};

void record(const Belt& belt, const State& s, BeltCurves& curves) {
  curves.time.push_back(s.time);
  curves.speed.push_back(belt.alternator_speed(s));
  curves.reaction.push_back(belt.alternator_reaction(s));
}

Quality quality_of(const BeltCurves& found, const BeltCurves& reference) {
  if (found.time.size() != reference.time.size()) return {};
  return {studies::peak_difference(found.speed, reference.speed),
          studies::peak_difference(found.reaction, reference.reaction),
          studies::mean_difference(found.reaction, reference.reaction)};
}

struct IdaRun {
  IdaCounts counts;
  BeltCurves curves;
  double seconds = 0.0;
};

// IDA leaves multipliers to the last iteration; the reactions that belong to its positions and
// velocities are found afterwards, which is not timed.
IdaRun follow_ida(const Belt& belt, const Start& start, int samples, double tolerance,
                  bool control_velocity) {
  IdaSettings settings = kScales;
  settings.tolerance = tolerance;
  settings.control_velocity = control_velocity;
  const System& system = belt.mechanism().system();
  std::vector<State> states;
  IdaRun run;
  const double begin = cpu_seconds();
  run.counts = run_ida(system, start.state, sample_times(samples), settings,
                       [&](const State& s) { states.push_back(s); });
  run.seconds = cpu_seconds() - begin;
  for (State& s : states) {
    if (s.time > start.state.time && !solve_accelerations(system, s).ok()) run.counts.ok = false;
    record(belt, s, run.curves);
  }
  return run;
}

int write_reference(const char* file) {
  const Belt belt;
  const Start start = assemble_start(belt.mechanism());
  constexpr double kTight = 1e-7;
  const IdaRun tight = follow_ida(belt, start, kSamples, kTight, true);
  const IdaRun coarser = follow_ida(belt, start, kSamples, 10.0 * kTight, true);
  if (!tight.counts.ok || !coarser.counts.ok) return 1;
  const BeltCurves& curves = tight.curves;
  const Quality change = quality_of(coarser.curves, curves);
  std::FILE* out = std::fopen(file, "w");
  if (out == nullptr) return 1;
  fmt::print(out,
             "# models/poly_v_belt.yaml by SUNDIALS IDA (BDF, GGL form), tolerance {:g}, {} steps\n"
             "# against tolerance {:g}: speed within {:.1e}, reaction within {:.1e} of the peak\n"
             "# made by: ./dev bench belt && build/release/bench/bench_belt --reference "
             "studies/data/poly_v_belt.csv\n"
             "t,speed,reaction\n",
             kTight, tight.counts.steps, 10.0 * kTight, change.speed, change.reaction);
  for (std::size_t i = 0; i < curves.time.size(); ++i)
    fmt::print(out, "{:.4f},{:.5f},{:.4f}\n", curves.time[i], curves.speed[i], curves.reaction[i]);
  std::fclose(out);
  fmt::print("{} steps; change from a ten times larger tolerance: speed {:.2e}, reaction {:.2e}\n",
             tight.counts.steps, change.speed, change.reaction);
  return 0;
}

Run run_ida_at(const Belt& belt, const Start& start, const BeltCurves& reference, double tolerance,
               bool control_velocity) {
  const IdaRun run = follow_ida(belt, start, samples_of(reference), tolerance, control_velocity);
  const IdaCounts& counts = run.counts;
  return {.method = "IDA, GGL",
          .setting = fmt::format("tolerance {:.1e}{}", tolerance,
                                 control_velocity ? "" : ", velocities not in the error test"),
          .quality = quality_of(run.curves, reference),
          .ok = counts.ok,
          .seconds = run.seconds,
          .steps = counts.steps,
          .rejections = counts.error_failures + counts.convergence_failures,
          .jacobians = counts.jacobians,
          .iterations = counts.iterations};
}

Run run_ours(Belt& belt, const Start& start, const BeltCurves& reference, double tolerance,
             const char* reuse) {
  RunPart part = belt.run();
  part.integrator = {"hht_i3", {}};
  part.tolerance = tolerance;
  part.options = {{"jacobian_reuse", {}, reuse}};
  part.end_time = reference.time.back();
  part.output_interval = time_of(1);
  BeltCurves curves;
  const double begin = cpu_seconds();
  const RunOutcome outcome =
      run_mechanism(belt.mechanism(), start, plan_of(part, belt.mechanism()),
                    [&](const Sample& sample) { record(belt, sample.state, curves); });
  return {.method = "hht_i3",
          .setting = fmt::format("tolerance {:.1e}, {}", tolerance, reuse),
          .quality = quality_of(curves, reference),
          .ok = outcome.summary.ok(),
          .seconds = cpu_seconds() - begin,
          .steps = outcome.summary.accepted,
          .rejections = outcome.summary.rejected,
          .jacobians = outcome.summary.factorizations,
          .iterations = outcome.summary.newton_iterations};
}

/// Keeps the faster of two runs that differ in nothing else.
void keep(std::vector<Run>& runs, std::size_t slot, Run run) {
  fmt::print(stderr, "{} {}: {} s\n", run.method, run.setting, number(run.seconds));
  if (slot == runs.size())
    runs.push_back(std::move(run));
  else if (run.seconds < runs[slot].seconds)
    runs[slot] = std::move(run);
}

void add(bench::Table& table, const Run& run, double end) {
  table.add({run.method, run.setting, run.ok ? fmt::format("{:.2e}", run.quality.speed) : "failed",
             fmt::format("{:.2e}", run.quality.reaction), fmt::format("{:.2e}", run.quality.mean),
             std::to_string(run.steps), std::to_string(run.rejections),
             std::to_string(run.jacobians), std::to_string(run.iterations), number(run.seconds),
             number(run.seconds / end)});
}

/// Equal quality: the fastest run that meets the bounds of the paper.
bench::Table ratio_table(const std::vector<Run>& ours, const std::vector<Run>& theirs) {
  bench::Table ratio{"belt_ratio",
                     "Time of IDA over time of HHT-I3, both the fastest setting within the bounds",
                     {"speed within", "reaction within", "HHT-I3", "s", "IDA", "s", "ratio"},
                     {}};
  constexpr std::array<Quality, 3> bounds{{{0.01, 0.03}, {0.003, 0.01}, {0.001, 0.003}}};
  for (const Quality& bound : bounds) {
    const auto fastest = [&](const std::vector<Run>& runs) -> const Run* {
      const Run* best = nullptr;
      for (const Run& run : runs)
        if (run.ok && run.quality.speed <= bound.speed && run.quality.reaction <= bound.reaction &&
            (best == nullptr || run.seconds < best->seconds))
          best = &run;
      return best;
    };
    const Run *we = fastest(ours), *they = fastest(theirs);
    if (we == nullptr || they == nullptr) continue;
    ratio.add({fmt::format("{:g} %", 100.0 * bound.speed),
               fmt::format("{:g} %", 100.0 * bound.reaction), we->setting, number(we->seconds),
               they->setting, number(they->seconds), number(they->seconds / we->seconds)});
  }
  return ratio;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--reference") return write_reference(argv[2]);
  const CommandLine line(argc, argv);
  Belt belt;
  const Start start = assemble_start(belt.mechanism());
  const BeltCurves reference = reference_until(line.smoke() ? kSmokeSamples : kSamples);
  const double end = reference.time.back();
  bench::Table table{
      "belt",
      fmt::format("The poly-V belt, {:g} ms, against IDA on the same System", 1e3 * end),
      {"method", "setting", "speed", "reaction", "reaction, mean", "steps", "rejected", "Jacobians",
       "iterations", "CPU s", "over real time"},
      {}};
  std::vector<Run> ours, theirs;
  for (int i = 0; i < (line.smoke() ? 1 : kRepeats); ++i) {
    std::size_t slot = 0, other = 0;
    for (const double tolerance : {3e-5, 1e-5, 3e-6, 1e-6})
      keep(ours, slot++, run_ours(belt, start, reference, tolerance, "across_steps"));
    keep(ours, slot++, run_ours(belt, start, reference, 1e-5, "every_step"));
    for (const double tolerance : {1e-3, 3e-4, 1e-4, 3e-5, 1e-5})
      keep(theirs, other++, run_ida_at(belt, start, reference, tolerance, true));
    keep(theirs, other++, run_ida_at(belt, start, reference, 1e-5, false));
  }
  for (const auto* runs : {&ours, &theirs})
    for (const Run& run : *runs)
      add(table, run, end);
  const bench::Table ratio = ratio_table(ours, theirs);
  print(table);
  print(ratio);
  return write_json(line, {table, ratio});
}
