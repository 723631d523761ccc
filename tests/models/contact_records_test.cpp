// SPDX-License-Identifier: BSD-3-Clause
// What results tell about contacts and the joints beside them.
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

}  // namespace
}  // namespace picus::testing
