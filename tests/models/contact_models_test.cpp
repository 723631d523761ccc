// SPDX-License-Identifier: BSD-3-Clause
// Contacts of model files: closed forms, and pairs of models that say the same in different words.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// A thrown ball that may hit the floor y = 0 or an incline.
std::string ball_with(const std::string& contact, const std::string& more = "") {
  return fmt::format(R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {{mass: 0.2, inertia: [2e-4], at: [0, 0.3], velocity: [0.5, 0], spin: 20}}
{}
contacts:
  floor: {}
run: {{end_time: 1, step: 1e-3, integrator: moreau_jean}}
)",
                     more, contact);
}

void expect_same_motion(const std::string& a, const std::string& b, double tolerance) {
  std::vector<std::array<double, 4>> seen;
  ModelRun::of_text(a, {}, [&](const ModelRun& run) {
    seen.push_back({run("bodies.ball.position.x"), run("bodies.ball.position.y"),
                    run("bodies.ball.angular_velocity.z"), run("contacts.floor.impulse")});
  });
  std::size_t sample = 0;
  ModelRun::of_text(b, {}, [&](const ModelRun& run) {
    ASSERT_LT(sample, seen.size());
    const auto& expected = seen[sample++];
    EXPECT_NEAR(run("bodies.ball.position.x"), expected[0], tolerance) << run.time();
    EXPECT_NEAR(run("bodies.ball.position.y"), expected[1], tolerance) << run.time();
    EXPECT_NEAR(run("bodies.ball.angular_velocity.z"), expected[2], 100 * tolerance) << run.time();
    EXPECT_NEAR(run("contacts.floor.impulse"), expected[3], tolerance) << run.time();
  });
  EXPECT_GT(seen.back()[3], 0.1);  // it did touch
}

// Equal balls hand their speed on; the first one's is that of a fall from its angle.
TEST(NewtonsCradle, HandsTheSpeedFromTheFirstBallToTheLast) {
  const ModelRun run = ModelRun::of("newtons_cradle", {"run.end_time=0.4"});
  const std::vector<Impact> impacts = impacts_of(run);
  ASSERT_EQ(impacts.size(), 4u);
  const double m = 0.2, J = 5e-5, L = run.parameter("L");
  const double fall = L * (1.0 - std::cos(run.parameter("start")));
  const double speed = std::sqrt(2.0 * m * kG * fall * L * L / (J + m * L * L));
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    EXPECT_EQ(impacts[k].contact, "clack" + std::to_string(k + 2));
    EXPECT_NEAR(-impacts[k].before, speed, 2e-3);
    EXPECT_NEAR(impacts[k].lost, 0.0, 1e-12);
  }
  EXPECT_NEAR(run("bodies.ball5.velocity.x"), speed, 0.05 * speed);  // already rising
  EXPECT_LT(run("bodies.ball1.velocity.x"), 0.02 * speed);
  EXPECT_LT(run.energy_drift(), 1e-5);
}

TEST(ClearanceSliderCrank, KeepsItsPinInTheHole) {
  double least = 1.0, most = 0.0;
  const ModelRun run =
      ModelRun::of("clearance_slider_crank", {"run.end_time=0.02"}, [&](const ModelRun& now) {
        least = std::min(least, now("contacts.gudgeon.gap"));
        most = std::max(most, now("contacts.gudgeon.gap"));
      });
  const double c = run.parameter("c");
  EXPECT_GT(least, -0.02 * c);
  EXPECT_LE(most, c * (1.0 + 1e-9));
  ASSERT_GE(impacts_of(run).size(), 3u);
  for (const Impact& impact : impacts_of(run))
    EXPECT_GT(impact.lost, 0.0) << impact.time;
}

