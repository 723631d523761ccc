// SPDX-License-Identifier: BSD-3-Clause
// What results tell about contacts and the joints beside them: forces, impulses, modes, impacts.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "picus/steppers/catalog.h"
#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

std::vector<std::string> methods_across_impacts(bool with_friction) {
  std::vector<std::string> names;
  for (const StepperEntry& entry : stepper_catalog()) {
    const StepperTraits traits = make_stepper(entry.name)->traits();
    if (traits.handles_impacts && (traits.friction || !with_friction))
      names.emplace_back(entry.name);
  }
  return names;
}

std::vector<Impact> impacts_at(const ModelRun& run, const std::string& contact) {
  std::vector<Impact> impacts = impacts_of(run);
  std::erase_if(impacts, [&](const Impact& impact) { return impact.contact != contact; });
  return impacts;
}

// The bouncing pendulum of bruls-acary-cardona §6.1, with less restitution: at rest from 1.2 s on.
constexpr const char* kBouncingPendulum = R"(
picus: 1
dimension: 2
gravity: [0, 10]
bodies:
  rod: {mass: 1, inertia: [0.1], at: [cos(pi/12), sin(pi/12)], angle: pi/12}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
contacts:
  wall:
    {type: ball_on_plane, between: [ground, rod], normal: [1, 0], height: sqrt(0.5), restitution: 0.3}
run: {end_time: 2, step: 1e-3}
)";

TEST(Records, AJointBesideAContactAtRestHasAllOfItsReaction) {
  for (const std::string& method : methods_across_impacts(false)) {
    const ModelRun run = ModelRun::of_text(kBouncingPendulum, {"run.integrator=" + method});
    // Moreau's methods rest up to a millimetre inside, where the wall has another lever
    EXPECT_NEAR(run("contacts.wall.force"), 10.0, 0.02) << method;
    EXPECT_NEAR(run("joints.pin.force.x"), -run("contacts.wall.force"), 1e-6) << method;
    EXPECT_NEAR(run("joints.pin.force.y"), -10.0, 1e-6) << method;
  }
}

// All forces on the rod over time are its momentum, impacts included. Methods that stop at events
// have forces of the moment instead.
TEST(Records, ReactionsOfJointsHaveTheImpulsesOfImpacts) {
  for (const std::string& method : methods_across_impacts(false)) {
    if (make_stepper(method)->traits().stops_at_events) continue;
    double impulse = 0.0;
    const ModelRun run = ModelRun::of_text(
        kBouncingPendulum, {"run.integrator=" + method, "run.end_time=0.4"},
        [&](const ModelRun& now) {
          impulse += now("solver.step") * (now("joints.pin.force.x") + now("contacts.wall.force"));
        });
    ASSERT_EQ(impacts_of(run).size(), 1u) << method;
    // 1 kg
    EXPECT_NEAR(impulse, run("bodies.rod.velocity.x"), 0.02) << method;
  }
}

// A disc with spin that bounces and slides on a compliant floor.
constexpr const char* kCompliantDisc = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  d: {mass: 0.2, inertia: [2e-4], at: [0, 0.4], velocity: [0.5, 0], spin: 40}
contacts:
  floor:
    type: ball_on_plane
    between: [ground, d]
    radius: 0.05
    friction: 0.3
    compliance: {stiffness: 1e6, dissipation: 0.3}
run: {end_time: 1, tolerance: 1e-6}
)";

TEST(Records, ImpulsesOfCompliantContactsAreMomentum) {
  const ModelRun run = ModelRun::of_text(kCompliantDisc);
  const double momentum = 0.2 * (run("bodies.d.velocity.y") + kG * run.time());
  ASSERT_GT(momentum, 0.5);
  EXPECT_NEAR(run("contacts.floor.impulse"), momentum, 2e-3 * momentum);
}

TEST(Records, CompliantContactsTellTheirFriction) {
  bool slid = false;
  ModelRun::of_text(kCompliantDisc, {}, [&](const ModelRun& now) {
    const double normal = now("contacts.floor.force");
    EXPECT_EQ(now("contacts.floor.mode") == 0.0, normal == 0.0) << now.time();
    EXPECT_EQ(now("contacts.floor.reaction.x"), now("contacts.floor.friction_1")) << now.time();
    const double slip = now("bodies.d.velocity.x") + 0.05 * now("bodies.d.angular_velocity.z");
    if (normal == 0.0 || std::abs(slip) < 0.1) return;
    slid = true;
    EXPECT_EQ(now("contacts.floor.mode"), 2.0) << now.time();
    EXPECT_NEAR(now("contacts.floor.friction_1"), -std::copysign(0.3 * normal, slip),
                1e-3 * normal);
  });
  EXPECT_TRUE(slid);
  const ModelRun rests = ModelRun::of_text(
      kCompliantDisc, {"bodies.d.at=[0, 0.05]", "bodies.d.velocity=[0, 0]", "bodies.d.spin=0"});
  EXPECT_EQ(rests("contacts.floor.mode"), 1.0);
}

TEST(Records, RestartsAreNamedByTheirContact) {
  const ModelRun run = ModelRun::of_text(kCompliantDisc);
  ASSERT_FALSE(run.outcome().summary.jumps.empty());
  for (const Jump& jump : run.outcome().summary.jumps)
    EXPECT_EQ(jump.name, "the gap of contact 'floor'");
}

