// SPDX-License-Identifier: BSD-3-Clause
// What is narrow in space: bells of position and round bodies that are met by a motion without any
// error, whose steps could begin before and end after them. Judged by closed forms.
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

ModelRun run_of(const std::string& text, const std::string& integrator, double tolerance) {
  return ModelRun::of_text(
      text, {"run.integrator=" + integrator, fmt::format("run.tolerance={}", tolerance)});
}

// A mass of 1 kg flies by at a speed; within a width it is pushed aside.
std::string flight_past_bell(double width, double speed) {
  return fmt::format(R"(
picus: 1
dimension: 2
bodies:
  mass: {{type: point, mass: 1, at: [-20, 0], velocity: [{}, 0]}}
forces:
  bell: {{type: force, body: mass, force: [0, 'exp(-(mass.x/{})^2)']}}
run: {{end_time: {}}}
)",
                     speed, width, 40.0 / speed);
}

TEST(NarrowPlaces, ABellOfPositionPushesWhatFliesPast) {
  for (const double width : {0.5, 0.05, 0.004})
    for (const double speed : {1.0, 30.0})
      for (const char* integrator : {"auto", "radau_iia", "half_explicit", "hht_i3"})
        for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
          SCOPED_TRACE(fmt::format("{}, width {} m, {} m/s, tolerance {}", integrator, width, speed,
                                   tolerance));
          const double exact = std::sqrt(std::numbers::pi) * width / speed;
          const ModelRun run = run_of(flight_past_bell(width, speed), integrator, tolerance);
          // a few steps cover the bell; errors of positions are relative to the way of 20 m
          EXPECT_NEAR(run("bodies.mass.velocity.y"), exact,
                      0.1 * exact + tolerance * 20.0 * speed / 40.0);
        }
}

// The bell pushes another body, which friction holds until then: 2 N of 5 N.
TEST(NarrowPlaces, FrictionSeesABellOfTheMotionOfAnother) {
  const auto text = [](double width) {
    return fmt::format(R"(
picus: 1
dimension: 2
bodies:
  bird: {{type: point, mass: 1, at: [-20, 1], velocity: [1, 0]}}
  box: {{mass: 1, inertia: 0.1}}
joints:
  rail: {{type: prismatic, between: [ground, box]}}
contacts:
  dry: {{type: friction, joint: rail, limit: 2}}
forces:
  push: {{type: force, body: box, force: ['5*exp(-(bird.x/{})^2)', 0]}}
run: {{end_time: 40}}
)",
                       width);
  };
  for (const double width : {0.3, 0.05}) {
    // steps of 1e-5 widths of the rubbing block's own equation
    double x = 0.0, v = 0.0;
    const double h = 1e-4 * width;
    for (double t = -3.0 * width; t < 3.0 * width || v > 0.0; t += h) {
      const double middle = (t + 0.5 * h) / width;
      const double push = 5.0 * std::exp(-middle * middle);
      const double a = v > 0.0 || push > 2.0 ? push - 2.0 : 0.0;
      const double before = v;
      v = std::max(0.0, v + a * h);
      x += 0.5 * (before + v) * h;
    }
    for (const double tolerance : {1e-3, 1e-5, 1e-8}) {
      SCOPED_TRACE(fmt::format("width {} m, tolerance {}", width, tolerance));
      const ModelRun run = run_of(text(width), "auto", tolerance);
      EXPECT_NEAR(run("bodies.box.position.x"), x, 0.05 * x + 20.0 * tolerance * x);
    }
  }
}

struct Meeting {
  double radius, speed;
};

std::string ball_at_peg(const Meeting& m) {
  return fmt::format(R"(
picus: 1
dimension: 2
bodies:
  ball: {{type: point, mass: 1, at: [-5, 0], velocity: [{}, 0]}}
contacts:
  peg: {{type: ball_on_ball, between: [ground, ball], radius: {}, other_radius: {}, restitution: 1}}
run: {{end_time: {}}}
)",
                     m.speed, m.radius, m.radius, 10.0 / m.speed);
}

