// SPDX-License-Identifier: BSD-3-Clause
// Boxes whose corners touch a floor, a rod on a hinge: contacts that depend on each other or on a
// joint, bounces from corner to corner.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

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

// A body of 2 kg on some legs, μ = 0.4. In space three legs have six slips for three velocities,
// and four legs one normal force too many: nothing determines how they share friction.
struct Legs {
  const char* name;
  std::vector<Eigen::Vector2d> at;
};

const Legs kLegs[] = {{"a point", {{0.0, 0.0}}},
                      {"three legs", {{-0.2, -0.15}, {0.2, -0.15}, {0.0, 0.15}}},
                      {"four legs", {{-0.2, -0.15}, {0.2, -0.15}, {-0.2, 0.15}, {0.2, 0.15}}}};

constexpr double kLimit = 0.4 * 2.0 * kG;

std::string standing(const Legs& legs, const std::string& velocity, const std::string& force) {
  std::string markers, contacts;
  for (std::size_t k = 0; k < legs.at.size(); ++k) {
    markers += fmt::format("{}c{}: {{at: [{}, {}, {}]}}", k > 0 ? ", " : "", k, legs.at[k].x(),
                           legs.at[k].y(), legs.at.size() > 1 ? "-0.1" : "0");
    contacts += fmt::format(
        "  k{}: {{type: ball_on_plane, between: [ground, box.c{}], friction: 0.4}}\n", k, k);
  }
  return fmt::format(R"(
picus: 1
gravity: [0, 0, -9.81]
bodies:
  box:
    mass: 2
{}    velocity: [{}, 0]
    markers: {{{}}}
forces:
  push: {{type: force, body: box, force: [{}, 0]}}
contacts:
{}
run: {{end_time: 1.5}}
)",
                     legs.at.size() > 1 ? "    inertia: [0.03, 0.04, 0.05]\n    at: [0, 0, 0.1]\n"
                                        : "    type: point\n",
                     velocity, markers, force, contacts);
}

void expect_all_modes(const ModelRun& run, const Legs& legs, double mode) {
  for (std::size_t k = 0; k < legs.at.size(); ++k)
    EXPECT_EQ(run(fmt::format("contacts.k{}.mode", k)), mode) << k;
}

struct Way {
  const char *method, *smooth;
};
constexpr Way kWays[] = {{"event_driven", "half_explicit"},
                         {"event_driven", "radau_iia"},
                         {"event_capturing", "half_explicit"}};

std::vector<std::string> settings(const Way& way, const char* tolerance) {
  return {fmt::format("run.integrator={}", way.method),
          fmt::format("run.options={{smooth: {}}}", way.smooth),
          fmt::format("run.tolerance={}", tolerance)};
}

// Pushed by F sin 2t along a line, it slips from F sin 2t = μ m g on. Where a slip begins, its
// direction follows the forces at once, which explicit steps must not be asked to do.
TEST(PushedInSpace, BeginsToSlipWhenFrictionIsUsedUp) {
  const double F = 20.0, begins = 0.5 * std::asin(kLimit / F), t = 1.5, d = t - begins;
  const double way = (-F / 4.0 * (std::sin(2.0 * t) - std::sin(2.0 * begins)) +
                      F / 2.0 * std::cos(2.0 * begins) * d - 0.5 * kLimit * d * d) /
                     2.0;
  for (const Legs& legs : kLegs)
    for (const Way& how : kWays)
      for (const char* tolerance : {"1e-3", "1e-8"})
        for (const double angle : {0.7}) {
          SCOPED_TRACE(fmt::format("{}, {} over {}, tolerance {}, {} rad", legs.name, how.method,
                                   how.smooth, tolerance, angle));
          const double c = std::cos(angle), s = std::sin(angle);
          const ModelRun run = ModelRun::of_text(
              standing(legs, "0, 0",
                       fmt::format("\"{}*sin(2*time)\", \"{}*sin(2*time)\"", F * c, F * s)),
              settings(how, tolerance));
          const double allowed = 1e-6 + 2.0 * std::stod(tolerance);
          EXPECT_NEAR(run("bodies.box.position.x"), way * c, allowed);
          EXPECT_NEAR(run("bodies.box.position.y"), way * s, allowed);
          expect_all_modes(run, legs, 2.0);
        }
}

// Two pushes out of step: the slip turns. What is explicit far from zero speed agrees with what is
// implicit everywhere.
TEST(PushedInSpace, TurnsWithThePush) {
  const std::string push = "\"20*sin(2*time)\", \"5*sin(3*time)\"";
  const ModelRun exact =
      ModelRun::of_text(standing(kLegs[0], "0, 0", push), settings(kWays[1], "1e-11"));
  for (const Way& how : kWays)
    for (const char* tolerance : {"1e-3", "1e-5", "1e-7", "1e-9"}) {
      SCOPED_TRACE(fmt::format("{} over {}, tolerance {}", how.method, how.smooth, tolerance));
      const ModelRun run =
          ModelRun::of_text(standing(kLegs[0], "0, 0", push), settings(how, tolerance));
      for (const char* channel : {"bodies.box.position.x", "bodies.box.position.y"})
        EXPECT_NEAR(run(channel), exact(channel), 1e-8 + 2.0 * std::stod(tolerance)) << channel;
    }
}

// v²/(2 μ g); all legs come to rest together and stick.
TEST(SlidingInSpace, StopsOnAllLegsAtOnce) {
  for (const Legs& legs : kLegs)
    for (const Way& how : kWays)
      for (const char* tolerance : {"1e-3", "1e-5", "1e-8"})
        for (const auto& [vx, vy] : {std::pair{1.0, 0.0}, {1.0, 0.5}, {-0.3, 1.7}}) {
          SCOPED_TRACE(fmt::format("{}, {} over {}, tolerance {}, {} {} m/s", legs.name, how.method,
                                   how.smooth, tolerance, vx, vy));
          const ModelRun run = ModelRun::of_text(
              standing(legs, fmt::format("{}, {}", vx, vy), "0, 0"), settings(how, tolerance));
          const double speed = std::hypot(vx, vy), way = speed * speed / (2.0 * 0.4 * kG);
          EXPECT_NEAR(run("bodies.box.position.x"), way * vx / speed, 1e-6);
          EXPECT_NEAR(run("bodies.box.position.y"), way * vy / speed, 1e-6);
          EXPECT_LT(run("energy.kinetic"), 1e-18);
          expect_all_modes(run, legs, 1.0);
        }
}

}  // namespace
}  // namespace picus::testing
