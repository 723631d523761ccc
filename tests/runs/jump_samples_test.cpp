// SPDX-License-Identifier: BSD-3-Clause
// Samples within steps that have an impact are of one side of it: no velocity or energy is recorded
// that never was.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/run.h"

namespace picus::testing::jump_samples {
namespace {

constexpr double kGravity = 9.81;

struct Bounces {
  std::vector<double> time, velocity, energy;
};

// A disc that falls 0.5 m on a floor and another ball's worth of samples in each step.
Bounces bounces(const std::string& method, const std::string& settings, int dimension) {
  const char* zero = dimension == 2 ? "" : "0, ";
  const LoadedModel loaded = load_model_text(
      "test.yaml", fmt::format(R"yaml(picus: 1
dimension: {}
gravity: [{}0, -9.81]
bodies:
  ball: {{mass: 2, inertia: {}, at: [{}0, 0.6], velocity: [0.4, {}0]}}
contacts:
  floor: {{type: ball_on_plane, between: [ground, ball], radius: 0.1, restitution: 0.7, friction: 0.3}}
run: {{end_time: 1.2, output_interval: 7.3e-4, integrator: {}, {}}}
)yaml",
                               dimension, zero, dimension == 2 ? "0.01" : "[0.01, 0.01, 0.01]",
                               zero, zero, method, settings));
  const Mechanism& mechanism = *loaded.mechanism;
  Bounces result;
  const RunOutcome outcome = run_mechanism(
      mechanism, assemble_start(mechanism), plan_of(loaded), [&](const Sample& sample) {
        result.time.push_back(sample.state.time);
        result.velocity.push_back(sample.state.velocity(dimension - 1));
        result.energy.push_back(mechanism.kinetic_energy(sample.state) +
                                mechanism.potential_energy(sample.state));
      });
  EXPECT_TRUE(outcome.summary.ok()) << outcome.summary.message;
  return result;
}

struct Case {
  const char *method, *settings;
  double h;  ///< longest step where impacts are
};

void PrintTo(const Case& tested, std::ostream* out) {
  *out << tested.method << ", " << tested.settings;
}

class JumpSamples : public ::testing::TestWithParam<Case> {};

// What falls keeps its energy and impacts take some: a sample between both sides of an impact has
// hardly any, and the next one has it back. Methods of first order are off by a step.
TEST_P(JumpSamples, HaveEnergiesThatNeverRise) {
  const auto& [method, settings, h] = GetParam();
  for (const int dimension : {2, 3}) {
    const Bounces run = bounces(method, settings, dimension);
    ASSERT_GT(run.time.size(), 1500u);
    const double allowed = 2.0 * kGravity * 4.0 * h + 1e-3;
    double lowest = run.energy.front();
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      EXPECT_LE(run.energy[i], lowest + allowed) << method << " " << settings << run.time[i];
      lowest = std::min(lowest, run.energy[i]);
    }
  }
}

// From one sample to the next a velocity falls by g dt, or it jumps to -e times what it was.
TEST_P(JumpSamples, HaveVelocitiesOfOneSide) {
  const auto& [method, settings, h] = GetParam();
  const Bounces run = bounces(method, settings, 2);
  int jumps = 0;
  for (std::size_t i = 1; i < run.time.size(); ++i) {
    const double before = run.velocity[i - 1], after = run.velocity[i];
    const double fall = kGravity * (run.time[i] - run.time[i - 1] + 2.0 * h);
    if (std::abs(after - before) <= fall + 1e-9) continue;
    ++jumps;
    EXPECT_NEAR(after, -0.7 * before, fall + 0.02) << method << " " << settings << run.time[i];
  }
  EXPECT_GE(jumps, 2) << method;
}

INSTANTIATE_TEST_SUITE_P(Methods, JumpSamples,
                         ::testing::Values(Case{"moreau_jean", "step: 5e-3", 5e-3},
                                           Case{"moreau_jean", "step: 1.1e-2", 1.1e-2},
                                           Case{"moreau_midpoint", "step: 5e-3", 5e-3},
                                           Case{"nonsmooth_pva", "step: 5e-3", 5e-3},
                                           Case{"nonsmooth_pva", "step: 1.1e-2", 1.1e-2},
                                           Case{"nonsmooth_pvv", "step: 5e-3", 5e-3},
                                           Case{"moreau_adaptive", "tolerance: 1e-3", 2e-2},
                                           Case{"extrapolation", "tolerance: 1e-4", 1e-3},
                                           Case{"event_driven", "tolerance: 1e-6", 0.0},
                                           Case{"event_capturing", "tolerance: 1e-4", 1e-4}));

}  // namespace
}  // namespace picus::testing::jump_samples