// e = 1: the way of 10 m is folded where the surfaces meet.
TEST(NarrowPlaces, ABallBouncesBackFromAPeg) {
  for (const Meeting& m : {Meeting{0.1, 10.0}, Meeting{0.01, 1.0}, Meeting{0.003, 40.0}})
    for (const char* integrator : {"auto", "event_driven", "event_capturing", "moreau_adaptive"})
      for (const double tolerance : {1e-3, 1e-5, 1e-8}) {
        SCOPED_TRACE(fmt::format("{}, radius {} m, {} m/s, tolerance {}", integrator, m.radius,
                                 m.speed, tolerance));
        const ModelRun run = run_of(ball_at_peg(m), integrator, tolerance);
        EXPECT_NEAR(run("bodies.ball.position.x"), -5.0 - 4.0 * m.radius,
                    50.0 * std::sqrt(tolerance) * m.radius + 10.0 * tolerance);
      }
}

// A peg that is smaller than the error of a position may be: the impact is known to a part of the
// time within which it is passed.
TEST(NarrowPlaces, APegMayBeSmallerThanTheToleratedError) {
  for (const double radius : {1e-3, 1e-4})
    for (const double speed : {1.0, 30.0})
      for (const char* integrator : {"event_capturing", "event_driven", "moreau_adaptive"})
        for (const double tolerance : {1e-3, 1e-4, 1e-6}) {
          SCOPED_TRACE(fmt::format("{}, radius {} m, {} m/s, tolerance {}", integrator, radius,
                                   speed, tolerance));
          std::string text = ball_at_peg({radius, speed});
          text.replace(text.find("[-5, 0]"), 7, "[-50, 0]");
          text.replace(text.find("end_time: "), std::string::npos,
                       fmt::format("end_time: {}}}\n", 100.0 / speed));
          const ModelRun run = run_of(text, integrator, tolerance);
          EXPECT_NEAR(run("bodies.ball.position.x"), -50.0 - 4.0 * radius, 2.0 * radius);
        }
}

// A thin beam in the way of a ball is met as a round body is.
TEST(NarrowPlaces, ABallMeetsAThinBeam) {
  for (const int dimension : {2, 3})
    for (const double speed : {2.0, 20.0})
      for (const double tolerance : {1e-3, 1e-4}) {
        SCOPED_TRACE(fmt::format("{}D, {} m/s, tolerance {}", dimension, speed, tolerance));
        const ModelRun run = run_of(fmt::format(R"(
picus: 1
dimension: {}
bodies:
  ball: {{type: point, mass: 0.001, at: [0.23, 5], velocity: [0, -{}]}}
beams:
  bridge: {{from: [0, 0], to: [1, 0], elements: 6, section: {{type: circle, radius: 0.002}}, material: steel, damping: 1e-3}}
joints:
  left: {{type: fixed, between: [ground, bridge.start]}}
  right: {{type: fixed, between: [ground, bridge.end]}}
collisions:
  all: {{balls: [{{at: ball, radius: 0.003}}], beams: [{{beam: bridge}}]}}
run: {{end_time: {}}}
)",
                                                dimension, speed, 5.05 / speed),
                                    "moreau_adaptive", tolerance);
        EXPECT_GT(run("bodies.ball.position.y"), 0.0);
        EXPECT_GT(run("bodies.ball.velocity.y"), -0.1 * speed);
      }
}

