// SPDX-License-Identifier: BSD-3-Clause
// What touches and is dragged, lifted or locked by joints and motions: the laws of contact let go,
// joints and motions hold. Forces have closed forms.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

// Of step5(time, begin, 0, end, way): the value and its first two derivatives.
struct Ramp {
  double begin, end, way;
  double part(double t) const { return std::clamp((t - begin) / (end - begin), 0.0, 1.0); }
  double value(double t) const {
    const double x = part(t);
    return way * x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
  }
  double rate(double t) const {
    const double x = part(t);
    return way * 30.0 * x * x * (1.0 - x) * (1.0 - x) / (end - begin);
  }
  double acceleration(double t) const {
    const double x = part(t), d = end - begin;
    return way * 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (d * d);
  }
  std::string text() const { return fmt::format("step5(time, {}, 0, {}, {})", begin, end, way); }
};

const Ramp kRamps[] = {{0.3, 0.9, 0.2}, {0.4, 0.7, 0.5}, {0.0, 0.8, -0.3}};

// A point of 2 kg on a rough floor, dragged; at rest before and behind.
std::string dragged_point(const Ramp& ramp, bool motion_first) {
  const std::string motion =
      fmt::format("motions:\n  drive: {{point: box, along: [1, 0], value: \"{}\"}}\n", ramp.text());
  const std::string contact =
      "contacts:\n  floor: {type: ball_on_plane, between: [ground, box], radius: 0, friction: "
      "mu}\n";
  return "picus: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {mu: 0.4}\n"
         "bodies:\n  box: {mass: 2, type: point}\n" +
         (motion_first ? motion + contact : contact + motion) + "run: {end_time: 1.2}\n";
}

// Friction at its limit against the slip, and the drive that overcomes it.
void expect_dragged(const ModelRun& now, const Ramp& ramp, double accuracy) {
  const double t = now.time(), rate = ramp.rate(t), limit = 0.4 * 2.0 * kG;
  EXPECT_NEAR(now("bodies.box.position.x"), ramp.value(t), accuracy) << t;
  EXPECT_NEAR(now("bodies.box.position.y"), 0.0, accuracy) << t;
  if (std::abs(rate) < 1e-3) return;
  EXPECT_EQ(now("contacts.floor.mode"), 2.0) << t;
  EXPECT_NEAR(now("contacts.floor.friction_1"), rate > 0.0 ? -limit : limit, 1e-6) << t;
}

class Dragged : public ::testing::TestWithParam<const char*> {};

TEST_P(Dragged, PointSlipsWithFrictionAtItsLimitAtEveryTolerance) {
  for (const Ramp& ramp : kRamps)
    for (const char* tolerance : {"1e-3", "1e-5", "1e-8", "1e-11"})
      for (const bool motion_first : {true, false}) {
        SCOPED_TRACE(fmt::format("{}, tolerance {}", ramp.text(), tolerance));
        const ModelRun run =
            ModelRun::of_text(dragged_point(ramp, motion_first),
                              {fmt::format("run.integrator={}", GetParam()),
                               fmt::format("run.tolerance={}", tolerance)},
                              [&](const ModelRun& now) {
                                expect_dragged(now, ramp, 1e-9);
                                const double friction = now("contacts.floor.friction_1");
                                // those of a moment at which the slip begins or ends are of one
                                // side or the other
                                if (std::abs(ramp.rate(now.time())) < 1e-3) return;
                                EXPECT_NEAR(now("joints.drive.force.x"),
                                            2.0 * ramp.acceleration(now.time()) - friction, 1e-6)
                                    << now.time();
                              });
        EXPECT_EQ(run("contacts.floor.mode"), 1.0);  // at rest again
        EXPECT_NEAR(run("joints.drive.force.x"), -run("contacts.floor.friction_1"), 1e-6);
      }
}

INSTANTIATE_TEST_SUITE_P(EventMethods, Dragged,
                         ::testing::Values("event_driven", "event_capturing"),
                         [](const auto& method) { return std::string(method.param); });

