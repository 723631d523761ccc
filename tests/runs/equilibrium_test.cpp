// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/equilibrium.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/runs/models.h"

namespace picus {
namespace {

Equilibrium rest_of(const LoadedModel& loaded) {
  return find_equilibrium(*loaded.mechanism, assemble_start(*loaded.mechanism));
}

Vector3 place_of(const LoadedModel& loaded, const Equilibrium& found, const char* body) {
  const Mechanism& m = *loaded.mechanism;
  return m.bodies().pose(m.find_body(body), found.state.position).r;
}

TEST(Equilibrium, APendulumHangsFromAnyStart) {
  for (const char* angle : {"0", "1.5", "-3", "2.9"}) {
    const LoadedModel loaded = pendulum(angle);
    const Equilibrium found = rest_of(loaded);
    ASSERT_TRUE(found.found) << angle << ": " << found.message;
    EXPECT_TRUE(found.is_stable);
    EXPECT_LT((place_of(loaded, found, "rod") - Vector3(0, -1, 0)).norm(), 1e-7) << angle;
    const Reaction pin = loaded.mechanism->reaction(loaded.mechanism->joints()[0], found.state);
    EXPECT_LT((pin.force - Vector3(0, 3 * 9.81, 0)).norm(), 1e-6);
  }
}

TEST(Equilibrium, AnUprightPendulumIsFoundUnstable) {
  const Equilibrium found = rest_of(pendulum("pi/2"));
  ASSERT_TRUE(found.found) << found.message;
  EXPECT_EQ(found.iterations, 0);
  EXPECT_FALSE(found.is_stable);
  EXPECT_FALSE(found.unstable.empty());
}

TEST(Equilibrium, AChainOfSpringsStretchesByTheWeightBelow) {
  const LoadedModel loaded = model_of(R"(
gravity: [0, 0, -10]
bodies:
  a: {type: point, mass: 1, at: [0, 0, -1]}
  b: {type: point, mass: 2, at: [0.3, 0.1, -2]}
forces:
  upper: {type: spring_damper, between: [ground, a], stiffness: 100, length: 1}
  lower: {type: spring_damper, between: [a, b], stiffness: 50, length: 1}
)");
  const Equilibrium found = rest_of(loaded);
  ASSERT_TRUE(found.found) << found.message;
  // 30 N on the upper spring, 20 N on the lower one
  EXPECT_LT((place_of(loaded, found, "a") - Vector3(0, 0, -1.3)).norm(), 1e-7);
  EXPECT_LT((place_of(loaded, found, "b") - Vector3(0, 0, -1.3 - 1.4)).norm(), 1e-7);
}

TEST(Equilibrium, ABodyOnABallJointHangsStraightDownAndMayTurn) {
  const LoadedModel loaded = model_of(R"(
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, inertia: [0.1, 0.2, 0.3], at: [0.6, 0, 0.8]}
joints:
  ball: {type: spherical, between: [ground, bob], at: [0, 0, 0]}
)");
  const Equilibrium found = rest_of(loaded);
  ASSERT_TRUE(found.found) << found.message;
  EXPECT_LT((place_of(loaded, found, "bob") - Vector3(0, 0, -1)).norm(), 1e-7);
  EXPECT_TRUE(found.is_stable);
  ASSERT_EQ(found.free_motions.size(), 1U);  // about the vertical
}

TEST(Equilibrium, RedundantConstraintsDoNotDisturb) {
  // the second pin of a planar body in space of a closed loop: a door on two hinges
  const LoadedModel loaded = model_of(R"(
gravity: [0, -9.81, 0]
bodies:
  door: {mass: 5, inertia: [1, 1, 1], at: [1, 0, 0]}
joints:
  left: {type: revolute, between: [ground, door], at: [0, 0, -1], axis: [0, 0, 1]}
  right: {type: revolute, between: [ground, door], at: [0, 0, 1], axis: [0, 0, 1]}
)");
  const Equilibrium found = rest_of(loaded);
  ASSERT_TRUE(found.found) << found.message;
  EXPECT_LT((place_of(loaded, found, "door") - Vector3(0, -1, 0)).norm(), 1e-7);
  Vector3 sum = Vector3::Zero();
  for (const AssembledJoint& joint : loaded.mechanism->joints())
    sum += loaded.mechanism->reaction(joint, found.state).force;
  EXPECT_LT((sum - Vector3(0, 5 * 9.81, 0)).norm(), 1e-6);
}

TEST(Equilibrium, ControlsSettle) {
  // the state follows the angle of the rod; a spring holds the rod against gravity
  const LoadedModel loaded = model_of(R"(
dimension: 2
bodies:
  block: {type: planar, mass: 1, inertia: [1], at: [1, 0]}
joints:
  slide: {type: prismatic, between: [ground, block], at: [1, 0], axis: [1, 0]}
forces:
  spring: {type: spring_damper, between: [ground, block], stiffness: 100, length: 1}
  push: {type: force, body: block, force: [lag, 0]}
controls:
  lag: {type: state, initial: 0, rate: 5*(7 - lag)}
)");
  const Equilibrium found = rest_of(loaded);
  ASSERT_TRUE(found.found) << found.message;
  EXPECT_NEAR(found.state.control(0), 7.0, 1e-7);
  EXPECT_NEAR(place_of(loaded, found, "block")(0), 1.07, 1e-8);
}

TEST(Equilibrium, AFallingBodyIsRefusedByName) {
  const Equilibrium found = rest_of(model_of(R"(
gravity: [0, 0, -9.81]
bodies:
  stone: {type: point, mass: 2, at: [0, 0, 5]}
)"));
  EXPECT_FALSE(found.found);
  EXPECT_NE(found.message.find("stone.z is out of balance by 19.6 N"), std::string::npos)
      << found.message;
  EXPECT_NE(found.message.find("no force resists"), std::string::npos) << found.message;
}

// A start that fails leaves a state that whoever shows it may read.
TEST(Equilibrium, SaysWhyAModelThatCannotStartHasNone) {
  const char* kBodies =
      "picus: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
      "  arm: {mass: 2, inertia: [0.1], at: [0.5, 0]}\n"
      "  far: {mass: 1, inertia: [0.1], at: [9, 0]}\n";
  const struct {
    const char *parts, *reason;
  } kCases[] = {
      {"joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0]}\n"
       "motions:\n  a: {joint: pin, value: 0.1}\n  b: {joint: pin, value: 0.3}\n",
       "contradictory"},
      {"joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0]}\n"
       "  rope: {type: distance, between: [ground, arm], length: 5}\n",
       "rope.length"},
      {"joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0]}\n"
       "motions:\n  a: {joint: pin, value: sqrt(time - 1)}\n",
       "not a finite"},
  };
  for (const auto& [parts, reason] : kCases) {
    const LoadedModel loaded = load_model_text("test.yaml", std::string(kBodies) + parts);
    const Start start = assemble_start(*loaded.mechanism);
    ASSERT_FALSE(start.consistency.ok()) << parts;
    const Equilibrium found = find_equilibrium(*loaded.mechanism, start);
    EXPECT_FALSE(found.found);
    EXPECT_NE(found.message.find(reason), std::string::npos) << found.message;
    EXPECT_NE(to_json(found, *loaded.mechanism).find("\"found\":false"), std::string::npos);
    EXPECT_EQ(found.state.multiplier.size(), loaded.mechanism->system().sizes().constraints);
  }
}

}  // namespace
}  // namespace picus
