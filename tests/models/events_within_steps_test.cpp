// SPDX-License-Identifier: BSD-3-Clause
// What happens between the ends of steps: laws that break while nothing moves, forces that come and
// go, switches that cross twice. Judged by closed forms and by an integration of its own.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"
#include "tests/support/referee.h"

namespace picus::testing {
namespace {

ModelRun run_of(const std::string& text, const std::string& integrator, double tolerance,
                const std::string& options = "{}", const ModelRun::Observe& observe = {}) {
  return ModelRun::of_text(text,
                           {"run.integrator=" + integrator,
                            fmt::format("run.tolerance={}", tolerance), "run.options=" + options},
                           observe);
}

std::string block_on_rail(double limit, const std::string& force, double end) {
  return fmt::format(R"(
picus: 1
dimension: 2
bodies:
  block: {{mass: 1, inertia: 1, at: [1, 0]}}
joints:
  rail: {{type: prismatic, between: [ground, block], axis: [1, 0]}}
contacts:
  dry: {{type: friction, joint: rail, limit: {}}}
forces:
  push: {{type: force, body: block, force: ['{}', 0]}}
run: {{end_time: {}}}
)",
                     limit, force, end);
}

struct Shaken {
  double amplitude, rate, limit;
};

TEST(EventsWithinSteps, ABlockAtRestNoticesAForceThatComesAndGoes) {
  for (const Shaken& c : {Shaken{5.0, 2.5, 2.0}, Shaken{2.02, 2.5, 2.0}, Shaken{40.0, 31.0, 39.0},
                          Shaken{3.0, 0.7, 2.9}, Shaken{1.9, 2.5, 2.0}}) {
    const double expected =
        rubbing_block(
            10.0, 0.0, [&](double t) { return c.amplitude * std::sin(c.rate * t); },
            [&](double) { return c.limit; })
            .x;
    const std::string text =
        block_on_rail(c.limit, fmt::format("{}*sin({}*time)", c.amplitude, c.rate), 10.0);
    for (const double tolerance : {1e-3, 1e-5, 1e-8, 1e-12}) {
      const ModelRun run = run_of(text, "auto", tolerance, "{}", [&](const ModelRun& now) {
        EXPECT_LE(std::abs(now("friction.dry.force_1")), c.limit * (1.0 + 1e-6)) << now.time();
      });
      EXPECT_NEAR(run("bodies.block.position.x") - 1.0, expected, 3.0 * tolerance + 1e-10)
          << c.amplitude << " sin " << c.rate << "t, tolerance " << tolerance;
    }
  }
}

// The limit μN ends where pads let go: friction has a kink there, as it has with max(0, N).
TEST(EventsWithinSteps, FrictionEndsWhereTheNormalForceDoes) {
  const auto text = [](const char* normal_force) {
    return fmt::format(R"(
picus: 1
dimension: 2
bodies:
  block: {{mass: 1, inertia: 1}}
joints:
  rail: {{type: prismatic, between: [ground, block]}}
forces:
  push: {{type: force, body: block, force: ['4*sin(2*time)', 0]}}
contacts:
  pads: {{type: friction, joint: rail, coefficient: 0.5, normal_force: '{}'}}
run: {{end_time: 5}}
)",
                       normal_force);
  };
  const double expected =
      run_of(text("max(0, 3 + 8*sin(5*time))"), "event_driven", 1e-11)("bodies.block.position.x");
  for (const char* integrator : {"auto", "event_capturing"})
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      SCOPED_TRACE(fmt::format("{}, tolerance {}", integrator, tolerance));
      const ModelRun run = run_of(text("3 + 8*sin(5*time)"), integrator, tolerance);
      // a way of 4 m, there and back
      EXPECT_NEAR(run("bodies.block.position.x"), expected, 20.0 * tolerance);
    }
}

TEST(EventsWithinSteps, EverySmoothMethodDoes) {
  const double expected =
      rubbing_block(
          10.0, 0.0, [](double t) { return 5.0 * std::sin(2.5 * t); }, [](double) { return 2.0; })
          .x;
  const std::string text = block_on_rail(2.0, "5*sin(2.5*time)", 10.0);
  for (const char* integrator : {"event_driven", "event_capturing"})
    for (const char* smooth : {"half_explicit", "radau_iia", "lobatto_iiia", "soi2"}) {
      const double found = run_of(text, integrator, 1e-6,
                                  fmt::format("{{smooth: {}}}", smooth))("bodies.block.position.x");
      // methods of second order take so many more steps, each with its error
      EXPECT_NEAR(found - 1.0, expected, 1500.0 * 1e-6) << integrator << " over " << smooth;
    }
}

