// SPDX-License-Identifier: BSD-3-Clause
// Runs that end where a condition becomes true.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

std::string falling(const std::string& until, const std::string& run) {
  return fmt::format(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies: {{ball: {{type: point, mass: 1, at: [0, 1], velocity: [2, 0]}}}}
run: {{end_time: 2, until: {}, {}}}
)yaml",
                     until, run);
}

double fall_time(double height) {
  return std::sqrt(2.0 * height / kG);
}

TEST(Until, EndsAFallWhereTheFormulaSays) {
  for (const char* method :
       {"half_explicit", "radau_iia", "lobatto_iiia", "soi2", "ggl", "event_driven"}) {
    for (const char* until : {"ball.y < 0.5", "0.5 - ball.y", "\"ball.x > 0 and ball.y < 0.5\"",
                              "\"[ball.x > 1.5, ball.y < 0.5]\""}) {
      std::string text = until;
      if (text.find("[ball") != std::string::npos) text = text.substr(1, text.size() - 2);
      const ModelRun run =
          ModelRun::of_text(falling(text, fmt::format("integrator: {}, tolerance: 1e-8", method)));
      EXPECT_EQ(run.outcome().summary.ending, Summary::Ending::kReachedCondition) << method;
      EXPECT_NEAR(run.time(), fall_time(0.5), 1e-7) << method << " " << until;
      EXPECT_NEAR(run("bodies.ball.position.y"), 0.5, 2e-11) << method << " " << until;
      EXPECT_LE(run("bodies.ball.position.y"), 0.5) << "just behind the condition";
    }
  }
}

// A quarter of a swing of a rod from the horizontal takes K(1/√2)/ω, ω² = 3g/2L.
TEST(Until, IsAsAccurateAsTheStepsAre) {
  const double exact = 1.8540746773013719 / std::sqrt(1.5 * kG);
  double before = 1.0;
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
    const ModelRun run = ModelRun::of_text(fmt::format(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies: {{rod: {{mass: 2, shape: {{type: rod, length: 1}}, at: [0.5, 0]}}}}
joints: {{pin: {{type: revolute, between: [ground, rod], at: [0, 0]}}}}
run: {{end_time: 3, tolerance: {:g}, until: pin.angle < -90*deg}}
)yaml",
                                                       tolerance));
    const double error = std::abs(run.time() - exact);
    EXPECT_LE(error, 10.0 * tolerance);
    EXPECT_LE(error, std::max(before, 1e-11));
    EXPECT_NEAR(run("joints.pin.angle"), -0.5 * M_PI, 1e-11);
    before = error;
  }
}

TEST(Until, FindsConditionsThatHoldForAMoment) {
  const ModelRun run = ModelRun::of_text(falling("abs(ball.y - 0.7) < 1e-6", "tolerance: 1e-4"));
  EXPECT_EQ(run.outcome().summary.condition, "abs(ball.y - 0.7) < 1e-6");
  EXPECT_NEAR(run.time(), fall_time(0.3), 1e-5);
}

TEST(Until, EndsMethodsWithConstantStepsInTheMiddleOfAStep) {
  for (const char* method : {"moreau_jean", "nonsmooth_pva"}) {
    const ModelRun run = ModelRun::of_text(
        falling("ball.y < 0.5", fmt::format("integrator: {}, step: 0.01", method)));
    EXPECT_NEAR(run.time(), fall_time(0.5), 5e-3) << method;
    EXPECT_NEAR(run("bodies.ball.position.y"), 0.5, 1e-9) << method;
  }
}

TEST(Until, SeesVelocitiesThatJumpInAnImpact) {
  for (const char* method : {"event_driven", "moreau_jean, step: 1e-3"}) {
    const ModelRun run = ModelRun::of_text(fmt::format(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies: {{ball: {{type: point, mass: 1, at: [0, 1]}}}}
contacts: {{floor: {{type: ball_on_plane, between: [ground, ball], restitution: 0.5}}}}
run: {{end_time: 2, until: ball.vy > 0, integrator: {}}}
)yaml",
                                                       method));
    EXPECT_NEAR(run.time(), fall_time(1.0), 2e-3) << method;
    EXPECT_NEAR(run("bodies.ball.velocity.y"), 0.5 * kG * fall_time(1.0), 2e-2) << method;
  }
}

TEST(Until, CountsAConditionThatHoldsAtTheStartOnceItHasCeased) {
  const ModelRun run = ModelRun::of_text(R"yaml(
picus: 1
dimension: 2
bodies: {ball: {type: point, mass: 1, at: [1, 0]}}
forces: {spring: {type: force, body: ball, force: [-ball.x, 0]}}
run: {end_time: 20, tolerance: 1e-8, until: ball.x > 0.5}
)yaml");
  EXPECT_NEAR(run.time(), 2.0 * M_PI - std::acos(0.5), 1e-6);
  ASSERT_EQ(run.outcome().summary.notes.size(), 1u);
  EXPECT_NE(run.outcome().summary.notes[0].find("holds at the start"), std::string::npos);
}

TEST(Until, LeavesANoteWhenTheEndTimeComesFirst) {
  const ModelRun run = ModelRun::of_text(falling("ball.x > 100", "tolerance: 1e-4"));
  EXPECT_EQ(run.outcome().summary.ending, Summary::Ending::kReachedEndTime);
  ASSERT_EQ(run.outcome().summary.notes.size(), 1u);
  EXPECT_NE(run.outcome().summary.notes[0].find("before any condition"), std::string::npos);
}

TEST(StartStatic, BeginsAtRestWhereTheForcesBalance) {
  const std::string text = R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
parameters: {k: 200, m: 3, v: 0}
bodies: {block: {mass: m, inertia: [1], at: [0, 1], velocity: [0, v]}}
joints: {post: {type: prismatic, between: [ground, block], axis: [0, 1]}}
forces: {spring: {type: spring_damper, between: [ground, block], stiffness: k, length: 1}}
run: {end_time: 1, tolerance: 1e-8, start: static}
)yaml";
  for (const char* k : {"k=200", "k=2000"}) {
    const ModelRun run = ModelRun::of_text(text, {k});
    const double rest = 1.0 - 3.0 * kG / run.parameter("k");
    EXPECT_NEAR(run("bodies.block.position.y"), rest, 1e-8);
    EXPECT_NEAR(run("bodies.block.velocity.y"), 0.0, 1e-6);
  }
  // with a velocity it swings about the equilibrium
  const ModelRun run = ModelRun::of_text(text, {"v=0.3"});
  const double w = std::sqrt(200.0 / 3.0);
  EXPECT_NEAR(run("bodies.block.position.y"), 1.0 - 3.0 * kG / 200.0 + 0.3 / w * std::sin(w), 1e-5);
}

}  // namespace
}  // namespace picus::testing
