// SPDX-License-Identifier: BSD-3-Clause
// Explicit methods on stiff models: right at the price of short steps, and the summary says so.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picus/runs/run.h"

namespace picus::testing {
namespace {

struct Energies {
  double first = 0.0, last = 0.0;
  Summary summary;
};

Energies run_of(const std::string& model, const std::vector<std::string>& overrides) {
  const LoadedModel loaded = load_model(PICUS_SOURCE_DIR "/models/" + model + ".yaml", overrides);
  const Mechanism& mechanism = *loaded.mechanism;
  const Start start = assemble_start(mechanism);
  const auto energy = [&](const State& s) {
    return mechanism.kinetic_energy(s) + mechanism.potential_energy(s);
  };
  Energies result;
  result.first = energy(start.state);
  const RunOutcome outcome = run_mechanism(mechanism, start, plan_of(loaded), {});
  result.last = energy(outcome.end);
  result.summary = outcome.summary;
  EXPECT_TRUE(outcome.summary.ok()) << outcome.summary.message;
  return result;
}

bool notes_stability(const Summary& summary) {
  for (const std::string& note : summary.notes)
    if (note.find("stability limit") != std::string::npos) return true;
  return false;
}

// A bar that hits a wall without restitution keeps its energy but for what its last node loses.
TEST(Stability, AnExplicitMethodAddsNoEnergyToABarThatHitsAWall) {
  for (const char* tolerance : {"1e-3", "1e-4", "1e-5"}) {
    const Energies run = run_of("bar_impact", {"run.integrator=event_driven", "run.step=0",
                                               "run.options={smooth: half_explicit}",
                                               fmt::format("run.tolerance={}", tolerance)});
    EXPECT_LT(run.last, 1.05 * run.first) << tolerance;
    EXPECT_TRUE(notes_stability(run.summary)) << tolerance;
  }
}

// What the pulse has put in is that of an implicit method, to the tolerance of a thousandth in
// velocities ten times over.
TEST(Stability, AnExplicitMethodKeepsTheEnergyOfAWaveInABar) {
  const auto run = [](const char* integrator, const char* tolerance) {
    return run_of("elastic_bar", {fmt::format("run.integrator={}", integrator), "run.step=0",
                                  "run.options={}", fmt::format("run.tolerance={}", tolerance)});
  };
  const double exact = run("radau_iia", "1e-9").last;
  const Energies rough = run("half_explicit", "1e-3");
  EXPECT_NEAR(rough.last, exact, 2e-2 * exact);
  EXPECT_TRUE(notes_stability(rough.summary));
}

TEST(Stability, NoNoteWhereStepsFollowTheMotion) {
  for (const char* model : {"pendulum", "double_pendulum", "dry_friction_pendulum"})
    for (const char* tolerance : {"1e-3", "1e-6", "1e-9"}) {
      const Energies run = run_of(model, {"run.integrator=auto", "run.step=0", "run.options={}",
                                          fmt::format("run.tolerance={}", tolerance)});
      EXPECT_FALSE(notes_stability(run.summary)) << model << " " << tolerance;
    }
}

}  // namespace
}  // namespace picus::testing