TEST(EventsWithinSteps, ConstantStepsMayBeLongerThanWhatHappensInThem) {
  // a pulse of 20 ms in steps of 0.25 s
  const std::string text = block_on_rail(2.0, "12*pulse(time, 0.6, 0.62)", 2.0);
  const double v = 10.0 * 0.02, expected = 0.5 * v * 0.02 + 0.5 * v * v / 2.0;
  const ModelRun run = ModelRun::of_text(text, {"run.integrator=event_driven", "run.step=0.25"});
  EXPECT_NEAR(run("bodies.block.position.x") - 1.0, expected, 1e-9);
}

TEST(EventsWithinSteps, AFloorDoesNotPull) {
  const auto model = [](double force, double rate) {
    return fmt::format(R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  block: {{type: point, mass: 1, at: [0, 1]}}
contacts:
  floor: {{type: ball_on_plane, between: [ground, block], normal: [0, 1], height: 1}}
forces:
  lift: {{type: force, body: block, force: [0, '{}*sin({}*time)']}}
run: {{end_time: 8}}
)",
                       force, rate);
  };
  for (const auto& [force, rate] : {std::pair{12.0, 1.3}, std::pair{9.9, 2.0}}) {
    // rises where the force is above the weight, comes down without bouncing
    LineMotion m;
    const auto free = [&, f = force, w = rate](double t, double, double) {
      return f * std::sin(w * t) - 9.81;
    };
    while (m.t < 8.0) {
      const auto rest = [](double, double, double) { return 0.0; };
      if (free(m.t + 1e-12, 0, 0) <= 0.0 &&
          !advance_line(m, 8.0, rest, [&](const LineMotion& at) { return -free(at.t, 0, 0); }))
        break;
      const double begun = m.t + 1e-3;
      if (!advance_line(m, 8.0, free,
                        [&](const LineMotion& at) { return at.t < begun ? 1.0 : at.x; }))
        break;
      m.x = m.v = 0.0;
    }
    for (const char* integrator : {"event_driven", "event_capturing"})
      for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
        const ModelRun run =
            run_of(model(force, rate), integrator, tolerance, "{}", [](const ModelRun& now) {
              EXPECT_GE(now("contacts.floor.force"), -1e-6) << now.time();
            });
        EXPECT_NEAR(run("bodies.block.position.y"), 1.0 + m.x, 10.0 * tolerance + 1e-9)
            << force << ' ' << integrator << ' ' << tolerance;
      }
  }
}

struct Later {
  const char* force;
  double impulse;
};

TEST(EventsWithinSteps, WhatComesLaterIsNotSteppedOver) {
  const double width = std::sqrt(std::numbers::pi / 4e4);
  for (const Later& c : {
           Later{"100*pulse(time, 7, 7.01)", 1.0},
           Later{"100*(step5(time, 7, 0, 7.02, 1) - step5(time, 7.02, 0, 7.04, 1))", 2.0},
           Later{"if(time > 7 and time < 7.01, 100, 0)", 1.0},
           Later{"10*exp(-4e4*(time - 6)^2)", 10.0 * width},
           Later{"kick(time)", 0.5 * 0.02 * 50.0},
           Later{"50*(1 + tanh((time - 6)/0.002))*(1 - tanh((time - 6.1)/0.002))/2", 10.0},
           Later{"100*if(sin(3*time) > 0.999, 1, 0)", 100.0 * 5.0 * 2.0 * std::acos(0.999) / 3.0},
       }) {
    const std::string text = fmt::format(R"(
picus: 1
dimension: 2
tables:
  kick: {{x: [0, 7, 7.01, 7.02, 20], y: [0, 0, 50, 0, 0], interpolation: linear}}
bodies:
  block: {{type: point, mass: 1, at: [1, 0]}}
forces:
  push: {{type: force, body: block, force: ['{}', 0]}}
run: {{end_time: 10}}
)",
                                         c.force);
    for (const char* integrator : {"half_explicit", "radau_iia", "hht_i3", "generalized_alpha"})
      for (const double tolerance : {1e-3, 1e-6}) {
        // tolerances are of positions: a short pulse moves little, and a loose one lets speeds err
        const double v = run_of(text, integrator, tolerance)("bodies.block.velocity.x");
        EXPECT_NEAR(v, c.impulse, (tolerance > 1e-4 ? 0.15 : 0.02) * c.impulse)
            << c.force << ' ' << integrator << ' ' << tolerance;
      }
  }
}

