// SPDX-License-Identifier: BSD-3-Clause
// Friction without contact in model files: closed forms, the same in different words, the smooth
// variant.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/equilibrium.h"
#include "picus/runs/inspect.h"
#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

TEST(DryFrictionPendulum, LosesTheSameAmplitudeInEveryCycleAndSticks) {
  std::vector<double> extremes;
  double before = -1.0;
  const ModelRun run = ModelRun::of("dry_friction_pendulum", {}, [&](const ModelRun& now) {
    const double rate = now("joints.bearing.angle_rate");
    if (rate * before < 0.0) extremes.push_back(now("joints.bearing.angle"));
    if (rate != 0.0) before = rate;
    EXPECT_LE(std::abs(now("friction.dry.force_1")), now.parameter("T") * (1.0 + 1e-9));
  });
  const double loss = 2.0 * run.parameter("T") / run.parameter("k");
  ASSERT_GE(extremes.size(), 4u);
  double expected = run.parameter("start");
  for (std::size_t i = 0; i < 4; ++i) {
    expected = -(std::abs(expected) - loss) * (expected > 0.0 ? 1.0 : -1.0);
    EXPECT_NEAR(extremes[i], expected, 1e-4) << i;
  }
  // 0.12 is outside of the dead band, the next one within
  EXPECT_NEAR(run("joints.bearing.angle"), loss - std::abs(expected), 1e-4);
  EXPECT_NEAR(run("joints.bearing.angle_rate"), 0.0, 1e-12);
  EXPECT_EQ(run("friction.dry.mode"), 1.0);
  EXPECT_NEAR(run("friction.dry.force_1"), run.parameter("k") * run("joints.bearing.angle"), 1e-6);
  const double lost = 0.5 * run.parameter("k") - run("energy.total");
  EXPECT_NEAR(run("friction.dry.dissipated"), lost, 1e-4 * lost);
}

TEST(Brake, StopsTheWheelAndHoldsTheLoad) {
  const auto speed = [](const ModelRun& now) {
    const double t = now.time(), lag = now.parameter("lag");
    const double pads = now.parameter("mu") * now.parameter("r") * now.parameter("N");
    return now.parameter("w0") +
           (now.parameter("load") * t - pads * (t - lag * (1.0 - std::exp(-t / lag)))) /
               now.parameter("J");
  };
  const ModelRun run = ModelRun::of("brake", {}, [&](const ModelRun& now) {
    EXPECT_NEAR(now("joints.axle.angle_rate"), std::max(0.0, speed(now)), 2e-3) << now.time();
    EXPECT_EQ(now("friction.pads.mode"), speed(now) > 0.1    ? 2.0
                                         : speed(now) < -0.1 ? 1.0
                                                             : now("friction.pads.mode"));
  });
  EXPECT_NEAR(run("joints.axle.angle_rate"), 0.0, 1e-12);
  EXPECT_NEAR(run("friction.pads.force_1"), -run.parameter("load"), 1e-9);
  EXPECT_NEAR(run("friction.pads.limit"), 96.0, 1e-2);
}

// A puck thrown on an inclined plane: pressed by the plane, or by a force that is told.
std::string puck(const std::string& contact, const std::string& integrator) {
  return fmt::format(R"(
picus: 1
gravity: [0, 3.8, -9]
bodies:
  puck: {{type: point, mass: 1.5, velocity: [2, -1, 0]}}
contacts:
  floor: {}
run: {{end_time: 0.8, step: 2e-3, integrator: {}}}
)",
                     contact, integrator);
}

TEST(FrictionElement, IsTheFrictionOfAContactWhoseNormalForceIsKnown) {
  for (const char* integrator : {"moreau_jean", "moreau_midpoint", "nonsmooth_pva"}) {
    std::vector<std::array<double, 4>> seen;
    ModelRun::of_text(
        puck("{type: ball_on_plane, between: [ground, puck], friction: 0.4}", integrator), {},
        [&](const ModelRun& now) {
          seen.push_back({now("bodies.puck.position.x"), now("bodies.puck.position.y"),
                          now("contacts.floor.friction_1"), now("contacts.floor.friction_2")});
        });
    std::size_t sample = 0;
    ModelRun::of_text(
        puck("{type: friction, slip: [puck.vx, puck.vy], coefficient: 0.4, "
             "normal_force: 1.5*9}",
             integrator),
        {}, [&](const ModelRun& now) {  // it falls meanwhile
          ASSERT_LT(sample, seen.size());
          const auto& expected = seen[sample++];
          EXPECT_NEAR(now("bodies.puck.position.x"), expected[0], 1e-9) << now.time();
          EXPECT_NEAR(now("bodies.puck.position.y"), expected[1], 1e-9) << now.time();
          if (sample < 3) return;
          EXPECT_NEAR(std::hypot(now("friction.floor.force_1"), now("friction.floor.force_2")),
                      std::hypot(expected[2], expected[3]), 1e-6)
              << now.time();
        });
  }
}

