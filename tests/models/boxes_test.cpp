// SPDX-License-Identifier: BSD-3-Clause
// Boxes whose corners touch a floor, a rod on a hinge: contacts that depend on each other or on a
// joint, bounces from corner to corner.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// Falls on a rough floor from an attitude and with a spin of its own.
std::string falling_box(int start) {
  std::string corners, contacts;
  for (int k = 0; k < 8; ++k) {
    corners += fmt::format("{}c{}: {{at: [{}, {}, {}]}}", k > 0 ? ", " : "", k, k & 1 ? 0.1 : -0.1,
                           k & 2 ? 0.15 : -0.15, k & 4 ? 0.05 : -0.05);
    contacts += fmt::format(
        "  k{}: {{type: ball_on_plane, between: [ground, box.c{}], restitution: 0.3, friction: "
        "0.4}}\n",
        k, k);
  }
  return fmt::format(R"(
picus: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  box:
    shape: {{type: box, size: [0.2, 0.3, 0.1]}}
    density: 500
    at: [0, 0, 0.4]
    rotations: [{{axis: [1, 0, 0], angle: {}}}, {{axis: [0, 1, 0], angle: {}}}]
    velocity: [0.5, 0, 0]
    angular_velocity: [{}, 2, {}]
    markers: {{{}}}
contacts:
{}
run: {{end_time: 2, step: 1e-3}}
)",
                     0.4 + 0.9 * start, 0.7 - 0.5 * start, 1.0 - start, 3.0 - 1.5 * start, corners,
                     contacts);
}

// At rest on one of its faces: half of an edge above the floor, but for what laws at velocity level
// let it sink in.
void expect_rest_on_a_face(const ModelRun& run) {
  EXPECT_LT(run("energy.kinetic"), 1e-9);
  const double height = run("bodies.box.position.z");
  EXPECT_LT(std::min({std::abs(height - 0.05), std::abs(height - 0.1), std::abs(height - 0.15)}),
            5e-3)
      << height;
}

TEST(FallingBox, ComesToRestOnAFaceWhateverItsStart) {
  for (const char* integrator :
       {"auto", "moreau_jean", "moreau_midpoint", "nonsmooth_pva", "nonsmooth_pvv"}) {
    for (int start = 0; start < 4; ++start) {
      SCOPED_TRACE(fmt::format("{}, start {}", integrator, start));
      expect_rest_on_a_face(
          ModelRun::of_text(falling_box(start), {fmt::format("run.integrator={}", integrator)}));
    }
  }
}

TEST(FallingBox, ComesToRestUnderErrorControl) {
  for (int start = 0; start < 4; ++start) {
    SCOPED_TRACE(start);
    expect_rest_on_a_face(
        ModelRun::of_text(falling_box(start), {"run.step=0", "run.tolerance=1e-5"}));
  }
}

// v²/(2 μ g) from event to event, where all corners come to rest in the same instant; friction has
// nothing to hold then.
TEST(SlidingBlock, StopsOnAllItsCornersAtOnce) {
  const std::string block = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  block:
    mass: 1
    inertia: [0.01]
    at: [0, 0.1]
    velocity: [1, 0]
    markers: {l: {at: [-0.2, -0.1]}, r: {at: [0.2, -0.1]}}
contacts:
  left: {type: ball_on_plane, between: [ground, block.l], friction: 0.3}
  right: {type: ball_on_plane, between: [ground, block.r], friction: 0.3}
run: {end_time: 1, integrator: event_driven}
)";
  for (const char* step : {"run.step=0", "run.step=1e-3"}) {
    SCOPED_TRACE(step);
    const ModelRun run = ModelRun::of_text(block, {step});
    EXPECT_NEAR(run("bodies.block.position.x"), 1.0 / (2.0 * 0.3 * kG), 1e-8);
    EXPECT_NEAR(run("contacts.left.friction_1") + run("contacts.right.friction_1"), 0.0, 1e-8);
    EXPECT_EQ(run("contacts.left.mode"), 1.0);  // sticks
    EXPECT_EQ(run("contacts.right.mode"), 1.0);
  }
}

// The tip slips when the rod turns, so what keeps it on the floor keeps it from slipping: gap and
// slip are one equation twice, and while the rod bounces they contradict each other.
TEST(HingedRod, BouncesToRestOnItsTip) {
  const std::string rod = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod:
    mass: 1
    shape: {type: rod, length: 1, width: 0.1}
    at: [0.5, 0.5]
    markers: {tip: {at: [0.5, 0]}}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0.5]}
contacts:
  floor: {type: ball_on_plane, between: [ground, rod.tip], restitution: 0.5}
run: {end_time: 2, step: 1e-3}
)";
  for (const char* integrator : {"auto", "moreau_jean", "nonsmooth_pva", "nonsmooth_pvv"}) {
    for (const double friction : {0.05, 0.3, 1.0}) {
      SCOPED_TRACE(fmt::format("{}, friction {}", integrator, friction));
      const ModelRun run =
          ModelRun::of_text(rod, {fmt::format("run.integrator={}", integrator),
                                  fmt::format("contacts.floor.friction={}", friction)});
      EXPECT_LT(run("energy.kinetic"), 1e-12);
      EXPECT_NEAR(run("contacts.floor.gap"), 0.0,
                  integrator == std::string("moreau_jean") ? 2e-3 : 1e-9);
    }
  }
}

}  // namespace
}  // namespace picus::testing
