// SPDX-License-Identifier: BSD-3-Clause
// Formulas that switch while friction sticks, slips and reverses: every run reaches its end, and
// its audit is green.
#include <ostream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/runs/models.h"

namespace picus::testing {
namespace {

struct Switching {
  const char* name;
  const char* text;
  std::vector<double> steps;  ///< of methods that step across events [s]
};

void PrintTo(const Switching& model, std::ostream* out) {
  *out << model.name;
}

// The limit has a kink where the block rests, the push where it vanishes.
constexpr const char* kHalfWaves = R"yaml(dimension: 2
bodies:
  block: {mass: 0.314, inertia: [0.1]}
joints:
  rail: {type: prismatic, between: [ground, block]}
markers:
  anchor: {at: [-2, 0]}
contacts:
  shoe: {type: friction, joint: rail, limit: "8.44/(1 + 1.95*abs(rail.position.rate))"}
forces:
  push: {type: force, body: block, force: ["max(0, 21.14*sin(3.813*time))", 0]}
  spring: {type: spring_damper, between: [anchor, block], stiffness: 91.09, length: 2}
run: {end_time: 4.56}
)yaml";

// Pressed against a stop the friction is not determined; the stop lets go where it is at its limit.
constexpr const char* kStop = R"yaml(dimension: 2
bodies:
  block: {mass: 0.3048, inertia: [0.1], velocity: [-0.113, 0]}
joints:
  rail: {type: prismatic, between: [ground, block]}
contacts:
  shoe: {type: friction, joint: rail, limit: 6.282}
  ends: {type: stop, joint: rail, lower: -0.483, upper: 0.476, restitution: 0.579}
forces:
  push: {type: force, body: block, force: ["clamp(16.07*sin(3.006*time), -10.71, 8.57)", 0]}
run: {end_time: 1.5}
)yaml";

// Once it slips, friction falls so steeply that a long step overshoots between its ends.
constexpr const char* kStribeck = R"yaml(dimension: 2
bodies:
  block: {mass: 0.6346, inertia: [0.1], velocity: [0.543, 0]}
markers:
  wall: {at: [-3, 0]}
joints:
  rail: {type: prismatic, between: [ground, block]}
forces:
  spring: {type: spring_damper, between: [wall, block], stiffness: 9.582, length: 3, damping: 0.693}
contacts:
  belt: {type: friction, slip: ["block.vx - 0.5434"],
         limit: "7.567*(0.6 + 0.4*exp(-((block.vx - 0.5434)/0.0572)^2))"}
run: {end_time: 4.94}
)yaml";

// Two laws carry their limit at once where the push reverses.
constexpr const char* kTwoBlocks = R"yaml(dimension: 2
bodies:
  lower: {mass: 1.587, inertia: [0.1]}
  upper: {mass: 3.594, inertia: [0.1], at: [0, 0.2]}
joints:
  floor: {type: prismatic, between: [ground, lower]}
  top: {type: prismatic, between: [lower, upper]}
contacts:
  rub: {type: friction, joint: floor, limit: 3.675}
  grip: {type: friction, slip: ["upper.vx - lower.vx"], limit: 3.535}
forces:
  push: {type: force, body: lower, force: ["6.567*if(mod(time, 1.368) < 0.5445, 1, -0.4)", 0]}
  hit: {type: force, body: upper, force: ["-155.5*max(0, upper.x - 0.0376)", 0]}
run: {end_time: 5.61}
)yaml";

// Rests between pushes, with a switch of the velocity at zero.
constexpr const char* kClamped = R"yaml(dimension: 2
bodies:
  block: {mass: 1.409, inertia: [0.1], velocity: [-0.577, 0]}
joints:
  rail: {type: prismatic, between: [ground, block]}
markers:
  anchor: {at: [-2, 0]}
contacts:
  shoe: {type: friction, joint: rail, limit: "9.969/(1 + 1.09*abs(rail.position.rate))"}
forces:
  push: {type: force, body: block, force: ["clamp(19.08*sin(6.612*time), -12.72, 10.18)", 0]}
  spring: {type: spring_damper, between: [anchor, block], stiffness: 112, length: 2}
run: {end_time: 4}
)yaml";

RunOutcome outcome_of(const char* text, const std::vector<std::string>& overrides) {
  LoadedModel loaded = load_model_text("test.yaml", "picus: 1\n" + std::string(text), overrides);
  return run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan_of(loaded, true),
                       {});
}

void expect_green(const RunOutcome& outcome, const std::string& how) {
  EXPECT_TRUE(outcome.summary.ok()) << how << ": " << outcome.summary.message;
  EXPECT_EQ(outcome.audit.verdict, AuditVerdict::kGreen) << how << ": " << outcome.audit.text;
}

class SwitchingFormulas : public ::testing::TestWithParam<Switching> {};

TEST_P(SwitchingFormulas, RunToTheEndWithAGreenAudit) {
  const Switching& model = GetParam();
  for (const char* tolerance : {"1e-3", "1e-5", "1e-7"})
    expect_green(outcome_of(model.text, {fmt::format("run.tolerance={}", tolerance)}), tolerance);
  for (const char* integrator : {"moreau_jean", "nonsmooth_pva"})
    for (const double step : model.steps)
      expect_green(outcome_of(model.text, {fmt::format("run.integrator={}", integrator),
                                           fmt::format("run.step={:g}", step)}),
                   fmt::format("{} {:g}", integrator, step));
}

INSTANTIATE_TEST_SUITE_P(Of, SwitchingFormulas,
                         ::testing::Values(Switching{"half_waves", kHalfWaves, {2.28e-3, 4.56e-3}},
                                           Switching{"stop", kStop, {}},
                                           Switching{"stribeck", kStribeck, {}},
                                           Switching{"two_blocks", kTwoBlocks, {}},
                                           Switching{"clamped", kClamped, {2.24e-3, 4.47e-3}}),
                         [](const auto& model) { return std::string(model.param.name); });

// Solvers leave rounding of the friction of smooth surfaces, which is no friction beyond its limit.
TEST(AuditOfSmoothContacts, ForgivesRounding) {
  constexpr const char* kDiscs = R"yaml(dimension: 2
gravity: [0, -9.81]
parameters: {r: 0.05}
bodies:
  disc1: {mass: 0.5527, shape: {type: cylinder, radius: r, length: 0.1}, at: [-0.044, -0.195]}
  disc2: {mass: 0.5273, shape: {type: cylinder, radius: r, length: 0.1}, at: [0.093, -0.342]}
  disc3: {mass: 0.8146, shape: {type: cylinder, radius: r, length: 0.1}, at: [0.95, 0.116],
          velocity: [-1.9, 0], spin: -4.19}
joints:
  pin1: {type: revolute, between: [ground, disc1], at: [0, 0]}
  pin2: {type: revolute, between: [disc1, disc2], at: [-0.044, -0.195]}
markers:
  floor: {at: [0, -0.5]}
collisions:
  group:
    balls: [{at: disc1}, {at: disc2}, {at: disc3}]
    planes: [{body: floor, normal: [0, 1]}]
    friction: 0
run: {end_time: 0.53, step: 2.65e-4, integrator: moreau_jean}
)yaml";
  const RunOutcome outcome = outcome_of(kDiscs, {});
  EXPECT_TRUE(outcome.summary.ok()) << outcome.summary.message;
}

}  // namespace
}  // namespace picus::testing
