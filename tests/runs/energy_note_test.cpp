// SPDX-License-Identifier: BSD-3-Clause
// A mechanism that nothing drives does not gain energy; where a run does, it says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/run.h"

namespace picus::testing::energy_note {
namespace {

// The notes of a run of a rod on a pin that swings for 5 s.
std::string notes_of(const std::string& settings, const std::string& more = "") {
  const LoadedModel loaded = load_model_text("test.yaml", fmt::format(R"yaml(picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {{mass: 1, shape: {{type: rod, length: 1}}, at: [0.5, 0]}}
joints:
  pin: {{type: revolute, between: [ground, rod], at: [0, 0]}}
{}
run: {{end_time: 5, {}}}
)yaml",
                                                                      more, settings));
  const Mechanism& mechanism = *loaded.mechanism;
  const RunOutcome outcome =
      run_mechanism(mechanism, assemble_start(mechanism), plan_of(loaded), [](const Sample&) {});
  EXPECT_TRUE(outcome.summary.ok()) << outcome.summary.message;
  std::string notes;
  for (const std::string& note : outcome.summary.notes)
    notes += note + "\n";
  return notes;
}

TEST(EnergyOfAnUndrivenMechanism, IsTalkedOfWhenItRises) {
  const std::string notes = notes_of("integrator: half_explicit, options: {order: 2}, step: 0.05");
  EXPECT_NE(notes.find("its energy rose by"), std::string::npos) << notes;
  EXPECT_NE(notes.find("--step"), std::string::npos) << notes;
}

TEST(EnergyOfAnUndrivenMechanism, IsNotTalkedOfInAccurateRuns) {
  EXPECT_EQ(notes_of("integrator: half_explicit, step: 0.005"), "");
  EXPECT_EQ(notes_of("integrator: ggl, step: 0.005"), "");
  for (const char* tolerance : {"1e-3", "1e-5", "1e-8", "1e-11"})
    EXPECT_EQ(notes_of(fmt::format("integrator: auto, tolerance: {}", tolerance)), "") << tolerance;
}

// A motor may give what it likes.
TEST(EnergyOfADrivenMechanism, IsNotTalkedOf) {
  EXPECT_EQ(notes_of("integrator: auto, tolerance: 1e-6",
                     "forces:\n  motor: {type: torque, between: [ground, rod], torque: 20}"),
            "");
}

}  // namespace
}  // namespace picus::testing::energy_note