// A contact that has just lost its reaction has neither gap nor rate, so that rounding and the
// interpolation of its gap decide what is seen: no impacts that are none, again and again.
TEST(ClearanceSliderCrank, ReleasesItsPinOnce) {
  const ModelRun run = ModelRun::of("clearance_slider_crank",
                                    {"run.end_time=0.1", "run.step=0", "run.tolerance=1e-3",
                                     "run.integrator=event_driven", "run.options={}"});
  // 298, of which the pin's vibrations take most at this tolerance; found again and again: 4093
  EXPECT_LT(run.outcome().summary.accepted, 400);
  EXPECT_LT(impacts_of(run).size(), 20u);
}

// 200 elements, consistent mass: the exact bar gives 200 N s and keeps its 500 J.
TEST(BarImpact, ReboundsFromTheWall) {
  const ModelRun run = ModelRun::of("bar_impact", {"run.end_time=1.5"});
  EXPECT_NEAR(run("contacts.wall.impulse"), 200.0, 1.5);
  EXPECT_NEAR(run("energy.total"), 500.0, 3.0);
  EXPECT_EQ(impacts_of(run).size(), 1u);
  EXPECT_NEAR(impacts_of(run).front().time, 0.502, 1e-9);
  EXPECT_EQ(run("contacts.wall.mode"), 0.0);
}

// The wave in the bar presses it against the wall for 2/3 s; rounding of the gap is no flight.
TEST(BarImpact, StaysAtTheWallWithMoreauJean) {
  double deepest = 0.0;
  ModelRun::of("bar_impact",
               {"run.integrator=moreau_jean", "run.options={theta: 1}", "run.end_time=1.1",
                "flexible.bar.mass_matrix=lumped"},
               [&](const ModelRun& now) {
                 if (now.time() < 0.51) return;  // it lands within a step of 20 mm
                 deepest = std::max(deepest, -now("contacts.wall.gap_velocity"));
                 EXPECT_GT(now("contacts.wall.force"), 0.0) << now.time();
               });
  EXPECT_LT(deepest, 1e-6);
}

constexpr const char* kLaws = "restitution: 0.6, friction: 0.2";

TEST(SpinningBall, BouncesWithTheTimesOfTheClosedForm) {
  const ModelRun run = ModelRun::of("spinning_ball", {"run.end_time=3"});
  const double h = 5e-4, e = run.parameter("e");
  const double t1 = std::sqrt(2.0 * (run.parameter("H") - run.parameter("r")) / kG);
  const std::vector<Impact> impacts = impacts_of(run);
  ASSERT_EQ(impacts.size(), 6u);
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    const double n = static_cast<double>(k);
    const double time = t1 * (1.0 + 2.0 * e * (1.0 - std::pow(e, n)) / (1.0 - e));
    EXPECT_NEAR(impacts[k].time, time, (2.0 + 2.0 * n) * h) << k;
    EXPECT_NEAR(impacts[k].after, -e * impacts[k].before, 1e-9) << k;
    EXPECT_EQ(impacts[k].contact, "floor");
    EXPECT_EQ(impacts[k].second, "ball");
  }
  // the first impact ends the sliding: m v + P = m v⁺, J ω − r P = J ω⁺, v⁺ + r ω⁺ = 0
  const double m = 0.2, r = 0.05, J = 0.4 * m * r * r, slip = 0.5 + r * 40.0;
  EXPECT_NEAR(impacts[0].tangential_impulse, slip / (1.0 / m + r * r / J), 1e-9);
  EXPECT_NEAR(run("bodies.ball.velocity.x") + r * run("bodies.ball.angular_velocity.z"), 0.0, 1e-6);
}

TEST(SpinningBall, LosesTheEnergyThatTheLogTells) {
  const ModelRun run = ModelRun::of("spinning_ball");
  double lost = 0.0;
  for (const Impact& impact : impacts_of(run))
    lost += impact.lost;
  const double start = 0.5 * 0.2 * 0.25 + 0.5 * 2e-4 * 1600.0 + 0.2 * kG * 1.0;
  EXPECT_NEAR(start - run("energy.total"), lost, 0.01 * lost);
  EXPECT_NEAR(run("contacts.floor.force"), 0.2 * kG, 1e-6);
  EXPECT_EQ(run("contacts.floor.mode"), 1.0);  // rolls
}

