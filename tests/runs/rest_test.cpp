// SPDX-License-Identifier: BSD-3-Clause
// Controlled mechanisms that have arrived: sums of large terms that cancel, for a long time, with
// every method that knows controls.
#include <gtest/gtest.h>

#include "picus/steppers/catalog.h"
#include "tests/runs/models.h"

namespace picus::testing {
namespace {

struct Resting {
  std::string name, text;
};

// A rod that a variable turns to its target and keeps there.
const Resting kArm{"arm", R"(
dimension: 2
parameters: {kp: 400, kd: 40, target: 0.7}
bodies:
  rod: {mass: 2, shape: {type: rod, length: 1}, at: [0.5, 0]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
controls:
  u: {type: variable, value: kp*(target - pin.angle) - kd*pin.angle.rate}
forces:
  motor: {type: torque, between: [ground, rod], torque: u}
)"};

// Variables that read variables, and states that sum up what is left.
const Resting kTwoArms{"two arms", R"(
dimension: 2
gravity: [0, -9.81]
parameters: {kp: 900, kd: 120, target: 0.7}
bodies:
  rod: {mass: 2, shape: {type: rod, length: 1}, at: [0.5, 0]}
  tip: {mass: 1, shape: {type: rod, length: 1}, at: [1.5, 0]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
  elbow: {type: revolute, between: [rod, tip], at: [1, 0]}
controls:
  miss: {type: variable, value: target - pin.angle}
  u: {type: variable, value: kp*miss - kd*pin.angle.rate}
  w: {type: variable, value: -kp*(elbow.angle + target) - kd*elbow.angle.rate}
  i: {type: state, rate: 2000*miss}
  j: {type: state, rate: -2000*(elbow.angle + target)}
forces:
  motor: {type: torque, between: [ground, rod], torque: u + i}
  wrist: {type: torque, between: [rod, tip], torque: w + j}
)"};

// A state that reads velocities, which at rest are differences of positions.
const Resting kCar{"car", R"(
dimension: 2
bodies:
  wheel: {type: point, mass: 40, at: [0, 0.3]}
  body: {type: point, mass: 300, at: [0, 0.9], velocity: [0, 0.2]}
joints:
  wheel_guide: {type: inline, between: [ground, wheel], at: [0, 0.3], axis: [0, 1]}
  body_guide: {type: inline, between: [ground, body], at: [0, 0.9], axis: [0, 1]}
controls:
  sky: {type: transfer_function, input: -2500*body.vy, numerator: [1], denominator: [0.01, 1]}
forces:
  spring: {type: spring_damper, between: [wheel, body], stiffness: 18e3, damping: 800}
  tyre: {type: force, body: wheel, force: [0, -180e3*wheel_guide.position]}
  actuator: {type: general_force, between: [wheel, body], force: [0, sky]}
)"};

// A weight at the origin of everything, held by a force that cancels it, with a share of its own
// acceleration.
const Resting kLift{"lift", R"(
dimension: 2
gravity: [0, -9.81]
bodies:
  lift: {mass: 10, shape: {type: box, size: [0.2, 0.2, 0.2]}, at: [0, 0.01]}
joints:
  rail: {type: prismatic, between: [ground, lift], at: [0, 0], axis: [0, 1]}
controls:
  felt: {type: variable, value: 0.3*lift.ay}
  force: {type: variable, value: 98.1 - 4000*lift.y - 400*lift.vy - 10*felt}
forces:
  motor: {type: force, body: lift, force: [0, force]}
)"};

RunOutcome run_long(const Resting& resting, const std::string& method, double tolerance,
                    double end_time, double step) {
  LoadedModel loaded = model_of(resting.text);
  loaded.model.run.integrator.text = method;
  loaded.model.run.tolerance = tolerance;
  loaded.model.run.end_time = end_time;
  loaded.model.run.step = step;
  RunPlan plan = plan_of(loaded);
  plan.audit = AuditMode::kWarn;  // of an hour of rest; some methods let joints drift
  return run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan, {});
}

void expect_rest(const Resting& resting, const std::string& method, double tolerance,
                 double end_time, double step) {
  const RunOutcome outcome = run_long(resting, method, tolerance, end_time, step);
  const Summary& summary = outcome.summary;
  const std::string what = method + ", " + resting.name;
  EXPECT_TRUE(summary.ok()) << what << ", " << tolerance << ": " << summary.message;
  // explicit steps stay at their limit of stability, where some are rejected
  if (method.find("explicit") != std::string::npos || method.find("event") == 0) return;
  EXPECT_LE(summary.rejected, 30 + summary.accepted / 10)
      << what << ", " << tolerance << ": " << summary.accepted << " steps";
}

TEST(Rest, IsKeptByEveryMethodThatKnowsControls) {
  int methods = 0;
  for (const StepperEntry& entry : stepper_catalog()) {
    const std::string method(entry.name);
    const StepperTraits can = make_stepper(method)->traits();
    if (!can.controls || !can.holonomic) continue;
    ++methods;
    const bool is_adaptive = can.estimates_error && !can.finds_switches;
    const bool is_explicit = method == "moreau_midpoint" || method == "extrapolation";
    for (const Resting& resting : {kArm, kTwoArms, kLift}) {
      if (is_explicit && resting.name == "two arms") continue;  // too stiff for it
      expect_rest(resting, method, 1e-5, 8.0, is_adaptive ? 0.0 : 8e-3);
    }
  }
  EXPECT_GE(methods, 15);
}

// Steps grow as long as the run allows: ten seconds.
TEST(Rest, IsKeptForAQuarterOfAnHour) {
  for (const char* method : {"radau_iia", "lobatto_iiia", "soi2", "hht_i3"})
    for (const Resting& resting : {kArm, kTwoArms, kLift})
      expect_rest(resting, method, 1e-6, 1000.0, 0.0);
}

TEST(Rest, IsKeptAtEveryTolerance) {
  for (const Resting& resting : {kArm, kTwoArms, kLift})
    for (const double tolerance : {1e-3, 1e-7, 1e-9, 1e-11, 1e-12})
      for (const char* method : {"radau_iia", "lobatto_iiia", "half_explicit"})
        expect_rest(resting, method, tolerance, 10.0, 0.0);
}

TEST(Rest, IsFollowedByLongStepsWhereStatesReadVelocities) {
  for (const char* method : {"radau_iia", "lobatto_iiia"})
    for (const double tolerance : {1e-4, 1e-6, 1e-9})
      expect_rest(kCar, method, tolerance, 200.0, 0.0);
}

}  // namespace
}  // namespace picus::testing