TEST(DraggedPoint, SlipsWithEveryMethodThatKnowsFriction) {
  for (const Ramp& ramp : kRamps)
    for (const char* method :
         {"moreau_jean", "moreau_midpoint", "nonsmooth_pva", "nonsmooth_pvv"}) {
      SCOPED_TRACE(fmt::format("{}, {}", method, ramp.text()));
      // mean forces and positions of methods of low order
      (void)ModelRun::of_text(dragged_point(ramp, true),
                              {fmt::format("run.integrator={}", method), "run.step=1e-3"},
                              [&](const ModelRun& now) { expect_dragged(now, ramp, 5e-3); });
    }
}

TEST(DraggedPoint, SlipsOverEverySmoothMethod) {
  const Ramp& ramp = kRamps[1];
  for (const char* smooth : {"half_explicit", "radau_iia", "lobatto_iiia", "soi2"}) {
    SCOPED_TRACE(smooth);
    const ModelRun run =
        ModelRun::of_text(dragged_point(ramp, true),
                          {"run.integrator=event_capturing",
                           fmt::format("run.options={{smooth: {}}}", smooth), "run.tolerance=1e-6"},
                          [&](const ModelRun& now) { expect_dragged(now, ramp, 1e-5); });
    EXPECT_EQ(run("contacts.floor.mode"), 1.0);
  }
}

// Back and forth: the slip changes its direction at every turn, and never rests.
TEST_P(Dragged, PointTurnsFrictionWithAMotionThatGoesBackAndForth) {
  for (const char* tolerance : {"1e-3", "1e-4", "1e-6", "1e-9"}) {
    SCOPED_TRACE(tolerance);
    std::string text = dragged_point(kRamps[0], true);
    text.replace(text.find(kRamps[0].text()), kRamps[0].text().size(), "0.1*(1 - cos(5*time))");
    int turns = 0;
    double before = 0.0;
    (void)ModelRun::of_text(text,
                            {fmt::format("run.integrator={}", GetParam()),
                             fmt::format("run.tolerance={}", tolerance), "run.end_time=5"},
                            [&](const ModelRun& now) {
                              const double rate = 0.5 * std::sin(5.0 * now.time());
                              const double friction = now("contacts.floor.friction_1");
                              if (std::abs(rate) < 1e-3) return;
                              EXPECT_NEAR(friction, (rate > 0.0 ? -1.0 : 1.0) * 0.8 * kG, 1e-6)
                                  << now.time();
                              if (before * friction < 0.0) ++turns;
                              before = friction;
                            });
    EXPECT_EQ(turns, 7);  // of 25/π half periods
  }
}

// What is dragged slips, whatever else sticks.
TEST_P(Dragged, PointSlipsBesideOneThatSticks) {
  const Ramp& ramp = kRamps[1];
  std::string text = dragged_point(ramp, true);
  text.replace(
      text.find("run:"), 0,
      "  other: {type: ball_on_plane, between: [ground, rest], radius: 0, friction: 0.4}\n");
  text.replace(text.find("motions:"), 0, "  rest: {mass: 1, type: point, at: [0.5, 0]}\n");
  (void)ModelRun::of_text(text,
                          {fmt::format("run.integrator={}", GetParam()), "run.tolerance=1e-6"},
                          [&](const ModelRun& now) {
                            expect_dragged(now, ramp, 1e-9);
                            EXPECT_EQ(now("contacts.other.mode"), 1.0) << now.time();
                          });
}

