// SPDX-License-Identifier: BSD-3-Clause
// Models with flexible parts against closed forms.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/equilibrium.h"
#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// d'Alembert: the pulse runs with the speed c, the clamp reflects it with its sign, so that it
// feels twice the pull, and the free end with the other sign.
TEST(ElasticBar, CarriesWavesUpAndDown) {
  double clamp = 0.0, when = 0.0, middle_high = 0.0, middle_low = 0.0, energy = 0.0;
  const ModelRun run = ModelRun::of("elastic_bar", {"run.step=L/c/300"}, [&](const ModelRun& at) {
    const double crossings = at.time() * at.parameter("c") / at.parameter("L");
    const double reaction = -at("joints.clamp.force.x"), force = at("elements.bar.50.axial_force");
    if (crossings < 2.0 && reaction > clamp) {
      clamp = reaction;
      when = crossings;
    }
    (crossings < 2.0 ? middle_high : middle_low) =
        crossings < 2.0 ? std::max(middle_high, force) : std::min(middle_low, force);
    energy = at("energy.total");
  });
  const double pull = run.parameter("pull"), half = 0.15;  // half a pulse, in crossings
  EXPECT_NEAR(clamp, 2.0 * pull, 0.01 * pull);
  EXPECT_NEAR(when, 1.0 + half, 0.01);
  EXPECT_NEAR(middle_high, pull, 0.02 * pull);
  EXPECT_NEAR(middle_low, -pull, 0.03 * pull);
  // the work of the pulse: ∫ F²/(ρ A c) dt
  const double impedance = run.parameter("rho") * 1e-4 * run.parameter("c");
  EXPECT_NEAR(energy, 0.375 * run.parameter("duration") * pull * pull / impedance, 1e-3 * energy);
  EXPECT_LT(run.violation(), 1e-12);
}

// Models of beams: the first part of each run ends with a green audit.
TEST(BeamModels, RunWithAGreenAudit) {
  const std::pair<const char*, const char*> ends[] = {
      {"rope_swing", "0.5"},   {"fishing_rod", "0.15"}, {"whirling_shaft", "0.05"},
      {"diving_board", "1.2"}, {"landing_gear", "0.3"}, {"bow_and_arrow", "0.05"},
      {"arch", "0.3"},         {"column", "4"}};
  for (const auto& [name, end] : ends) {
    SCOPED_TRACE(name);
    const ModelRun run = ModelRun::of(name, {fmt::format("run.end_time={}", end)});
    EXPECT_TRUE(run.outcome().audit.warnings.empty());
  }
}

// The board throws the diver up again, not as high as he came from.
TEST(BeamModels, TheDiverBounces) {
  double highest = -1.0, lowest = 1.0;
  (void)ModelRun::of("diving_board", {"run.end_time=2"}, [&](const ModelRun& now) {
    const double y = now("bodies.diver.position.y");
    lowest = std::min(lowest, y);
    if (lowest < 0.0) highest = std::max(highest, y);
  });
  EXPECT_LT(lowest, 0.0);
  EXPECT_GT(highest, 0.3);
  EXPECT_LT(highest, 0.85);
}

// The same with feet and a board that do not give way: after each impact the light node at the end
// of the board carries the diver, and damping makes a force of what closing the contact again moves
// it. Every tolerance tells the same story.
TEST(BeamModels, TheDiverBouncesOnRigidFeet) {
  const std::string text = R"(picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  diver: {mass: 70, shape: {type: sphere, radius: 0.25}, at: [4.8, 0.85]}
beams:
  board: {from: [0, 0], to: [4.8, 0], elements: 16, section: {type: rectangle, height: 34e-3,
    width: 0.5}, material: aluminium, damping: 1e-3}
joints:
  hinge: {type: revolute, between: [ground, board.start], at: [0, 0]}
  roller: {type: in_plane, between: [ground, board.node6], at: [1.8, 0], axis: [0, 1]}
  upright: {type: prismatic, between: [ground, diver], axis: [0, 1]}
contacts:
  feet: {type: ball_on_plane, between: [board.end, diver], normal: [0, 1]}
run: {end_time: 2}
)";
  std::vector<double> heights;
  for (const char* tolerance : {"1e-3", "3e-4", "1e-4", "1e-5"}) {
    SCOPED_TRACE(tolerance);
    const ModelRun run = ModelRun::of_text(text, {fmt::format("run.tolerance={}", tolerance)});
    EXPECT_TRUE(run.outcome().audit.warnings.empty());
    EXPECT_EQ(run.outcome().impacts, 8);
    heights.push_back(run("bodies.diver.position.y"));
  }
  EXPECT_NEAR(heights[0], heights[3], 0.05);
  EXPECT_NEAR(heights[2], heights[3], 5e-3);
}

// A rod of 0.2 kg takes some tens of N m to cast, as a long pendulum of its size would: 4.6 kg m²
// at 20 rad/s². Joints that are closed against its stiffness took 2300 N m in single steps.
TEST(BeamModels, TheCastTakesNoBlows) {
  double largest = 0.0;
  (void)ModelRun::of("fishing_rod", {"run.end_time=0.75"}, [&](const ModelRun& now) {
    largest = std::max(largest, std::abs(now("joints.cast.torque.z")));
  });
  EXPECT_LT(largest, 60.0);
  EXPECT_GT(largest, 5.0);
}

// Under 20 N the arch stands, under 30 N it hangs; statics and the run agree.
TEST(BeamModels, TheArchSnapsThrough) {
  for (const double load : {20.0, 30.0}) {
    ModelRun run =
        ModelRun::of("arch", {fmt::format("parameters.load={}", load), "run.end_time=1.5"});
    const Mechanism& m = run.mechanism();
    const Equilibrium rest = find_equilibrium(m, run.start());
    ASSERT_TRUE(rest.found) << rest.message;
    EXPECT_TRUE(rest.is_stable);
    const double crown = m.bodies().pose(m.find_body("arch.node12"), rest.state.position).r(1);
    EXPECT_EQ(crown > 0.0, load < 25.0);
    EXPECT_NEAR(run("bodies.arch.node12.position.y"), crown, 5e-3);
  }
}

// The elastica: P/P_cr = (2 K(k)/π)², top at 2k/K across; upright below Euler's load.
TEST(BeamModels, TheColumnBuckles) {
  for (const double part : {0.9, 1.2}) {
    ModelRun run = ModelRun::of("column", {fmt::format("parameters.part={}", part),
                                           "parameters.tilt=1e-5", "run.end_time=0.01"});
    const Mechanism& m = run.mechanism();
    const Equilibrium rest = find_equilibrium(m, run.start());
    ASSERT_TRUE(rest.found) << rest.message;
    EXPECT_TRUE(rest.is_stable);
    const double top = m.bodies().pose(m.find_body("top"), rest.state.position).r(0);
    if (part < 1.0) {
      EXPECT_LT(std::abs(top), 1e-3);
      continue;
    }
    double low = 0.0, high = 0.999;
    for (int n = 0; n < 60; ++n) {
      const double k = 0.5 * (low + high), K = std::comp_ellint_1(k) / std::acos(0.0);
      (K * K < part ? low : high) = k;
    }
    EXPECT_NEAR(std::abs(top), 2.0 * 2.0 * low / std::comp_ellint_1(low), 0.01);
  }
}

}  // namespace
}  // namespace picus::testing
