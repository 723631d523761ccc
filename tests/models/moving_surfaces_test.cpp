// SPDX-License-Identifier: BSD-3-Clause
// Surfaces that formulas of time move: bodies come to rest on them, and joints that formulas drive
// hold between the ends of steps.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/equilibrium.h"
#include "tests/support/model_run.h"

namespace picus::testing {
namespace {

constexpr double kRate = 5.0;  // of tables [rad/s]

// A ball that falls on a table that moves up and down, at less than the acceleration of gravity.
std::string ball_on_table(double amplitude, double e, double height = 0.19) {
  return fmt::format(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  ball: {{mass: 0.3, shape: {{type: sphere, radius: 0.05}}, at: [0, {}], velocity: [0.03, 0]}}
contacts:
  table: {{type: ball_on_plane, between: [ground, ball], height: "{}*sin({}*time)",
          restitution: {}, friction: 0}}
run: {{end_time: 1.7}}
)yaml",
                     height, amplitude, kRate, e);
}

double at_rest(double amplitude, double t) {
  return 0.05 + amplitude * std::sin(kRate * t);
}

// Steps across impacts take time in event_capturing: what they leave of gap rates is no bounce.
TEST(MovingSurface, TheBallComesToRestAfterAFewImpacts) {
  for (const double amplitude : {0.05, 0.2, -0.21, 0.3})
    for (const double e : {0.0, 0.024, 0.4})
      for (const char* tolerance : {"1e-3", "1e-4", "1e-6", "1e-9"}) {
        const auto run_by = [&](const char* name) {
          return ModelRun::of_text(
              ball_on_table(amplitude, e),
              {fmt::format("run.integrator={}", name), fmt::format("run.tolerance={}", tolerance)});
        };
        const ModelRun driven = run_by("event_driven"), captured = run_by("event_capturing");
        const std::string which =
            fmt::format("amplitude {}, e {}, tolerance {}", amplitude, e, tolerance);
        const double accuracy = 100.0 * std::stod(tolerance);
        EXPECT_NEAR(driven("bodies.ball.position.y"), at_rest(amplitude, 1.7), accuracy) << which;
        EXPECT_NEAR(captured("bodies.ball.position.y"), at_rest(amplitude, 1.7), accuracy) << which;
        EXPECT_LE(captured.outcome().impacts, driven.outcome().impacts + 3) << which;
        EXPECT_LE(captured.outcome().summary.accepted, 2 * driven.outcome().summary.accepted + 20)
            << which;
        EXPECT_TRUE(captured.outcome().audit.warnings.empty()) << which;
      }
}

// The velocity of what rests is that of the surface at the end of the step: the gap stays as it was
// to second order, not first.
TEST(MovingSurface, MoreausStepsRestOnItWithSecondOrder) {
  for (const char* name : {"moreau_jean", "moreau_midpoint"}) {
    const auto drift = [&](double step) {
      double first = 0.0, largest = 0.0;
      (void)ModelRun::of_text(ball_on_table(0.2, 0.0, 0.05),
                              {
                                  fmt::format("run.integrator={}", name),
                                  fmt::format("run.step={}", step),
                              },
                              [&](const ModelRun& now) {
                                const double gap = now("contacts.table.gap");
                                if (now.time() < 0.1) first = gap;
                                largest = std::max(largest, std::abs(gap - first));
                              });
      return largest;
    };
    const double coarse = drift(4e-3), fine = drift(1e-3);
    EXPECT_LT(fine, coarse / 8.0) << name << " " << coarse << " " << fine;
  }
}

// Samples between the ends of steps follow the motion as well as the ends do.
TEST(MovingSurface, DrivenJointsHoldBetweenTheEndsOfSteps) {
  for (const char* motion :
       {"step5(time, 0.39, 0, 0.79, 0.3) - step5(time, 1.09, 0, 1.49, 0.18)",
        "step(time, 0.2, 0, 0.5, 0.4)", "0.2*step5(time, 0.5, 0, 0.6, 1)*sin(3*time)"})
    for (const char* tolerance : {"1e-3", "1e-5", "1e-8", "1e-11"}) {
      const std::string text = fmt::format(R"yaml(
picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  cart: {{type: point, mass: 1}}
  rod: {{mass: 0.5, shape: {{type: rod, length: 0.4}}, at: [0, -0.2], angle: -pi/2}}
joints:
  pin: {{type: revolute, between: [cart, rod], at: [0, 0]}}
motions:
  drive: {{point: cart, along: [1, 0], value: "{}"}}
  height: {{point: cart, along: [0, 1], value: 0}}
run: {{end_time: 1.8, output_interval: 0.003, tolerance: {}}}
)yaml",
                                           motion, tolerance);
      LoadedModel loaded = load_model_text("test.yaml", text, {});
      Mechanism& mechanism = *loaded.mechanism;
      const RunPlan plan = plan_of(loaded.model.run, mechanism);
      Vector g = Vector::Zero(mechanism.system().sizes().constraints);
      double open = 0.0;
      const RunOutcome outcome =
          run_mechanism(mechanism, start_of(loaded), plan, [&](const Sample& sample) {
            mechanism.system().constraint(sample.state, g);
            open = std::max(open, g.cwiseAbs().maxCoeff());
          });
      EXPECT_TRUE(outcome.summary.ok()) << outcome.summary.message;
      EXPECT_LT(open, 4.0 * std::stod(tolerance) + 1e-14) << motion << " " << tolerance;
    }
}

}  // namespace
}  // namespace picus::testing