// Files in millimetres say the same.
TEST(FrictionElement, KnowsTheUnitsOfItsFile) {
  const auto model = [](const std::string& units, const std::string& friction,
                        const std::string& speed, const std::string& arm) {
    return fmt::format(R"(
picus: 1
dimension: 2
{}
bodies:
  sled: {{mass: 2, inertia: [1], velocity: [{}, 0]}}
  wheel: {{mass: 1, inertia: [{}], spin: 5}}
joints:
  rail: {{type: prismatic, between: [ground, sled]}}
  axle: {{type: revolute, between: [ground, wheel]}}
contacts:
{}
run: {{end_time: 0.3, step: 1e-3}}
)",
                       units, speed, arm, friction);
  };
  const char* rigid = R"(  rub: {type: friction, joint: rail, limit: 3}
  brake: {type: friction, joint: axle, coefficient: 0.3, radius: RADIUS, normal_force: 20}
  clamp: {type: friction, joint: axle, limit: TORQUE})";
  const auto with = [&](std::string radius, std::string torque) {
    std::string text = rigid;
    text.replace(text.find("RADIUS"), 6, radius);
    text.replace(text.find("TORQUE"), 6, torque);
    return text;
  };
  const ModelRun metres = ModelRun::of_text(model("", with("0.1", "0.05"), "1", "0.2"));
  const ModelRun millimetres =
      ModelRun::of_text(model("units: {length: mm}", with("100", "50"), "1000", "0.2e6"));
  EXPECT_NEAR(metres("joints.rail.position_rate"), 1.0 - 0.45, 1e-9);
  EXPECT_NEAR(metres("joints.axle.angle_rate"), 5.0 - 0.65 / 0.2 * 0.3, 1e-9);
  for (const char* channel : {"joints.rail.position_rate", "joints.axle.angle_rate",
                              "friction.brake.limit", "friction.clamp.force_1"})
    EXPECT_NEAR(millimetres(channel), metres(channel), 1e-9) << channel;
}

// With slip_speed it is a force: every method takes it, and nothing else in the model changes.
TEST(SmoothFriction, RunsWithErrorControlNearTheRigidOne) {
  const char* text = R"(
picus: 1
dimension: 2
bodies:
  wheel: {mass: 1, inertia: [0.2], spin: 5}
joints:
  axle: {type: revolute, between: [ground, wheel]}
contacts:
  brake: {type: friction, joint: axle, limit: 0.5 + 0.1*time}
run: {end_time: 1, step: 1e-3}
)";
  const ModelRun rigid = ModelRun::of_text(text);
  const ModelRun smooth = ModelRun::of_text(
      text, {"contacts.brake.slip_speed=0.01", "run.step=0", "run.integrator=hht_i3"});
  const double exact = 5.0 - (0.5 + 0.05) / 0.2;
  EXPECT_NEAR(rigid("joints.axle.angle_rate"), exact, 1e-6);
  EXPECT_NEAR(smooth("joints.axle.angle_rate"), exact, 1e-3);
  EXPECT_NEAR(smooth("friction.brake.force_1"), -0.6, 1e-3);
  EXPECT_EQ(smooth("friction.brake.mode"), 2.0);
  EXPECT_EQ(smooth.mechanism().system().sizes().friction_elements, 0);
}

// Redundant constraints are left out; friction stays.
TEST(FrictionElement, WorksBesideRedundantConstraints) {
  const ModelRun run = ModelRun::of_text(R"(
picus: 1
bodies:
  door: {mass: 10, inertia: [1, 1, 2], spin: 1}
joints:
  lower: {type: revolute, between: [ground, door], at: [0, 0, -1]}
  upper: {type: revolute, between: [ground, door], at: [0, 0, 1]}
contacts:
  stiff: {type: friction, joint: lower, limit: 1.5}
run: {end_time: 2, step: 1e-2}
)");
  EXPECT_FALSE(run.start().consistency.redundant.empty());
  EXPECT_NEAR(run("joints.lower.angle"), 0.5 * 2.0 / 1.5, 1e-3);
  EXPECT_EQ(run("friction.stiff.mode"), 1.0);
}

TEST(FrictionElement, IsCountedAndNamed) {
  const LoadedModel loaded = load_model(PICUS_SOURCE_DIR "/models/brake.yaml");
  const Inspection inspection = inspect(loaded);
  EXPECT_EQ(inspection.sizes.friction_elements, 1);
  EXPECT_EQ(inspection.contact_slips, 0);
  EXPECT_EQ(inspection.velocity_freedoms, 1);
  EXPECT_TRUE(inspection.findings.empty()) << inspection.findings.front().text;
  try {
    static_cast<void>(find_equilibrium(*loaded.mechanism, assemble_start(*loaded.mechanism)));
    FAIL() << "found an equilibrium";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'pads'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace picus::testing
