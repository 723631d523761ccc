// SPDX-License-Identifier: BSD-3-Clause
// Collisions of model files: contacts that are found as bodies move.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// Two discs that meet, one of which then hits the wall; with contacts named or found.
std::string two_discs(const std::string& contacts) {
  return R"(
picus: 1
dimension: 2
gravity: [0, -2]
bodies:
  a: {mass: 1, inertia: 0.005, at: [0, 1], velocity: [2, 0], spin: 9,
      shape: {type: sphere, radius: 0.1}}
  b: {mass: 2, inertia: 0.02, at: [0.5, 1.05], shape: {type: sphere, radius: 0.15}}
)" + contacts +
         "run: {end_time: 1, step: 1e-4, integrator: moreau_jean}\n";
}

// Arms of friction end at the surface of each ball here and at one point there, which differs by
// the gap, of the order of a step.
TEST(Collisions, DoWhatNamedContactsDo) {
  const std::string named = two_discs(R"(
contacts:
  pair: {type: ball_on_ball, between: [a, b], other_radius: 0.1, radius: 0.15, friction: 0.4,
         restitution: 0.7}
  floor_a: {type: ball_on_plane, between: [ground, a], normal: [0, 1], radius: 0.1, friction: 0.4,
            restitution: 0.7}
  floor_b: {type: ball_on_plane, between: [ground, b], normal: [0, 1], radius: 0.15, friction: 0.4,
            restitution: 0.7}
)");
  const std::string found = two_discs(R"(
collisions:
  discs:
    balls: [{at: a}, {at: b}]
    planes: [{body: ground, normal: [0, 1]}]
    friction: 0.4
    restitution: 0.7
)");
  std::vector<std::array<double, 4>> seen;
  const ModelRun by_name = ModelRun::of_text(named, {}, [&](const ModelRun& run) {
    seen.push_back({run("bodies.a.position.x"), run("bodies.a.position.y"),
                    run("bodies.b.angular_velocity.z"), run("bodies.b.velocity.y")});
  });
  std::size_t sample = 0;
  const ModelRun by_search = ModelRun::of_text(found, {}, [&](const ModelRun& run) {
    ASSERT_LT(sample, seen.size());
    const auto& expected = seen[sample++];
    EXPECT_NEAR(run("bodies.a.position.x"), expected[0], 1e-4) << run.time();
    EXPECT_NEAR(run("bodies.a.position.y"), expected[1], 1e-4) << run.time();
    EXPECT_NEAR(run("bodies.b.angular_velocity.z"), expected[2], 2e-3) << run.time();
    EXPECT_NEAR(run("bodies.b.velocity.y"), expected[3], 2e-3) << run.time();
  });
  EXPECT_EQ(sample, seen.size());
  EXPECT_GT(seen.back()[0] * seen.back()[0], 1e-4);
  EXPECT_EQ(by_search.outcome().impacts, by_name.outcome().impacts);
  EXPECT_GE(by_search.outcome().impacts, 2);
}

TEST(Collisions, TellWhoHitsWhom) {
  const ModelRun run = ModelRun::of_text(two_discs(R"(
collisions:
  discs: {balls: [{at: a}, {at: b}], restitution: 1}
)"),
                                         {"run.end_time=0.3"});
  std::vector<Impact> impacts;
  for (const Event& event : run.outcome().events)
    if (const auto impact = impact_of(event)) impacts.push_back(*impact);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_EQ(impacts[0].contact, "discs");
  EXPECT_EQ(impacts[0].first + impacts[0].second, "ba");
  EXPECT_LT(impacts[0].before, -1.0);
  EXPECT_NEAR(impacts[0].after, -impacts[0].before, 1e-2);
  EXPECT_NEAR(impacts[0].lost, 0.0, 1e-2);
}

// They fall, and what is left of their motion is that of the drum.
TEST(MixingDrum, KeepsItsDiscsInsideAndMoving) {
  double most_contacts = 0.0, deepest = 0.0, fastest = 0.0;
  const ModelRun run = ModelRun::of(
      "mixing_drum", {"N=60", "across=6", "side=0.8", "run.end_time=1"}, [&](const ModelRun& r) {
        most_contacts = std::max(most_contacts, r("collisions.grains.contacts"));
        deepest = std::max(deepest, r("collisions.grains.penetration"));
        fastest = std::max(fastest, std::abs(r("bodies.disc60.velocity.y")));
        for (const char* disc : {"disc1", "disc30", "disc60"})
          EXPECT_LT(std::hypot(r(std::string("bodies.") + disc + ".position.x"),
                               r(std::string("bodies.") + disc + ".position.y")),
                    0.5 * 0.8 * std::sqrt(2.0));
      });
  EXPECT_GT(most_contacts, 60.0);
  double approach = 0.0;
  for (const Event& event : run.outcome().events)
    if (const auto impact = impact_of(event)) approach = std::max(approach, -impact->before);
  EXPECT_LT(approach, 2.5);
  EXPECT_LT(deepest, 2e-3 * approach);  // what a step moves
  EXPECT_GT(fastest, 0.3);
  EXPECT_GT(run.outcome().impacts, 100);
}

}  // namespace
}  // namespace picus::testing
