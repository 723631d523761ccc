// SPDX-License-Identifier: BSD-3-Clause
// Numbers by formula that a run records.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// A driven pendulum with a controller, a spring and a second body on a prescribed motion.
std::string machine(const std::string& outputs, const std::string& run = "end_time: 0.7") {
  return fmt::format(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
parameters: {{L: 1, k: 40}}
bodies:
  rod: {{mass: 2, shape: {{type: rod, length: L}}, at: [L/2, 0], markers: {{tip: {{at: [L/2, 0]}}}}}}
  car: {{mass: 3, inertia: [0.1], at: [0, 2]}}
joints:
  pin: {{type: revolute, between: [ground, rod], at: [0, 0], damping: 0.1}}
  rail: {{type: prismatic, between: [ground, car], at: [0, 2], axis: [1, 0, 0]}}
motions:
  push: {{joint: rail, value: 0.1*sin(5*time)}}
controls:
  doubled: {{type: variable, value: 2*lag}}
  lag: {{type: state, initial: 0.3, rate: pin.angle - lag}}
forces:
  spring: {{type: spring_damper, between: [rod.tip, car], stiffness: k, damping: 0.5, length: 1}}
  drive: {{type: motor, joint: pin, torque: 3*cos(7*time) - doubled}}
{}
run: {{{}, tolerance: 1e-7}}
)yaml",
                     outputs, run);
}

constexpr const char* kOutputs = R"(
outputs:
  power: {formula: drive.torque*pin.angle.rate, unit: W, meaning: power of the drive}
  height: rod.tip.y
  speed: hypot(rod.tip.vx, rod.tip.vy)
  twice: 2*power + height
  spring_pull: -spring.force
  car_push: push.force
  inertia: car.ax*3
  control: doubled - 2*lag + lag.rate
  waves: sin(2*pi*30*time)
  stretch: distance(rod.tip, car) - L
)";

TEST(Outputs, AreTheirFormulasAtEverySample) {
  for (const char* integrator : {"auto", "ggl", "soi2", "half_explicit"}) {
    int samples = 0;
    const auto look = [&](const ModelRun& run) {
      ++samples;
      const double rate = run("joints.pin.angle_rate"), torque = run("forces.drive.torque");
      EXPECT_DOUBLE_EQ(run("outputs.power"), torque * rate);
      EXPECT_DOUBLE_EQ(run("outputs.twice"), 2.0 * run("outputs.power") + run("outputs.height"));
      EXPECT_DOUBLE_EQ(run("outputs.spring_pull"), -run("forces.spring.force"));
      EXPECT_NEAR(run("outputs.height"), std::sin(run("joints.pin.angle")), 1e-6);
      EXPECT_NEAR(run("outputs.speed"), std::abs(rate), 1e-6 * (1.0 + std::abs(rate)));
      EXPECT_NEAR(run("outputs.control"), run("joints.pin.angle") - run("controls.lag.value"),
                  1e-6);
      EXPECT_DOUBLE_EQ(run("outputs.waves"), std::sin(60.0 * M_PI * run.time()));
      // 3 kg follow 0.1 sin(5 t)
      EXPECT_NEAR(run("outputs.inertia"), -7.5 * std::sin(5.0 * run.time()), 1e-3) << integrator;
    };
    ModelRun::of_text(machine(kOutputs), {fmt::format("run.integrator={}", integrator)}, look);
    EXPECT_GT(samples, 20) << integrator;
  }
}

// Neither a formula of time nor one that switches changes a step of the run.
TEST(Outputs, LeaveTheMotionAlone) {
  const ModelRun without = ModelRun::of_text(machine(""));
  const ModelRun with = ModelRun::of_text(
      machine(fmt::format("{}  comb: abs(sin(900*time)) + if(rod.y < -0.1, 1, 0)\n", kOutputs)));
  EXPECT_EQ(with.outcome().summary.accepted, without.outcome().summary.accepted);
  EXPECT_EQ(with.outcome().end.position, without.outcome().end.position);
  EXPECT_EQ(with.outcome().end.velocity, without.outcome().end.velocity);
  EXPECT_EQ(with.mechanism().system().switches(), without.mechanism().system().switches());
}

TEST(Outputs, OfTimeAloneDoNotMakeAModelDependOnTime) {
  const std::string model =
      "picus: 1\ndimension: 2\nbodies: {ball: {type: point, mass: 1}}\noutputs: {clock: 2*time}\n";
  EXPECT_FALSE(load_model_text("test.yaml", model).mechanism->depends_on_time());
}

TEST(Outputs, AreInTheUnitsOfTheirFile) {
  const ModelRun run = ModelRun::of_text(R"yaml(
picus: 1
units: {length: mm, time: ms, force: kN, angle: deg}
dimension: 2
bodies: {block: {type: point, mass: 2, at: [1300, 0], velocity: [5, 0]}}
forces: {spring: {type: spring_damper, between: [ground, block], stiffness: 0.001, length: 1000}}
outputs:
  x: {formula: block.x, unit: mm}
  v: {formula: block.vx, unit: m/s}
  f: {formula: spring.force, unit: kN}
  t: {formula: time, unit: ms}
run: {end_time: 20}
)yaml");
  EXPECT_DOUBLE_EQ(run("outputs.x"), 1000.0 * run("bodies.block.position.x"));
  EXPECT_DOUBLE_EQ(run("outputs.v"), run("bodies.block.velocity.x"));
  EXPECT_DOUBLE_EQ(run("outputs.f"), 1e-3 * run("forces.spring.force"));
  EXPECT_DOUBLE_EQ(run("outputs.t"), 20.0);
}

TEST(Outputs, HaveUnitAndMeaning) {
  const LoadedModel loaded = load_model_text("test.yaml", machine(kOutputs));
  std::vector<Quantity> outputs;
  const MechanismRecord record(*loaded.mechanism);
  for (const Quantity& quantity : record.quantities())
    if (quantity.group == "outputs") outputs.push_back(quantity);
  ASSERT_EQ(outputs.size(), 10u);
  EXPECT_EQ(outputs[0], (Quantity{"outputs", "power", {}, {}, "W", "power of the drive"}));
  EXPECT_EQ(outputs[1], (Quantity{"outputs", "height", {}, {}, "", "rod.tip.y"}));
}

TEST(Outputs, ThatReadEachOtherCostTheirNumber) {
  std::string outputs = "outputs:\n  o0: rod.x\n";
  for (int i = 1; i < 60; ++i) {
    outputs += fmt::format("  o{}: o{}", i, i - 1);
    for (int j = 0; j + 1 < i; ++j)
      outputs += fmt::format(" + 0*o{}", j);
    outputs += "\n";
  }
  const ModelRun run = ModelRun::of_text(machine(outputs, "end_time: 0.01"));
  EXPECT_DOUBLE_EQ(run("outputs.o59"), run("bodies.rod.position.x"));
}

}  // namespace
}  // namespace picus::testing