// In space, round a circle: friction turns with the slip.
TEST(DraggedPoint, TurnsFrictionAroundACircle) {
  const char* text = R"model(
picus: 1
gravity: [0, 0, -9.81]
bodies: {box: {mass: 2, type: point, at: [0.2, 0, 0]}}
motions:
  x: {point: box, along: [1, 0, 0], value: "0.2*cos(step5(time, 0.2, 0, 1.2, 4))"}
  y: {point: box, along: [0, 1, 0], value: "0.2*sin(step5(time, 0.2, 0, 1.2, 4))"}
contacts:
  floor: {type: ball_on_plane, between: [ground, box], radius: 0, friction: 0.4}
run: {end_time: 1.4, integrator: event_driven}
)model";
  for (const char* tolerance : {"1e-4", "1e-8"}) {
    SCOPED_TRACE(tolerance);
    const ModelRun run = ModelRun::of_text(
        text, {fmt::format("run.tolerance={}", tolerance)}, [&](const ModelRun& now) {
          const Ramp angle{0.2, 1.2, 4.0};
          if (std::abs(angle.rate(now.time())) < 1e-2) return;
          EXPECT_EQ(now("contacts.floor.mode"), 2.0) << now.time();
          EXPECT_NEAR(
              std::hypot(now("contacts.floor.friction_1"), now("contacts.floor.friction_2")),
              0.8 * kG, 1e-6);
          const double vx = now("bodies.box.velocity.x"), vy = now("bodies.box.velocity.y");
          EXPECT_NEAR(
              (now("contacts.floor.friction_1") * vx + now("contacts.floor.friction_2") * vy) /
                  std::hypot(vx, vy),
              -0.8 * kG, 1e-6)
              << now.time();
        });
    EXPECT_EQ(run("contacts.floor.mode"), 1.0);
  }
}

// Joints hold, and at the end what `mode` is of sticks.
void run_by_event_methods(const char* text, const char* mode,
                          const std::function<void(const ModelRun&)>& visit) {
  for (const char* method : {"event_driven", "event_capturing"})
    for (const char* tolerance : {"1e-3", "1e-6", "1e-10"}) {
      SCOPED_TRACE(fmt::format("{} {}", method, tolerance));
      const ModelRun run = ModelRun::of_text(
          text,
          {fmt::format("run.integrator={}", method), fmt::format("run.tolerance={}", tolerance)},
          visit);
      EXPECT_LT(run.violation(), 1e-9);
      EXPECT_EQ(run(mode), 1.0);
    }
}

// A cart pulls a box by a rod, both ends on the ground: the rod holds.
TEST(Cart, PullsABoxThroughAJointThatHolds) {
  const Ramp ramp{0.3, 0.9, 0.2};
  const char* text = R"model(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  cart: {mass: 3, type: point, at: [-1, 0]}
  box: {mass: 2, type: point, at: [0, 0]}
joints:
  rail: {type: inline, between: [ground, cart], axis: [1, 0]}
  rod: {type: distance, between: [cart, box]}
motions:
  drive: {point: cart, along: [1, 0], value: "-1 + step5(time, 0.3, 0, 0.9, 0.2)"
}
contacts:
  floor: {type: ball_on_plane, between: [ground, box], radius: 0, friction: 0.4}
run: {end_time: 1.2}
)model";
  run_by_event_methods(text, "contacts.floor.mode", [&](const ModelRun& now) {
    expect_dragged(now, ramp, 1e-8);
    if (std::abs(ramp.rate(now.time())) < 1e-3) return;
    EXPECT_NEAR(now("joints.drive.force.x"), 5.0 * ramp.acceleration(now.time()) + 0.8 * kG, 1e-5)
        << now.time();
  });
}

// --- friction elements whose slip a motion prescribes -----------------------------------------

struct DrivenElement {
  const char* name;
  const char* parts;  ///< bodies, joints, motions
  double friction;    ///< force_1 at 0.8 s
};

