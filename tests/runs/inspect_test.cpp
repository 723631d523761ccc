// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/inspect.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/runs/models.h"

namespace picus {
namespace {

bool reports(const Inspection& inspection, Finding::Level level, const std::string& text) {
  return std::any_of(
      inspection.findings.begin(), inspection.findings.end(), [&](const Finding& finding) {
        return finding.level == level && finding.text.find(text) != std::string::npos;
      });
}

std::string all_of(const Inspection& inspection) {
  std::string text;
  for (const Finding& finding : inspection.findings)
    text += finding.text + "\n";
  return text;
}

constexpr auto kWarning = Finding::Level::kWarning;
constexpr auto kNote = Finding::Level::kNote;

TEST(Inspect, APendulumHasOneFreedomAndNothingOdd) {
  const Inspection inspection = inspect(pendulum("0"));
  EXPECT_TRUE(inspection.usable);
  EXPECT_EQ(inspection.position_freedoms, 1);
  EXPECT_EQ(inspection.velocity_freedoms, 1);
  EXPECT_TRUE(inspection.findings.empty()) << all_of(inspection);
  EXPECT_NEAR(inspection.acceleration, 1.5 * 9.81 / 2.0, 1e-12);  // 3g/2L, of the angle or the end
}

TEST(Inspect, ARollingDiscHasFewerFreedomsOfVelocity) {
  const Inspection inspection = inspect(model_of(R"(
gravity: [0, 0, -9.81]
bodies:
  blade: {mass: 1, inertia: [1, 1, 1]}
joints:
  flat: {type: planar, between: [ground, blade], at: [0, 0, 0], axis: [0, 0, 1]}
  edge: {type: knife_edge, between: [ground, blade], at: [0, 0, 0]}
)"));
  ASSERT_TRUE(inspection.usable) << all_of(inspection);
  EXPECT_EQ(inspection.position_freedoms, 3);
  EXPECT_EQ(inspection.velocity_freedoms, 2);
}

TEST(Inspect, WarnsOfBallsThatOverlapAtTheStart) {
  const auto pile = [](const std::string& at) {
    return inspect(model_of(
        "dimension: 2\ngravity: [0, -10]\n"
        "bodies:\n  a: {mass: 1, inertia: 1, at: [0, 1]}\n  b: {mass: 1, inertia: 1, at: " +
        at +
        "}\ncollisions:\n  pile: {balls: [{at: a, radius: 1}, {at: b, radius: 1}],"
        " planes: [{body: ground, normal: [0, 1]}]}\n"
        "run: {end_time: 1, step: 1e-3, integrator: moreau_jean}\n"));
  };
  const Inspection apart = pile("[2, 1]"), within = pile("[1.5, 1]");
  EXPECT_FALSE(reports(apart, kWarning, "overlap")) << all_of(apart);
  EXPECT_TRUE(
      reports(within, kWarning,
              "collisions 'pile': balls overlap at the start (1 pair), 'a' and 'b' most, by 0.5 m"))
      << all_of(within);
}

TEST(Inspect, WarnsOfContactsThatPenetrateAtTheStart) {
  const auto at = [](const std::string& height) {
    return inspect(model_of(R"(
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {mass: 1, shape: {type: sphere, radius: 0.1}, at: [0, )" +
                            height + R"(]}
contacts:
  floor: {type: ball_on_plane, between: [ground, ball]}
)"));
  };
  const Inspection inside = at("-0.1");  // the radius is that of the shape
  EXPECT_TRUE(reports(inside, kWarning, "contact 'floor' starts with a gap of -0.2 m"))
      << all_of(inside);
  EXPECT_FALSE(at("0.1").has_warnings()) << all_of(at("0.1"));
}

TEST(Inspect, NamesRedundantJoints) {
  const Inspection inspection = inspect(model_of(R"(
gravity: [0, -9.81, 0]
bodies:
  door: {mass: 5, inertia: [1, 1, 1], at: [1, 0, 0]}
joints:
  left: {type: revolute, between: [ground, door], at: [0, 0, -1], axis: [0, 0, 1]}
  right: {type: revolute, between: [ground, door], at: [0, 0, 1], axis: [0, 0, 1]}
)"));
  EXPECT_TRUE(inspection.usable);
  EXPECT_EQ(inspection.position_freedoms, 1);
  EXPECT_EQ(inspection.start.consistency.redundant.size(), 5U);
  EXPECT_TRUE(reports(inspection, kWarning, "is redundant: it follows from left"))
      << all_of(inspection);
}

TEST(Inspect, SuspectsUnits) {
  const Inspection inspection = inspect(model_of(R"(
dimension: 2
gravity: [0, -9810]
bodies:
  rod: {density: 7.8, shape: {type: box, size: [1000, 0.0001, 10]}, angle: 45}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
)"));
  EXPECT_TRUE(reports(inspection, kWarning, "is it in mm/s²?")) << all_of(inspection);
  EXPECT_TRUE(reports(inspection, kWarning, "bodies.rod.density is 7.8 kg/m³: is it in g/cm³?"))
      << all_of(inspection);
  EXPECT_TRUE(reports(inspection, kWarning, "bodies.rod.angle is 45 rad")) << all_of(inspection);
}

TEST(Inspect, SeesWidelySpreadLengthsAndMasses) {
  const Inspection inspection = inspect(model_of(R"(
bodies:
  whale: {type: point, mass: 1e5, at: [1000, 0, 0]}
  flea: {type: point, mass: 1e-6, at: [1e-4, 0, 0]}
forces:
  s: {type: spring_damper, between: [whale, flea], stiffness: 1}
)"));
  EXPECT_TRUE(reports(inspection, kWarning, "lengths differ by a factor of 1.0e+07"))
      << all_of(inspection);
  EXPECT_TRUE(reports(inspection, kWarning, "the mass of 'flea' is tiny")) << all_of(inspection);
  EXPECT_TRUE(reports(inspection, kNote, "not connected to the ground: whale, flea"))
      << all_of(inspection);
}

TEST(Inspect, FindsWhatIsNotUsed) {
  const Inspection inspection = inspect(model_of(R"(
parameters: {used: 1, spare: 2}   # spare is mentioned here only
markers:
  hook: {at: [0, 0, 1]}
bodies:
  ball: {type: point, mass: used, markers: {top: {at: [0, 0, 0]}, side: {at: [0, 0, 0]}}}
  lone: {type: point, mass: 1}
forces:
  s: {type: spring_damper, between: [ground, ball.top], points: [[0, 0, 1], [0, 0, 0]], stiffness: 10}
)"));
  EXPECT_TRUE(reports(inspection, kWarning, "unused parameters: spare")) << all_of(inspection);
  EXPECT_TRUE(reports(inspection, kNote, "unused markers: hook")) << all_of(inspection);
  EXPECT_EQ(all_of(inspection).find("ball.side"), std::string::npos);  // it is recorded
  EXPECT_TRUE(reports(inspection, kWarning, "body 'lone' has no joint, force or contact"))
      << all_of(inspection);
}

TEST(Inspect, CountsContactsByFormulaAsConnections) {
  const Inspection inspection = inspect(model_of(R"(
bodies:
  ball: {type: point, mass: 1, at: [0, 0, 1]}
  a: {type: point, mass: 1, at: [1, 0, 1]}
  b: {type: point, mass: 1, at: [2, 0, 1]}
  lone: {type: point, mass: 1}
contacts:
  floor: {type: gap, gap: ball.z - 0.1*ball.x}
  between: {type: gap, gap: "distance(a, b) - 0.5"}
)"));
  EXPECT_TRUE(reports(inspection, kWarning, "body 'lone' has no joint, force or contact"));
  EXPECT_FALSE(reports(inspection, kWarning, "body 'ball'")) << all_of(inspection);
  EXPECT_FALSE(reports(inspection, kWarning, "body 'a'")) << all_of(inspection);
  EXPECT_TRUE(reports(inspection, kNote, "not connected to the ground: a, b"))
      << all_of(inspection);
}

TEST(Inspect, TellsWhatAssemblyMoved) {
  const Inspection inspection = inspect(model_of(R"(
dimension: 2
markers:
  post: {at: [0, 0]}
bodies:
  rod: {mass: 1, inertia: [1], at: [1.25, 0], markers: {end: {at: [-1, 0]}}}
joints:
  pin: {type: revolute, between: [post, rod.end]}
)"));
  EXPECT_TRUE(reports(inspection, kNote, "assembly moved 'rod' by 0.25 m and 0 rad"))
      << all_of(inspection);
}

TEST(Inspect, AMechanismThatCannotCloseIsNotUsable) {
  const Inspection inspection = inspect(model_of(R"(
dimension: 2
bodies:
  rod: {mass: 1, inertia: [1], at: [0.5, 0], markers: {a: {at: [-0.5, 0]}, b: {at: [0.5, 0]}}}
markers:
  left: {at: [0, 0]}
  right: {at: [3, 0]}
joints:
  one: {type: revolute, between: [left, rod.a]}
  two: {type: revolute, between: [right, rod.b]}
)"));
  EXPECT_FALSE(inspection.usable);
  EXPECT_TRUE(
      reports(inspection, Finding::Level::kError, "two.x is violated by 2 where one.x holds"))
      << all_of(inspection);
}

}  // namespace
}  // namespace picus