// A block with play between a floor and a ceiling, and no bounces.
double height_in_slot(double end, double play, double force, double rate) {
  LineMotion m;
  const auto free = [&](double t, double, double) { return force * std::sin(rate * t) - kG; };
  const auto rest = [](double, double, double) { return 0.0; };
  while (m.t < end) {
    const double side = m.x > 0.5 * play ? 1.0 : -1.0;  // of the wall
    if (side * free(m.t + 1e-12, 0, 0) >= 0.0 &&
        !advance_line(m, end, rest, [&](const LineMotion& at) { return side * free(at.t, 0, 0); }))
      break;
    // off the wall, then back to it or on to the other one
    const double begun = m.t + 1e-5;
    if (!advance_line(
            m, end, free,
            [&](const LineMotion& at) { return at.t < begun ? 1.0 : std::min(at.x, play - at.x); },
            1e-4))
      break;
    m.x = m.x > 0.5 * play ? play : 0.0;
    m.v = 0.0;
  }
  return m.x;
}

TEST(EventsWithinSteps, CornersOfOneFaceLetGoTogether) {
  for (const double end : {0.33, 1.03, 2.0}) {
    const std::string text = fmt::format(R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  slider:
    mass: 1
    shape: {{type: box, size: [0.1, 0.06, 0.05]}}
    at: [1, 0]
    markers:
      ll: {{at: [-0.05, -0.03]}}
      lr: {{at: [0.05, -0.03]}}
      ul: {{at: [-0.05, 0.03]}}
      ur: {{at: [0.05, 0.03]}}
contacts:
  fl: {{type: gap, gap: slider.ll.y + 0.03}}
  fr: {{type: gap, gap: slider.lr.y + 0.03}}
  cl: {{type: gap, gap: 0.031 - slider.ul.y}}
  cr: {{type: gap, gap: 0.031 - slider.ur.y}}
forces:
  lift: {{type: force, body: slider, force: [0, '30*sin(20*time)']}}
run: {{end_time: {}}}
)",
                                         end);
    const double expected = height_in_slot(end, 1e-3, 30.0, 20.0);
    for (const char* integrator : {"event_driven", "event_capturing"})
      for (const double tolerance : {1e-3, 1e-6, 1e-8, 1e-10})
        EXPECT_NEAR(run_of(text, integrator, tolerance)("bodies.slider.position.y"), expected,
                    std::max(1e-9, 0.1 * tolerance))
            << end << ' ' << integrator << ' ' << tolerance;
  }
}

struct Thrown {
  double vx, vy, wx, wy, friction;
};

TEST(EventsWithinSteps, ABallInSpaceComesToRoll) {
  const double r = 0.1, end = 2.0;
  for (const Thrown& c :
       {Thrown{2.0, 0.5, 3.0, -20.0, 0.2}, Thrown{-1.3, 2.2, -25.0, 11.0, 0.35},
        Thrown{2.85, 1.79, 1.0, -16.6, 0.27}, Thrown{0.3, -2.9, 7.0, 28.0, 0.5}}) {
    // slip v - u with u = r (ω_y, -ω_x) ends at v = (5 v + 2 u)/7
    const double ux = r * c.wy, uy = -r * c.wx, slip = std::hypot(c.vx - ux, c.vy - uy);
    const double time = 2.0 / 7.0 * slip / (c.friction * kG);
    ASSERT_LT(time, end);
    const double mean = 0.5 * (c.vx + (5.0 * c.vx + 2.0 * ux) / 7.0);
    const double expected = mean * time + (5.0 * c.vx + 2.0 * ux) / 7.0 * (end - time);
    for (const double pull : {0.0, 0.2}) {
      const std::string text = fmt::format(R"(
picus: 1
gravity: [{}, 0, -9.81]
bodies:
  ball:
    mass: 1
    shape: {{type: sphere, radius: 0.1}}
    at: [0, 0, 0.1]
    velocity: [{}, {}, 0]
    angular_velocity: [{}, {}, 1.3]
contacts:
  floor: {{type: ball_on_plane, between: [ground, ball], radius: 0.1, friction: {}}}
run: {{end_time: 2}}
)",
                                           pull, c.vx, c.vy, c.wx, c.wy, c.friction);
      const double fine =
          pull == 0.0 ? expected : run_of(text, "event_driven", 1e-11)("bodies.ball.position.x");
      for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-8, 1e-9, 1e-10})
        EXPECT_NEAR(run_of(text, "event_driven", tolerance)("bodies.ball.position.x"), fine,
                    30.0 * tolerance + 1e-9)
            << c.vx << ' ' << pull << ' ' << tolerance;
    }
  }
}

}  // namespace
}  // namespace picus::testing