// What drives has to overcome friction at its limit, although no friction can change the slip.
TEST(DrivenFriction, IsAtItsLimitAgainstTheSlipWithEveryMethod) {
  const DrivenElement cases[] = {
      {"a rail at constant speed",
       "dimension: 2\nbodies: {b: {mass: 1, inertia: 1, velocity: [3, 0]}}\n"
       "joints: {rail: {type: prismatic, between: [ground, b], friction: 1.5}}\n"
       "motions: {d: {point: b, along: [1, 0], value: 3*time}}\n",
       -1.5},
      {"a rail to and fro",
       "dimension: 2\nbodies: {b: {mass: 1, inertia: 1}}\n"
       "joints: {rail: {type: prismatic, between: [ground, b], friction: 1.5}}\n"
       "motions: {d: {joint: rail, value: 0.5*sin(3*time)}}\n",
       1.5},
      {"a shaft",
       "dimension: 2\nbodies: {b: {mass: 1, inertia: 0.5}}\n"
       "joints: {rail: {type: revolute, between: [ground, b], at: [0, 0], friction: 0.7}}\n"
       "motions: {d: {joint: rail, value: 0.2*time}}\n",
       -0.7},
      {"a rail across space",
       "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
       "joints: {rail: {type: prismatic, between: [ground, b], axis: [1, 1, 0], friction: 1.5}}\n"
       "motions: {d: {joint: rail, value: 0.5*time^2}}\n",
       -1.5},
      {"pressed by its reaction",
       "dimension: 2\ngravity: [0, -10]\nbodies: {b: {mass: 2, inertia: 1}}\n"
       "joints: {rail: {type: prismatic, between: [ground, b], friction: {coefficient: 0.3}}}\n"
       "motions: {d: {joint: rail, value: 0.5*time}}\n",
       -6.0},
      {"round a circle",
       "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
       "joints: {face: {type: planar, between: [ground, b], axis: [0, 0, 1]}}\n"
       "motions:\n  x: {point: b, along: [1, 0, 0], value: 0.3*cos(4*time)}\n"
       "  y: {point: b, along: [0, 1, 0], value: 0.3*sin(4*time)}\n"
       "contacts: {rail: {type: friction, slip: [b.vx, b.vy], limit: 2}}\n",
       2.0 * std::sin(3.2)},
  };
  for (const DrivenElement& c : cases)
    for (const char* method : {"event_driven", "event_capturing", "moreau_jean", "moreau_midpoint",
                               "moreau_adaptive", "nonsmooth_pva", "nonsmooth_pvv"}) {
      SCOPED_TRACE(fmt::format("{}, {}", c.name, method));
      const bool adapts = std::string(method).starts_with("event") || method[7] == 'a';
      const ModelRun run =
          ModelRun::of_text(fmt::format("picus: 1\n{}run: {{end_time: 0.8}}\n", c.parts),
                            {fmt::format("run.integrator={}", method),
                             adapts ? "run.tolerance=1e-6" : "run.step=1e-3"});
      // those of steps are means over the last one
      EXPECT_NEAR(run("friction.rail.force_1"), c.friction, method[0] == 'e' ? 1e-6 : 0.1);
      EXPECT_EQ(run("friction.rail.mode"), 2.0);
    }
}

// A box on two corners, drawn by a cart that comes to rest: few steps end at its stop. What the
// motion does to both corners is not for their friction to prevent.
TEST(Cart, StopsABoxOnTwoCornersInFewSteps) {
  for (const char* joint : {"distance, between: [cart, box.hook]",
                            "in_plane, between: [cart, box], at: [-0.2, 0.1], axis: [1, 0]",
                            "prismatic, between: [cart, box], axis: [0, 1]",
                            "revolute, between: [cart, box], at: [-0.2, 0.1]"})
    for (const char* hook : {"0", "0.05"})
      for (const char* method : {"event_driven", "event_capturing"})
        for (const char* tolerance : {"1e-5", "1e-9"}) {
          SCOPED_TRACE(fmt::format("{}, hook at {}, {}, {}", joint, hook, method, tolerance));
          const std::string text = fmt::format(R"model(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  cart: {{mass: 3, inertia: 1, at: [-1, 0.1]}}
  box: {{mass: 2, shape: {{type: box, size: [0.4, 0.2, 0.2]}}, at: [0, 0.1], markers: {{l: {{at: [-0.2, -0.1]}}, r: {{at: [0.2, -0.1]}}, hook: {{at: [-0.2, {}]}}}}}}
joints:
  rail: {{type: prismatic, between: [ground, cart], axis: [1, 0]}}
  rod: {{type: {}}}
motions:
  drive: {{joint: rail, value: "step5(time, 0.3, 0, 0.9, 0.2)"}}
contacts:
  l: {{type: ball_on_plane, between: [ground, box.l], radius: 0, friction: 0.4}}
  r: {{type: ball_on_plane, between: [ground, box.r], radius: 0, friction: 0.4}}
run: {{end_time: 1.5}}
)model",
                                               hook, joint);
          const ModelRun run =
              ModelRun::of_text(text, {fmt::format("run.integrator={}", method),
                                       fmt::format("run.tolerance={}", tolerance)});
          EXPECT_NEAR(run("bodies.cart.position.x"), -0.8, 1e-9);
          EXPECT_LT(run.outcome().summary.accepted, 400);
        }
}

