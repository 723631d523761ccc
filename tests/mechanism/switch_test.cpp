// SPDX-License-Identifier: BSD-3-Clause
// Formulas that jump: the run ends a step at the jump and starts anew behind it.
#include <gtest/gtest.h>

#include "picus/io/model_file.h"
#include "picus/runs/run.h"

namespace picus::testing {
namespace {

RunOutcome run_text(const std::string& text) {
  const LoadedModel loaded = load_model_text("test.yaml", text);
  const RunPlan plan = plan_of(loaded.model.run, *loaded.mechanism);
  return run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan, {});
}

TEST(Switches, AForceThatJumpsInTimeIsIntegratedOnBothSides) {
  const RunOutcome outcome = run_text(R"yaml(
picus: 1
bodies: {block: {type: point, mass: 1}}
forces: {push: {type: force, body: block, force: ["if(time < 0.3, 1, -1)", 0, 0]}}
run: {end_time: 1}
)yaml");
  ASSERT_TRUE(outcome.summary.ok()) << outcome.summary.message;
  EXPECT_EQ(outcome.summary.restarts, 1);
  // v rises to 0.3, then falls by 0.7; x = 0.045 + 0.21 - 0.245
  EXPECT_NEAR(outcome.end.velocity(0), -0.4, 1e-9);
  EXPECT_NEAR(outcome.end.position(0), 0.01, 1e-9);
}

TEST(Switches, AForceThatJumpsWithThePositionIsToo) {
  const RunOutcome outcome = run_text(R"yaml(
picus: 1
bodies: {block: {type: point, mass: 1, velocity: [1, 0, 0]}}
forces: {stop: {type: force, body: block, force: ["if(block.x < 0.5, 0, -4)", 0, 0]}}
run: {end_time: 0.75, tolerance: 1e-7}
)yaml");
  ASSERT_TRUE(outcome.summary.ok()) << outcome.summary.message;
  EXPECT_GE(outcome.summary.restarts, 1);
  // from t = 0.5 on, v = 1 - 4 (t - 0.5): at rest at the end, 1/8 beyond the jump
  EXPECT_NEAR(outcome.end.velocity(0), 0.0, 1e-6);
  EXPECT_NEAR(outcome.end.position(0), 0.625, 1e-6);
}

TEST(Switches, AreNamedByTheirFormula) {
  const LoadedModel loaded = load_model_text("test.yaml", R"yaml(
picus: 1
bodies: {block: {type: point, mass: 1}}
controls: {level: {type: variable, value: "max(block.x, 1)"}}
)yaml");
  ASSERT_EQ(loaded.mechanism->system().switches(), 1);
  EXPECT_EQ(loaded.mechanism->system().name_of_switch(0), "formula 'max(block.x, 1)'");
}

}  // namespace
}  // namespace picus::testing
