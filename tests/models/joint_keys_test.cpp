// SPDX-License-Identifier: BSD-3-Clause
// Motors, and what joints say of their own coordinates: closed forms, and models that say the same.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

std::string arm_on(const std::string& joint, const std::string& rest) {
  return fmt::format(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  arm: {{mass: 2, shape: {{type: rod, length: 1}}, at: [0.5, 0]}}
joints:
  pin: {{type: revolute, between: [ground, arm], at: [0, 0]{}}}
{}
run: {{end_time: 1.5, tolerance: 1e-9}}
)yaml",
                     joint, rest);
}

// Both run to the same place and give the same work.
void expect_same(const std::string& a, const std::string& b, double tolerance) {
  const ModelRun first = ModelRun::of_text(a), second = ModelRun::of_text(b);
  EXPECT_NEAR(first("joints.pin.angle"), second("joints.pin.angle"), tolerance);
  EXPECT_NEAR(first("joints.pin.angle_rate"), second("joints.pin.angle_rate"), tolerance);
}

TEST(JointKeys, AreShortForParts) {
  expect_same(arm_on(", stiffness: 30, damping: 0.4, rest: -0.3", ""),
              arm_on("",
                     "forces:\n  spring: {type: torsion_spring, between: [ground, arm], "
                     "at: [0, 0], stiffness: 30, damping: 0.4, angle: -0.3}"),
              1e-12);
  expect_same(arm_on(", friction: {limit: 2 + 0.1*abs(pin.angle)}", ""),
              arm_on("",
                     "contacts:\n  brake: {type: friction, joint: pin, "
                     "limit: 2 + 0.1*abs(pin.angle)}"),
              1e-12);
  expect_same(arm_on(", limits: {lower: -2, restitution: 0.6}", ""),
              arm_on("", "contacts:\n  end: {type: stop, joint: pin, lower: -2, restitution: 0.6}"),
              1e-12);
}

TEST(JointKeys, HaveShortForms) {
  expect_same(arm_on(", friction: 2", ""), arm_on(", friction: {limit: 2}", ""), 0.0);
  expect_same(arm_on(", friction: 2 + 0.1*abs(pin.angle)", ""),
              arm_on(", friction: {limit: 2 + 0.1*abs(pin.angle)}", ""), 0.0);
  expect_same(arm_on(", limits: [-2, 0.1]", ""), arm_on(", limits: {lower: -2, upper: 0.1}", ""),
              0.0);
  expect_same(arm_on(", limits: {range: [-2, 0.1], restitution: 0.6}", ""),
              arm_on(", limits: {lower: -2, upper: 0.1, restitution: 0.6}", ""), 0.0);
}

TEST(JointKeys, ConserveTheEnergyOfTheirSpring) {
  const ModelRun run = ModelRun::of_text(arm_on(", stiffness: 30, rest: 0.5", ""));
  EXPECT_LT(run.energy_drift(), 1e-6);
  EXPECT_NEAR(run("forces.pin.torque"), -30.0 * (run("joints.pin.angle") - 0.5), 1e-9);
}

TEST(JointKeys, AreInTheUnitsOfTheFile) {
  const std::string text = R"yaml(
picus: 1
dimension: 2
bodies: {sled: {mass: 2, inertia: [1], at: [0.1, 0]}}
joints: {rail: {type: prismatic, between: [ground, sled], at: [0, 0], stiffness: 8, rest: -0.1}}
run: {end_time: 0.5, tolerance: 1e-10}
)yaml";
  const std::string millimetres = R"yaml(
picus: 1
dimension: 2
units: {length: mm}
bodies: {sled: {mass: 2, inertia: [1e6], at: [100, 0]}}
joints: {rail: {type: prismatic, between: [ground, sled], at: [0, 0], stiffness: 0.008, rest: -100}}
run: {end_time: 0.5, tolerance: 1e-10}
)yaml";
  const ModelRun a = ModelRun::of_text(text), b = ModelRun::of_text(millimetres);
  EXPECT_NEAR(a("joints.rail.position"), -0.1 + 0.1 * std::cos(2.0 * 0.5), 1e-8);
  EXPECT_NEAR(a("joints.rail.position"), b("joints.rail.position"), 1e-10);
}

TEST(Motor, ByFormulaIsATorque) {
  expect_same(arm_on("",
                     "forces:\n  drive: {type: motor, joint: pin, torque: 12*sin(3*time) - "
                     "0.5*rate*abs(angle)}"),
              arm_on("",
                     "forces:\n  drive: {type: torque, between: [ground, arm], torque: "
                     "12*sin(3*time) - 0.5*pin.angle.rate*abs(pin.angle)}"),
              1e-11);
}

TEST(Motor, AsAServoIsASpringToItsTarget) {
  expect_same(arm_on("",
                     "forces:\n  drive: {type: motor, joint: pin, target: 0.4*sin(2*time), "
                     "speed: 0.8*cos(2*time), stiffness: 90, damping: 6}"),
              arm_on("",
                     "forces:\n  drive: {type: torque, between: [ground, arm], torque: "
                     "90*(0.4*sin(2*time) - pin.angle) + 6*(0.8*cos(2*time) - "
                     "pin.angle.rate)}"),
              1e-11);
}

// m x'' = 4 N until the spring force k (1 − x) falls to it at x = 0.6, then a swing about x = 1.
TEST(Motor, KeepsItsLimit) {
  const ModelRun run = ModelRun::of_text(R"yaml(
picus: 1
dimension: 2
bodies: {sled: {mass: 2, inertia: [1]}}
joints: {rail: {type: prismatic, between: [ground, sled]}}
forces: {drive: {type: motor, joint: rail, target: 1, stiffness: 10, limit: 4}}
run: {end_time: 1, tolerance: 1e-9}
)yaml");
  const double begin = std::sqrt(2.0 * 0.6 * 2.0 / 4.0), speed = 2.0 * begin;
  const double w = std::sqrt(5.0), t = 1.0 - begin;
  EXPECT_NEAR(run("joints.rail.position"),
              1.0 - 0.4 * std::cos(w * t) + speed / w * std::sin(w * t), 1e-7);
  EXPECT_EQ(run.outcome().summary.restarts, 1);
  ModelRun::of_text(R"yaml(
picus: 1
dimension: 2
bodies: {sled: {mass: 2, inertia: [1]}}
joints: {rail: {type: prismatic, between: [ground, sled]}}
forces: {drive: {type: motor, joint: rail, force: 50*sin(7*time), limit: 2 + time}}
run: {end_time: 1}
)yaml",
                    {}, [](const ModelRun& step) {
                      EXPECT_LE(std::abs(step("forces.drive.force")), 2.0 + step.time() + 1e-12);
                    });
}

TEST(Motor, LeadsTheServoArmToItsPose) {
  double largest = 0.0;
  const ModelRun run = ModelRun::of("servo_arm", {}, [&](const ModelRun& step) {
    largest = std::max(largest, std::abs(step("forces.shoulder_motor.torque")));
  });
  EXPECT_EQ(run.outcome().summary.ending, Summary::Ending::kReachedCondition);
  EXPECT_NEAR(largest, 4.0, 1e-9) << "it reaches its limit";
  EXPECT_NEAR(run("joints.shoulder.angle"), run.parameter("q1"), 1e-3);
  EXPECT_NEAR(run("joints.elbow.angle"), run.parameter("q2"), 1e-3);
  EXPECT_NEAR(std::hypot(run("joints.shoulder.angle_rate"), run("joints.elbow.angle_rate")),
              run.parameter("rest"), 1e-9);
}

}  // namespace
}  // namespace picus::testing
