// SPDX-License-Identifier: BSD-3-Clause
// Shapes that collide, on problems with known answers.
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// A body on an incline along x: gravity is turned, so that z stays the normal.
std::string incline(const std::string& shape, double height, double angle, double friction,
                    double end) {
  return fmt::format(R"(
picus: 1
dimension: 3
gravity: [{:.17g}, 0, {:.17g}]
bodies:
  body: {{density: 1000, shape: {}, at: [0, 0, {:.17g}]}}
collisions:
  all: {{shapes: [{{body: body}}], planes: [{{body: ground, normal: [0, 0, 1]}}], friction: {}}}
run: {{end_time: {}}}
)",
                     kG * std::sin(angle), -kG * std::cos(angle), shape, height, friction, end);
}

constexpr const char* kBrick = "{type: box, size: [0.4, 0.3, 0.1]}";

TEST(ShapesOnAnIncline, ABoxStaysBelowTheAngleOfFrictionAndSlidesAboveIt) {
  for (const double angle : {0.2, 0.5}) {
    const double limit = std::tan(angle);
    const ModelRun stays = ModelRun::of_text(incline(kBrick, 0.05, angle, 1.02 * limit, 1.0));
    EXPECT_NEAR(stays("bodies.body.position.x"), 0.0, 1e-6) << angle;
    const ModelRun slides = ModelRun::of_text(incline(kBrick, 0.05, angle, 0.9 * limit, 1.0));
    const double distance = 0.5 * kG * (std::sin(angle) - 0.9 * limit * std::cos(angle));
    EXPECT_NEAR(slides("bodies.body.position.x"), distance, 2e-3 * distance) << angle;
    EXPECT_NEAR(slides("bodies.body.position.z"), 0.05, 1e-4);
  }
}

TEST(ShapesOnAnIncline, ATallBoxTipsOverItsEdge) {
  constexpr const char* kTall = "{type: box, size: [0.1, 0.3, 0.3]}";  // it tips beyond tan = 1/3
  const ModelRun stands = ModelRun::of_text(incline(kTall, 0.15, std::atan(0.32), 2.0, 1.5));
  EXPECT_NEAR(stands("bodies.body.position.z"), 0.15, 1e-4);
  const ModelRun tips = ModelRun::of_text(incline(kTall, 0.15, std::atan(0.36), 2.0, 1.5));
  EXPECT_LT(tips("bodies.body.position.z"), 0.1);
}

// Rolls with the exact normal: a = g sin(angle)/(1 + i), i the inertia over m r².
TEST(ShapesOnAnIncline, RoundOnesRollWithoutFacets) {
  const double angle = 0.2, pull = kG * std::sin(angle);
  struct Rolling {
    const char* shape;
    double height, inertia;
  };
  for (const Rolling& rolling :
       {Rolling{"{type: cylinder, radius: 0.1, length: 0.3, axis: [0, 1, 0]}", 0.1, 0.5},
        Rolling{"{type: sphere, radius: 0.1}", 0.1, 0.4}}) {
    const ModelRun run = ModelRun::of_text(incline(rolling.shape, rolling.height, angle, 0.5, 1.0));
    const double distance = 0.5 * pull / (1.0 + rolling.inertia);
    EXPECT_NEAR(run("bodies.body.position.x"), distance, 1e-3 * distance) << rolling.shape;
    EXPECT_NEAR(run("bodies.body.position.y"), 0.0, 1e-6) << rolling.shape;
  }
}

TEST(Shapes, LieOnEachOtherWhileTheirCentresAreSupported) {
  const auto beyond = [](double x) {
    return fmt::format(R"(
picus: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  table: {{density: 1000, shape: {{type: box, size: [1, 1, 0.2]}}, at: [0, 0, 0.1]}}
  plank: {{density: 500, shape: {{type: box, size: [0.4, 0.1, 0.02]}}, at: [{}, 0.1, 0.21]}}
collisions:
  all: {{shapes: [{{body: table}}, {{body: plank}}], planes: [{{body: ground, normal: [0, 0, 1]}}],
        friction: 0.5}}
run: {{end_time: 1}}
)",
                       x);
  };
  const ModelRun lies = ModelRun::of_text(beyond(0.49));
  EXPECT_NEAR(lies("bodies.plank.position.z"), 0.21, 1e-4);
  EXPECT_NEAR(lies("bodies.plank.position.x"), 0.49, 1e-6);
  const ModelRun falls = ModelRun::of_text(beyond(0.55));
  EXPECT_LT(falls("bodies.plank.position.z"), 0.18);  // leans on the edge
}

