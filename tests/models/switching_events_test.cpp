// SPDX-License-Identifier: BSD-3-Clause
// Formulas that switch in models that are led from event to event: at every tolerance the same
// motion, as an integration of its own has it.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/model_run.h"
#include "tests/support/referee.h"

namespace picus::testing {
namespace {

constexpr double kTolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12};

// Where a body ends, within so many tolerances, by both methods that stop at events.
void expect_end(const std::string& text, const char* channel, double expected, double tolerances) {
  for (const double tolerance : kTolerances)
    for (const char* integrator : {"event_driven", "event_capturing"}) {
      const ModelRun run = ModelRun::of_text(text, {fmt::format("run.integrator={}", integrator),
                                                    fmt::format("run.tolerance={}", tolerance)});
      EXPECT_NEAR(run(channel), expected, tolerances * tolerance + 1e-8)
          << integrator << ' ' << tolerance << text;
    }
}

TEST(SwitchingEvents, ABallThatBouncesInAir) {
  for (const double restitution : {0.9, 0.5})
    for (const double drag : {0.2, 0.02}) {
      LineMotion m{0.0, 3.0, 0.0};
      const auto air = [drag](double, double, double v) { return -kG - drag * std::abs(v) * v; };
      // the top of a flight is a kink, too
      while (m.t < 5.0) {
        const bool falls = m.v <= 0.0;
        if (!advance_line(m, 5.0, air,
                          [falls](const LineMotion& at) { return falls ? at.x : at.v; }))
          break;
        if (falls) m = {m.t, 0.0, -restitution * m.v};
        if (!falls) m.v = 0.0;
        if (std::abs(m.v) < 1e-3 && falls) break;
      }
      const std::string text = fmt::format(R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {{type: point, mass: 1, at: [0, 3]}}
contacts:
  floor: {{type: ball_on_plane, between: [ground, ball], normal: [0, 1], restitution: {}}}
forces:
  drag: {{type: force, body: ball, force: [0, '-{}*abs(ball.vy)*ball.vy']}}
run: {{end_time: 5}}
)",
                                           restitution, drag);
      expect_end(text, "bodies.ball.position.y", m.x, 50.0);
    }
}

TEST(SwitchingEvents, AMassOnABeltWithStribeckFriction) {
  for (const double speed : {0.5, 0.1}) {
    const double end = 12.0;
    const auto limit = [](double slip) { return 1.0 + 1.0 / (1.0 + 3.0 * slip); };
    // with a spring: the referee of its own
    LineMotion m{0.0, 0.0, speed};
    bool sticks = true;
    double side = -1.0;
    while (m.t < end) {
      if (sticks) {
        const auto belt = [](double, double, double) { return 0.0; };
        if (!advance_line(m, end, belt,
                          [&](const LineMotion& at) { return limit(0.0) - std::abs(4.0 * at.x); }))
          break;
        side = m.x > 0.0 ? -1.0 : 1.0;
        sticks = false;
      }
      const auto slides = [&](double, double x, double v) {
        return -4.0 * x - side * limit(std::max(0.0, side * (v - speed)));
      };
      const double begun = m.t + 1e-6;
      if (!advance_line(m, end, slides, [&](const LineMotion& at) {
            return at.t < begun ? 1.0 : side * (at.v - speed);
          }))
        break;
      m.v = speed;
      sticks = true;
    }
    const std::string text = fmt::format(R"(
picus: 1
dimension: 2
bodies:
  block: {{mass: 1, inertia: 1, at: [0, 0], velocity: [{0}, 0]}}
joints:
  rail: {{type: prismatic, between: [ground, block], axis: [1, 0]}}
contacts:
  dry: {{type: friction, slip: ['block.vx - {0}'], limit: '1 + 1/(1 + 3*abs(block.vx - {0}))'}}
forces:
  spring: {{type: force, body: block, force: ['-4*block.x', 0]}}
run: {{end_time: {1}}}
)",
                                         speed, end);
    expect_end(text, "bodies.block.position.x", m.x, 60.0);
  }
}

struct Switching {
  const char* formula;
  double (*force)(double);
};

TEST(SwitchingEvents, ForcesThatJumpAgainstFriction) {
  for (const Switching& c : {
           Switching{"3*square(time, 1)",
                     [](double t) { return std::fmod(t, 1.0) < 0.5 ? 3.0 : -3.0; }},
           Switching{"if(time < 1, 3, if(time < 2.5, -2.5, 4))",
                     [](double t) { return t < 1.0   ? 3.0
                                           : t < 2.5 ? -2.5
                                                     : 4.0; }},
           Switching{"5*max(0, 1 - abs(time - 2.5))",
                     [](double t) { return 5.0 * std::max(0.0, 1.0 - std::abs(t - 2.5)); }},
       }) {
    const LineMotion m = rubbing_block(5.2, 0.0, c.force, [](double) { return 2.0; },
                                       {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0});
    const std::string text = fmt::format(R"(
picus: 1
dimension: 2
bodies:
  block: {{mass: 1, inertia: 1}}
joints:
  rail: {{type: prismatic, between: [ground, block], axis: [1, 0]}}
contacts:
  dry: {{type: friction, joint: rail, limit: 2}}
forces:
  push: {{type: force, body: block, force: ['{}', 0]}}
run: {{end_time: 5.2}}
)",
                                         c.formula);
    expect_end(text, "bodies.block.position.x", m.x, 3.0);
  }
}

TEST(SwitchingEvents, SamplesLieOnTheGrid) {
  // clock and state agree: the motion at the end of every step is that of its time
  const ModelRun run =
      ModelRun::of_text(R"(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {type: point, mass: 1, at: [0, 3], velocity: [1.5, 0]}
contacts:
  floor: {type: ball_on_plane, between: [ground, ball], normal: [0, 1], restitution: 0.9}
forces:
  drag: {type: force, body: ball, force: [0, '-0.2*abs(ball.vy)*ball.vy']}
run: {end_time: 5, integrator: event_driven}
)",
                        {}, [](const ModelRun& now) {
                          EXPECT_NEAR(now("bodies.ball.position.x"), 1.5 * now.time(), 1e-12);
                        });
}

}  // namespace
}  // namespace picus::testing