// A hoist lifts a load that is bolted to it and rubs against the column: pads slip, the bolt holds.
TEST(Hoist, LiftsALoadAgainstFrictionPads) {
  const Ramp ramp{0.3, 0.9, 0.2};
  const char* text = R"model(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  cage: {mass: 5, type: point, at: [0, 0]}
  load: {mass: 2, type: point, at: [0, 0]}
joints:
  column: {type: inline, between: [ground, cage], axis: [0, 1]}
  bolt: {type: spherical, between: [cage, load]}
contacts:
  pads: {type: friction, joint: column, limit: 30}
motions:
  hoist: {point: load, along: [0, 1], value: "step5(time, 0.3, 0, 0.9, 0.2)"
}
run: {end_time: 1.2}
)model";
  run_by_event_methods(text, "friction.pads.mode", [&](const ModelRun& now) {
    const double t = now.time();
    EXPECT_NEAR(now("bodies.load.position.y"), ramp.value(t), 1e-8) << t;
    EXPECT_NEAR(now("bodies.cage.position.y"), ramp.value(t), 1e-8) << t;
    if (ramp.rate(t) < 1e-3) return;
    EXPECT_EQ(now("friction.pads.mode"), 2.0) << t;
    EXPECT_NEAR(now("friction.pads.force_1"), -30.0, 1e-6) << t;
    EXPECT_NEAR(now("joints.hoist.force.y"), 7.0 * (kG + ramp.acceleration(t)) + 30.0, 1e-5) << t;
  });
}

// A motion lifts a body from the floor, sets it down again, and the floor never pulls.
TEST(Lift, LeavesTheFloorAndComesBack) {
  const char* text = R"model(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies: {box: {mass: 2, type: point}}
motions:
  lift: {point: box, along: [0, 1], value: "step5(time, 0.3, 0, 0.9, 0.2)"}
contacts:
  floor: {type: ball_on_plane, between: [ground, box], radius: 0, friction: 0.3}
run: {end_time: 1.2}
)model";
  for (const char* method : {"event_driven", "event_capturing", "moreau_jean", "nonsmooth_pva"}) {
    SCOPED_TRACE(method);
    const Ramp ramp{0.3, 0.9, 0.2};
    (void)ModelRun::of_text(
        text, {fmt::format("run.integrator={}", method)}, [&](const ModelRun& now) {
          EXPECT_NEAR(now("bodies.box.position.y"), ramp.value(now.time()), 1e-3);
          EXPECT_GE(now("contacts.floor.force"), 0.0);
          const bool is_up = ramp.value(now.time()) > 1e-6;
          EXPECT_TRUE(!is_up || now("contacts.floor.mode") == 0.0) << now.time();
        });
  }
}

// Driven into a stop that does not give way: no run, and the message names the stop.
TEST(DrivenJoint, IsRefusedWhereItIsDrivenIntoAStop) {
  const char* text = R"model(
picus: 1
dimension: 2
bodies: {slide: {mass: 2, type: point}}
joints: {rail: {type: inline, between: [ground, slide], axis: [1, 0]}}
motions: {drive: {joint: rail, value: "step5(time, 0.2, 0, 0.8, 0.3)"}}
contacts: {end: {type: stop, joint: rail, upper: 0.1}}
run: {end_time: 1}
)model";
  for (const char* method : {"event_driven", "event_capturing", "moreau_jean"}) {
    SCOPED_TRACE(method);
    const std::vector<std::string> overrides{fmt::format("run.integrator={}", method)};
    const LoadedModel loaded = load_model_text("test.yaml", text, overrides);
    const RunPlan plan = plan_of(loaded.model.run, *loaded.mechanism);
    const RunOutcome outcome =
        run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan, {});
    EXPECT_FALSE(outcome.summary.ok());
    EXPECT_NE(outcome.summary.message.find("end"), std::string::npos) << outcome.summary.message;
    // where the stop is reached
    EXPECT_LT(std::abs(outcome.end.position(0)), 0.101);
  }
}