TEST(Shapes, FallAsARowOfDominoes) {
  const ModelRun run = ModelRun::of_text(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  "stone[i]": {for: {i: 1..8}, mass: 0.01, shape: {type: box, size: [0.008, 0.048, 0.024]},
               at: [0.024*i, 0.024], spin: "if(i < 1.5, -5, 0)",
               velocity: ["if(i < 1.5, 0.12, 0)", "if(i < 1.5, 0.02, 0)"]}
collisions:
  row: {shapes: [{for: {i: 1..8}, body: "stone[i]"}], planes: [{body: ground, normal: [0, 1]}],
        friction: 0.2}
run: {end_time: 1}
)yaml");
  for (int i = 1; i <= 8; ++i)
    EXPECT_LT(run(fmt::format("bodies.stone{}.angle", i)), -1.0) << i;
}

// The shipped models, small.
TEST(Shapes, AWallHoldsUntilItIsHit) {
  const ModelRun::Overrides small{"rows=3", "across=3", "run.step=1e-3", "run.end_time=0.3"};
  ModelRun::Overrides missed = small;
  missed.emplace_back("speed=-8");
  const ModelRun still = ModelRun::of("brick_wall", missed),
                 hit = ModelRun::of("brick_wall", small);
  for (const char* brick : {"brick1_1", "brick2_2", "brick3_3"})
    EXPECT_NEAR(still(fmt::format("bodies.{}.position.y", brick)), 0.0, 1e-4) << brick;
  EXPECT_GT(hit("bodies.brick3_2.position.y"), 0.02);
}

TEST(Shapes, AWaveRunsThroughTheDominoes) {
  const ModelRun run = ModelRun::of("dominoes", {"N=6", "run.end_time=0.6"});
  EXPECT_LT(run("bodies.stone6.angle"), -0.5);
}

TEST(Shapes, DoNotCareInWhichOrderTheyAreListed) {
  const auto stack = [](const char* order) {
    return fmt::format(R"(
picus: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  a: {{density: 1000, shape: {{type: box, size: [0.3, 0.2, 0.1]}}, at: [0, 0, 0.05]}}
  b: {{density: 1000, shape: {{type: box, size: [0.2, 0.2, 0.1]}}, at: [0.05, 0, 0.16],
       angular_velocity: [0, 0, 2]}}
collisions:
  all: {{shapes: [{}], planes: [{{body: ground, normal: [0, 0, 1]}}], friction: 0.3}}
run: {{end_time: 0.5, step: 1e-3}}
)",
                       order);
  };
  const ModelRun one = ModelRun::of_text(stack("{body: a}, {body: b}")),
                 other = ModelRun::of_text(stack("{body: b}, {body: a}"));
  for (const char* channel : {"bodies.b.position.x", "bodies.b.angular_velocity.z"})
    EXPECT_NEAR(one(channel), other(channel), 1e-4) << channel;
}

TEST(Shapes, RefuseWhatHasNone) {
  const auto error = [](const std::string& collisions) {
    try {
      static_cast<void>(load_model_text("m.yaml",
                                        "picus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, "
                                        "1]}, rod: {mass: 1, shape: {type: rod, length: "
                                        "1}, inertia: [1, 1, 1]}}\n" +
                                            collisions));
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(error("collisions: {all: {shapes: [{body: a}, {body: rod}]}}").find("no"),
            std::string::npos);
  EXPECT_NE(error("collisions: {all: {shapes: [{body: rod}], planes: [{body: ground}]}}")
                .find("a rod without width has no surface"),
            std::string::npos);
}

}  // namespace
}  // namespace picus::testing