TEST(Contacts, AFormulaSaysWhatAPlaneSays) {
  expect_same_motion(
      ball_with(
          fmt::format("{{type: ball_on_plane, between: [ground, ball], radius: 0.05, {}}}", kLaws)),
      ball_with(fmt::format(
          "{{type: gap, gap: ball.y - 0.05, slip: [ball.vx + 0.05*ball.omega], {}}}", kLaws)),
      1e-9);
}

TEST(Contacts, AStraightCurveIsAPlane) {
  expect_same_motion(
      ball_with(fmt::format(
          "{{type: ball_on_plane, between: [ground, ball], normal: [0.5, 1, 0], {}}}", kLaws)),
      ball_with(fmt::format("{{type: point_on_curve, between: [ground, ball], curve: -0.5*x, {}}}",
                            kLaws)),
      1e-9);
}

// A plane that shakes, and the same plane on a body that is shaken.
TEST(Contacts, AMovingPlaneIsAPlaneThatMoves) {
  const std::string plate = R"(
  plate: {mass: 1, inertia: [1]}
joints:
  rail: {type: prismatic, between: [ground, plate], axis: [0, 1, 0]}
motions:
  shake: {joint: rail, value: 0.02*sin(30*time)})";
  // the joint holds the plate at other instants of the step: the same up to the first order
  const ModelRun::Overrides short_steps{"run.step=1e-4"};
  const ModelRun shaken = ModelRun::of_text(
      ball_with("{type: ball_on_plane, between: [ground, ball], height: 0.02*sin(30*time), "
                "restitution: 0.6}"),
      short_steps);
  const ModelRun carried = ModelRun::of_text(
      ball_with("{type: ball_on_plane, between: [plate, ball], restitution: 0.6}", plate),
      short_steps);
  EXPECT_NEAR(shaken("bodies.ball.position.y"), carried("bodies.ball.position.y"), 1e-3);
  EXPECT_NEAR(shaken("contacts.floor.impulse"), carried("contacts.floor.impulse"), 1e-3);
  EXPECT_GT(shaken("contacts.floor.impulse"), 1.0);
}

TEST(Contacts, AStopOnARailIsAFloor) {
  const std::string rail = R"(
joints:
  rail: {type: prismatic, between: [ground, ball], axis: [0, 1, 0], at: [0, 0]})";
  const std::string vertical = "{type: ball_on_plane, between: [ground, ball], restitution: 0.6}";
  const auto still = [](std::string text) {
    const std::string thrown = "velocity: [0.5, 0], spin: 20";
    return text.replace(text.find(thrown), thrown.size(), "velocity: [0, 0]");
  };
  std::vector<double> heights;
  ModelRun::of_text(still(ball_with(vertical)), {},
                    [&](const ModelRun& run) { heights.push_back(run("bodies.ball.position.y")); });
  std::size_t sample = 0;
  ModelRun::of_text(
      still(
          ball_with("{type: stop, joint: rail, lower: -0.3, upper: 0.1, restitution: 0.6}", rail)),
      {}, [&](const ModelRun& run) {
        EXPECT_NEAR(run("bodies.ball.position.y"), heights[sample++], 1e-9) << run.time();
      });
}

TEST(Contacts, AHangingRodRestsInItsJournal) {
  const std::string text = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 2, shape: {type: rod, length: 1}, at: [0, -0.5], angle: -1.5707963267948966}
contacts:
  pin: {type: journal, between: [ground, rod], at: [0, 0], clearance: 1e-3, radius: 0.02,
        friction: 0.1}