TEST(Records, GapsOfAngularStopsAreAngles) {
  const ModelRun run = ModelRun::of_text(R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  arm: {mass: 1, shape: {type: rod, length: 1}, at: [0.5, 0]}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0]}
contacts:
  buffer: {type: stop, joint: hinge, lower: -1.2, restitution: 0.5}
run: {end_time: 0.1, step: 1e-3, integrator: moreau_jean}
)");
  const MechanismRecord record(run.mechanism());
  const std::vector<std::pair<std::string, std::string>> units{
      {"gap", "rad"}, {"gap_velocity", "rad/s"}, {"impulse", "N m s"}, {"force", "N m"}};
  for (const auto& [name, unit] : units) {
    for (const Quantity& quantity : record.quantities()) {
      if (quantity.group != "contacts" || quantity.name != name) continue;
      EXPECT_EQ(quantity.unit, unit) << name;
    }
  }
}

TEST(ImpactLog, TellsAngularStopsInTheirUnits) {
  const std::string arm = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  arm: {mass: 1, shape: {type: rod, length: 1}, at: [0.5, 0], markers: {tip: {at: [0.5, 0]}}}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0]}
contacts:
  buffer: {type: stop, joint: hinge, lower: -0.3, restitution: 0.5}
run: {end_time: 0.3, step: 1e-3, integrator: moreau_jean}
)";
  const std::vector<Impact> impacts = impacts_of(ModelRun::of_text(arm));
  ASSERT_FALSE(impacts.empty());
  EXPECT_TRUE(impacts[0].is_angle);
  // ω² = 3 g sin φ / L where the stop is hit
  EXPECT_NEAR(impacts[0].before, -std::sqrt(3.0 * kG * std::sin(0.3)), 0.02);
  EXPECT_NE(to_text(impacts[0]).find("rad/s, impulse"), std::string::npos);
  std::ostringstream table;
  export_impacts({to_event(impacts[0])}, table);
  EXPECT_NE(table.str().find("before [rad/s],after [rad/s],impulse [N m s]"), std::string::npos);
  Impact linear = impacts[0];
  linear.is_angle = false;
  std::ostringstream mixed;
  export_impacts({to_event(impacts[0]), to_event(linear)}, mixed);
  EXPECT_NE(mixed.str().find("before,after,impulse,"), std::string::npos);
}

// Ball a strikes b, which touches c and hands a part of it on.
TEST(ImpactLog, HasContactsThatAnImpactReachesThroughBodies) {
  constexpr const char* kBalls = R"(
picus: 1
dimension: 2
bodies:
  a: {mass: 1, inertia: [0.1], at: [-1, 0], velocity: [1, 0]}
  b: {mass: 1, inertia: [0.1], at: [0, 0]}
  c: {mass: 1, inertia: [0.1], at: [0.2, 0]}
contacts:
  ab: {type: ball_on_ball, between: [a, b], radius: 0.1, other_radius: 0.1, restitution: 0.5}
  bc: {type: ball_on_ball, between: [b, c], radius: 0.1, other_radius: 0.1, restitution: 0.5}
run: {end_time: 1, step: 1e-3}
)";
  for (const std::string& method : methods_across_impacts(false)) {
    if (method == "schatzman_paoli") continue;  // its impacts take several steps
    const ModelRun run = ModelRun::of_text(kBalls, {"run.integrator=" + method});
    double recorded = 0.0;
    for (const Impact& impact : impacts_at(run, "bc"))
      recorded += impact.impulse;
    EXPECT_NEAR(recorded, run("contacts.bc.impulse"), 1e-9) << method;
    EXPECT_NEAR(recorded, run("bodies.c.velocity.x"), 1e-6) << method;  // 1 kg
    EXPECT_GT(recorded, 0.4) << method;
  }
}

// Painlevé's rod: friction drives it into the floor without any velocity of approach.
TEST(ImpactLog, HasImpactsWithoutCollision) {
  constexpr const char* kRod = R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
parameters: {phi: 1.1, L: 1}
bodies:
  rod:
    mass: 1
    shape: {type: rod, length: L}
    at: [0, L/2*sin(phi)]
    angle: phi
    velocity: [-3, 0]
    markers: {tip: {at: [-L/2, 0]}}
contacts:
  tip: {type: ball_on_plane, between: [ground, rod.tip], friction: 2}
run: {end_time: 0.1, step: 1e-3}
)";
  for (const std::string& method : methods_across_impacts(true)) {
    const ModelRun run = ModelRun::of_text(kRod, {"run.integrator=" + method});
    const std::vector<Impact> impacts = impacts_of(run);
    ASSERT_GE(impacts.size(), 1u) << method;
    EXPECT_GT(impacts.front().lost, 1.5) << method;
    EXPECT_NEAR(impacts.front().before, 0.0, 0.1) << method;
  }
}

// A pin that slides along its hole hops from step to step, which is not what the log is for.
TEST(ImpactLog, IsSilentWhileAContactSlidesAlongACurve) {
  const ModelRun run = ModelRun::of("clearance_slider_crank", {"run.end_time=0.1"});
  EXPECT_LT(impacts_of(run).size(), 10u);
}

}  // namespace
}  // namespace picus::testing