// Friction in a joint that others lock: nothing moves, nothing fails.
TEST(LockedFriction, RunsToTheEndWithEveryMethod) {
  for (const char* lock : {"spherical, between: [ground, arm], at: [1, 0]",
                           "fixed, between: [ground, arm], at: [0.5, 0]"})
    for (const char* method :
         {"auto", "event_driven", "event_capturing", "moreau_jean", "moreau_midpoint",
          "moreau_adaptive", "nonsmooth_pva", "nonsmooth_pvv"}) {
      SCOPED_TRACE(fmt::format("{}, {}", method, lock));
      const std::string text = fmt::format(R"model(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies: {{arm: {{mass: 2, inertia: [0.1], at: [0.5, 0]}}}}
joints:
  pin: {{type: revolute, between: [ground, arm], at: [0, 0]}}
  lock: {{type: {}}}
contacts: {{bush: {{type: friction, joint: pin, limit: 0.8}}}}
run: {{end_time: 0.2, integrator: {}}}
)model",
                                           lock, method);
      const ModelRun run = ModelRun::of_text(text);
      EXPECT_NEAR(run("joints.pin.angle"), 0.0, 1e-9);
      EXPECT_LE(std::abs(run("friction.bush.force_1")), 0.8 * (1.0 + 1e-9));
    }
}

// A table on four legs, planar loads shared among them: no leg is told to open or to slip while any
// share of the load obeys the laws.
TEST(Table, StaysOnItsFourLegsUnderALoadThatWanders) {
  const char* text = R"model(
picus: 1
gravity: [0, 0, -9.81]
parameters: {px: 0, py: 0}
bodies:
  table:
    mass: 10
    inertia: [1, 1, 2]
    at: [0, 0, 0]
    markers: {a: {at: [0.5, 0.5, 0]}, b: {at: [-0.5, 0.5, 0]}, c: {at: [-0.5, -0.5, 0]}, d: {at: [0.5, -0.5, 0]}}
forces:
  push: {type: general_force, between: [ground, table], force: ["10*sin(3*time)", "8*cos(2*time)", "-20*(1 + sin(5*time))"]}
contacts:
  la: {type: ball_on_plane, between: [ground, table.a], radius: 0, friction: 0.5}
  lb: {type: ball_on_plane, between: [ground, table.b], radius: 0, friction: 0.5}
  lc: {type: ball_on_plane, between: [ground, table.c], radius: 0, friction: 0.5}
  ld: {type: ball_on_plane, between: [ground, table.d], radius: 0, friction: 0.5}
run: {end_time: 3, integrator: event_driven}
)model";
  for (const char* tolerance : {"1e-4", "1e-8"}) {
    SCOPED_TRACE(tolerance);
    (void)ModelRun::of_text(
        text, {fmt::format("run.tolerance={}", tolerance)}, [](const ModelRun& now) {
          double sum = 0.0;
          for (const char* leg : {"la", "lb", "lc", "ld"}) {
            const std::string name = fmt::format("contacts.{}.", leg);
            const double normal = now(name + "force");
            sum += normal;
            EXPECT_EQ(now(name + "mode"), 1.0) << leg << " at " << now.time();
            EXPECT_GE(normal, -1e-9) << leg << " at " << now.time();
            EXPECT_LE(std::hypot(now(name + "friction_1"), now(name + "friction_2")),
                      0.5 * normal + 1e-6)
                << leg << " at " << now.time();
          }
          EXPECT_NEAR(sum, 10.0 * kG + 20.0 * (1.0 + std::sin(5.0 * now.time())), 1e-6);
        });
  }
}

}  // namespace
}  // namespace picus::testing