run: {end_time: 0.5, step: 1e-3}
)";
  const ModelRun run = ModelRun::of_text(text);
  const double one_step = std::sqrt(2.0 * kG * 1e-3) * 1e-3;  // of the fall through the clearance
  EXPECT_NEAR(run("contacts.pin.gap"), 0.0, one_step);
  EXPECT_NEAR(run("contacts.pin.force"), 2.0 * kG, 1e-6);
  EXPECT_NEAR(run("bodies.rod.position.y"), -0.501, one_step);
}

// The pin strikes the hole, slides, and its slip turns round twice: in the plane and in space.
TEST(Contacts, AJournalOfAnArmInSpaceMovesAsInThePlane) {
  const std::string plane = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  arm: {mass: 1, shape: {type: rod, length: 1, width: 0.05}, at: [0.5, 0]}
  bob: {mass: 0.5, shape: {type: box, size: [0.2, 0.05, 0.05]}, at: [1.1, 0]}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0]}
contacts:
  play: {type: journal, between: [arm, bob], at: [1, 0], radius: 0.01, clearance: 1e-3,
         friction: 0.1}
run: {end_time: 0.12, step: 1e-4, integrator: event_driven}
)";
  const std::string space = R"(
picus: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 1, shape: {type: rod, length: 1, width: 0.05}, at: [0.5, 0, 0]}
  bob: {mass: 0.5, shape: {type: box, size: [0.2, 0.05, 0.05]}, at: [1.1, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}
contacts:
  play: {type: journal, between: [arm, bob], at: [1, 0, 0], axis: [0, 1, 0], radius: 0.01,
         clearance: 1e-3, friction: 0.1}
run: {end_time: 0.12, step: 1e-4, integrator: event_driven}
)";
  const ModelRun in_plane = ModelRun::of_text(plane), in_space = ModelRun::of_text(space);
  EXPECT_NEAR(in_space("bodies.bob.position.x"), in_plane("bodies.bob.position.x"), 1e-12);
  EXPECT_NEAR(in_space("bodies.bob.position.z"), in_plane("bodies.bob.position.y"), 1e-12);
  EXPECT_EQ(in_space("contacts.play.mode"), in_plane("contacts.play.mode"));
  EXPECT_EQ(in_space.outcome().impacts, in_plane.outcome().impacts);
}

TEST(Contacts, ABlockRestsInItsGuide) {
  const std::string text = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  block: {mass: 2, inertia: [0.02]}
contacts:
  slot: {type: guide, between: [ground, block], length: 0.3, height: 0.1, clearance: 2e-3,
         friction: 0.1}
run: {end_time: 0.2, step: 1e-3}
)";
  const ModelRun run = ModelRun::of_text(text);
  EXPECT_NEAR(run("bodies.block.position.y"), -2e-3, 1e-4);
  double weight = 0.0;
  for (const AssembledContact& contact : run.mechanism().contacts())
    weight += run("contacts." + contact.name + ".force");
  EXPECT_EQ(run.mechanism().contacts().size(), 4u);
  EXPECT_NEAR(weight, 2.0 * kG, 1e-6);
}

TEST(Contacts, ACompliantFloorCarriesTheSameWeight) {
  const ModelRun run = ModelRun::of_text(
      ball_with("{type: ball_on_plane, between: [ground, ball], radius: 0.05, friction: 0.2, "
                "compliance: {stiffness: 1e5, dissipation: 2}}"),
      {"run.integrator=auto", "run.step=0", "run.end_time=3"});
  EXPECT_NEAR(run("contacts.floor.force"), 0.2 * kG, 0.01);  // still breathing
  EXPECT_LT(run("contacts.floor.gap"), 0.0);
  EXPECT_NEAR(run("bodies.ball.velocity.x") + 0.05 * run("bodies.ball.angular_velocity.z"), 0.0,
              1e-3);
}

