// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ball_chain.h"

#include <fmt/format.h>

#include "bench/ida_system.h"
#include "bench/session.h"
#include "picus/runs/run.h"

namespace picus::bench {
namespace {

constexpr const char* kModel = R"(
picus: 1
name: ball chain
parameters: {{N: {}, L: {:.17g}, m: {:.17g}, axial: {:.17g}, lateral: {:.17g}, spin: {:.17g}}}
gravity: [0, 0, {:.17g}]
bodies:
  link[i]:
    for: {{i: 1..N}}
    mass: m
    inertia: [axial, lateral, lateral]
    at: [(i - 1/2)*L, 0, 0]
    velocity: [0, spin*(i - 1/2)*L, 0]
    angular_velocity: [0, 0, spin]
    markers: {{begin: {{at: [-L/2, 0, 0]}}, end: {{at: [L/2, 0, 0]}}}}
joints:
  pin1: {{type: spherical, between: [ground, link1.begin], at: [0, 0, 0]}}
  pin[i]: {{for: {{i: 2..N}}, type: spherical, between: ["link[i-1].end", "link[i].begin"]}}
)";

/// The chain as Picus sees it, at its start.
struct OurChain {
  LoadedModel loaded;
  Start start;
  Vector3 end_of_link;

  explicit OurChain(const BallChain& chain)
      : loaded(load_model_text(
            "chain", fmt::format(kModel, chain.links, chain.link_length(), chain.link_mass(),
                                 chain.axial_inertia(), chain.lateral_inertia(), chain.spin,
                                 -chain.gravity))),
        start(assemble_start(*loaded.mechanism)),
        end_of_link(0.5 * chain.link_length(), 0.0, 0.0) {}

  const Bodies& bodies() const { return loaded.mechanism->bodies(); }
  std::array<double, 3> tip(const State& s) const {
    const Vector3 tip = bodies().pose(bodies().size() - 1, s.position).point(end_of_link);
    return {tip(0), tip(1), tip(2)};
  }
};

}  // namespace

ChainRun run_picus(const BallChain& chain, const ChainSetting& setting, bool adaptive) {
  const OurChain ours(chain);
  const Mechanism& mechanism = *ours.loaded.mechanism;
  RunPart part;
  part.end_time = chain.end;
  part.output_interval = chain.end / chain.samples;
  part.integrator = {setting.method, {}};
  (adaptive ? part.tolerance : part.step) = setting.accuracy;
  part.options = {{"jacobian_reuse", {}, "across_steps"}};
  // what the tip can show, instead of the default that aims at rounding; error control has its own
  if (!adaptive) part.options.push_back({"newton_tolerance", {}, "1e-6"});
  ChainRun run{.engine = "Picus " + setting.method,
               .setting = fmt::format("{} {:g}", adaptive ? "tolerance" : "h =", setting.accuracy)};
  const RunPlan plan = plan_of(part, mechanism);
  const double begin = cpu_seconds();
  const RunOutcome outcome = run_mechanism(mechanism, ours.start, plan, [&](const Sample& sample) {
    run.tip.push_back(ours.tip(sample.state));
  });
  run.seconds = cpu_seconds() - begin;
  const Summary& summary = outcome.summary;
  run.ok = summary.ok();
  run.steps = summary.accepted;
  run.rejected = summary.rejected;
  run.evaluations = summary.newton_iterations;
  run.matrices = summary.factorizations;
  if (!run.ok) fmt::print(stderr, "{}\n", summary.message);
  return run;
}

ChainRun run_ida(const BallChain& chain, const ChainSetting& setting) {
  const OurChain ours(chain);
  IdaSettings ida{.tolerance = setting.accuracy,
                  .length = chain.length,
                  .speed = chain.gravity * chain.end,
                  .spin = chain.gravity * chain.end / chain.length};
  for (int b = 1; b < ours.bodies().size(); ++b)
    ida.quaternions.push_back(ours.bodies()[b].first_position + 3);
  std::vector<double> times;
  for (int i = 0; i <= chain.samples; ++i)
    times.push_back(chain.sample_time(i));
  ChainRun run{.engine = "IDA", .setting = fmt::format("tolerance {:g}", setting.accuracy)};
  const double begin = cpu_seconds();
  const IdaCounts counts = run_ida(ours.loaded.mechanism->system(), ours.start.state, times, ida,
                                   [&](const State& s) { run.tip.push_back(ours.tip(s)); });
  run.seconds = cpu_seconds() - begin;
  run.ok = counts.ok;
  run.steps = counts.steps;
  run.rejected = counts.error_failures + counts.convergence_failures;
  run.evaluations = counts.iterations;
  run.matrices = counts.jacobians;
  return run;
}

}  // namespace picus::bench