// It begins at rest above the peg: only gravity announces how fast it will be.
TEST(NarrowPlaces, ABallThatFallsFromRestMeetsAPeg) {
  for (const double radius : {0.1, 0.01})
    for (const char* integrator : {"auto", "event_capturing", "moreau_adaptive"})
      for (const double tolerance : {1e-3, 1e-6}) {
        SCOPED_TRACE(fmt::format("{}, radius {} m, tolerance {}", integrator, radius, tolerance));
        const ModelRun run = run_of(fmt::format(R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {{type: point, mass: 1, at: [0, 3]}}
contacts:
  peg: {{type: ball_on_ball, between: [ground, ball], radius: {0}, other_radius: {0}}}
run: {{end_time: 2}}
)",
                                                radius),
                                    integrator, tolerance);
        // a fall of 3 m, whose errors the tolerance is relative to
        EXPECT_NEAR(run("bodies.ball.position.y"), 2.0 * radius, 0.02 * radius + 3.0 * tolerance);
      }
}

// Obstacles by formula, a hundred times narrower than the way to them.
TEST(NarrowPlaces, AMassBouncesBackFromAnObstacleByFormula) {
  for (const double width : {0.5, 0.02})
    for (const bool is_curve : {true, false})
      for (const char* integrator : {"auto", "event_driven", "moreau_adaptive"})
        for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
          SCOPED_TRACE(fmt::format("{}, {}, width {} m, tolerance {}", integrator,
                                   is_curve ? "curve" : "gap", width, tolerance));
          const std::string obstacle =
              is_curve ? fmt::format(
                             "{{type: point_on_curve, between: [ground, mass], curve: "
                             "'exp(-(x/{})^2)', restitution: 0.5}}",
                             width)
                       : fmt::format(
                             "{{type: gap, gap: 'mass.y - exp(-(mass.x/{})^2)', restitution: "
                             "0.5}}",
                             width);
          const ModelRun run = run_of(
              fmt::format("picus: 1\ndimension: 2\nbodies:\n  mass: {{type: point, mass: 1, at: "
                          "[-20, 0.5], velocity: [1, 0]}}\ncontacts:\n  bump: {}\n"
                          "run: {{end_time: 30}}\n",
                          obstacle),
              integrator, tolerance);
          EXPECT_LT(run("bodies.mass.velocity.x"), 0.5);
          EXPECT_GT(run("bodies.mass.velocity.y"), 0.0);
        }
}

// A box that rests on four corners makes auto step across events.
TEST(NarrowPlaces, NorWhereAutoStepsAcrossEvents) {
  const std::string box = R"(
picus: 1
gravity: [0, 0, -9.81]
bodies:
  box: {mass: 2, shape: {type: box, size: [0.4, 0.4, 0.2]}, at: [0, 5, 0.1], markers: {a: {at: [-0.2, -0.2, -0.1]}, b: {at: [0.2, -0.2, -0.1]}, c: {at: [-0.2, 0.2, -0.1]}, d: {at: [0.2, 0.2, -0.1]}}}
  ball: {mass: 1, shape: {type: sphere, radius: 0.1}, at: [-10, 0, 0], velocity: [10, 0, 0]}
joints:
  guide: {type: prismatic, between: [ground, ball], axis: [1, 0, 0]}
contacts:
  a: {type: ball_on_plane, between: [ground, box.a], radius: 0, friction: 0.3}
  b: {type: ball_on_plane, between: [ground, box.b], radius: 0, friction: 0.3}
  c: {type: ball_on_plane, between: [ground, box.c], radius: 0, friction: 0.3}
  d: {type: ball_on_plane, between: [ground, box.d], radius: 0, friction: 0.3}
  peg: {type: ball_on_ball, between: [ground, ball], radius: 0.1, other_radius: 0.1, restitution: 1}
run: {end_time: 2}
)";
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    SCOPED_TRACE(tolerance);
    const ModelRun run = run_of(box, "auto", tolerance);
    // errors of moreau_adaptive at impacts fall with the root of the tolerance
    EXPECT_NEAR(run("bodies.ball.position.x"), -10.4, std::sqrt(tolerance));
  }
}

}  // namespace
}  // namespace picus::testing