// In space: a ball thrown with spin about two axes rolls in the end, v = −ω × (−r n).
TEST(Contacts, ABallInSpaceSlidesThenRolls) {
  const std::string text = R"(
picus: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 0.2, shape: {type: sphere, radius: 0.05}, at: [0, 0, 0.1], velocity: [0.5, 0.2, 0],
         angular_velocity: [10, -3, 2]}
contacts:
  floor: {type: ball_on_plane, between: [ground, ball], radius: 0.05, friction: 0.3}
run: {end_time: 1, step: 1e-3}
)";
  const ModelRun run = ModelRun::of_text(text);
  const double r = 0.05;
  EXPECT_NEAR(run("bodies.ball.velocity.x"), r * run("bodies.ball.angular_velocity.y"), 1e-6);
  EXPECT_NEAR(run("bodies.ball.velocity.y"), -r * run("bodies.ball.angular_velocity.x"), 1e-6);
  // momentum about the contact point is kept: v⁺ = (5 v + 2 (ω × r n)) / 7
  EXPECT_NEAR(run("bodies.ball.velocity.x"), (5.0 * 0.5 + 2.0 * r * -3.0) / 7.0, 2e-3);
  EXPECT_NEAR(run("bodies.ball.velocity.y"), (5.0 * 0.2 - 2.0 * r * 10.0) / 7.0, 2e-3);
}

TEST(Contacts, BallsRattleInsideAHollowBall) {
  const std::string text = R"(
picus: 1
gravity: [0, 0, -9.81]
bodies:
  marble: {mass: 0.1, shape: {type: sphere, radius: 0.05}, at: [0.1, 0.05, 0]}
  pebble: {mass: 0.2, shape: {type: sphere, radius: 0.04}, at: [-0.1, 0, 0]}
contacts:
  bowl: {type: ball_on_ball, between: [ground, marble], radius: 0.05, other_radius: 0.3,
         inside: true, friction: 0.5}
  shell: {type: ball_on_ball, between: [ground, pebble], radius: 0.04, other_radius: 0.3,
          inside: true, friction: 0.5}
  clack: {type: ball_on_ball, between: [marble, pebble], radius: 0.04, other_radius: 0.05,
          restitution: 0.5, friction: 0.2}
run: {end_time: 2, step: 1e-3, integrator: moreau_jean, options: {positions: projected}}
)";
  double highest = 0.0, deepest = 0.0;
  const ModelRun run = ModelRun::of_text(text, {}, [&](const ModelRun& now) {
    highest = std::max(highest, now("energy.total"));
    for (const char* contact : {"bowl", "shell", "clack"})
      deepest = std::min(deepest, now(fmt::format("contacts.{}.gap", contact)));
  });
  EXPECT_GT(deepest, -2e-3);
  EXPECT_GT(impacts_of(run).size(), 2u);
  EXPECT_LT(run("energy.total"), highest);
}

// Rounding of W may keep the impulses of an impact from the tolerance of the solver.
TEST(Bowl, ABallStrikesItSpinsAndRubs) {
  std::vector<double> x;
  for (const char* tolerance : {"1e-9", "1e-3", "1e-5", "1e-7"}) {
    SCOPED_TRACE(tolerance);
    const ModelRun run = ModelRun::of_text(R"(
picus: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 0.1, shape: {type: sphere, radius: 0.02}, at: [0.3, 0, 0.4], velocity: [0, 0.5, 0]}
markers:
  centre: {at: [0, 0, 1]}
contacts:
  bowl: {type: ball_on_ball, between: [ball, centre], radius: 0.02, other_radius: 0.8, inside: true, friction: 0.15, restitution: 0.3}
run: {end_time: 1.2}
)",
                                           {fmt::format("run.tolerance={}", tolerance)});
    x.push_back(run("bodies.ball.position.x"));
    EXPECT_NEAR(x.back(), x.front(), 100.0 * std::stod(tolerance));
  }
}

}  // namespace
}  // namespace picus::testing
