// SPDX-License-Identifier: BSD-3-Clause
// What the summary of a run says of its tolerance, and of energy that should be constant.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "picus/runs/energy_account.h"
#include "tests/runs/models.h"

namespace picus::testing {
namespace {

EnergyLaw law_of(const LoadedModel& loaded) {
  return energy_law_of(*loaded.mechanism, assemble_start(*loaded.mechanism).state);
}

LoadedModel energy_model(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return load_model(PICUS_SOURCE_DIR "/models/" + name + ".yaml", overrides);
}

TEST(Energy, IsConstantWhereNothingTakesOrGivesAny) {
  for (const char* name : {"pendulum", "double_pendulum", "chain", "spatial_chain", "spinning_top",
                           "rolling_disc", "newtons_cradle"})
    EXPECT_EQ(law_of(energy_model(name)), EnergyLaw::kConstant) << name;
}

TEST(Energy, IsLeftOpenByImpactsThatLoseFrictionAndDrives) {
  EXPECT_EQ(law_of(energy_model("newtons_cradle", {"e=0.9"})), EnergyLaw::kOpen);
  for (const char* name :
       {"brake", "cam", "dry_friction_pendulum", "quarter_car", "woodpecker", "mixing_drum"})
    EXPECT_EQ(law_of(energy_model(name)), EnergyLaw::kOpen) << name;
}

TEST(Energy, FallsWhereForcesTakeWhatTheirPotentialDoesNotKeep) {
  for (const char* name : {"bouncing_ball", "bushing_mount"})
    EXPECT_EQ(law_of(energy_model(name)), EnergyLaw::kFalls) << name;
}

EnergyLaw law_of_cart(const std::string& more) {
  return law_of(model_of(R"(dimension: 2
bodies:
  cart: {mass: 1, inertia: 1, at: [0.1, 0]}
)" + more + "\n"));
}

TEST(Energy, FollowsFromTheForces) {
  const auto under = [](const std::string& force) {
    return law_of_cart("forces:\n  pull: " + force);
  };
  EXPECT_EQ(under("{type: spring_damper, between: [ground, cart], stiffness: 4, length: 0.5}"),
            EnergyLaw::kConstant);
  EXPECT_EQ(under("{type: spring_damper, between: [ground, cart], stiffness: 4, length: 0.5, "
                  "damping: 0.01}"),
            EnergyLaw::kFalls);
  EXPECT_EQ(under("{type: force, body: cart, force: [3*time, 0]}"), EnergyLaw::kOpen);
  EXPECT_EQ(under("{type: force, body: cart, force: [-0.1*cart.vx^3, 0]}"), EnergyLaw::kOpen);
  EXPECT_EQ(under("{type: force, body: cart, force: [cart.y, -cart.x]}"), EnergyLaw::kOpen);
}

TEST(Energy, FallsAtCompliantContactsOnThingsAtRest) {
  const auto on = [](const std::string& height) {
    return law_of_cart("contacts:\n  floor: {type: gap, gap: cart.y + " + height +
                       ", compliance: {stiffness: 1e4, dissipation: 0.3}}");
  };
  EXPECT_EQ(on("0.2"), EnergyLaw::kFalls);
  EXPECT_EQ(on("0.1*sin(time)"), EnergyLaw::kOpen) << "a floor that moves gives energy";
}

RunOutcome run_at(LoadedModel& loaded, const std::string& integrator, double tolerance) {
  loaded.model.run.integrator.text = integrator;
  loaded.model.run.tolerance = tolerance;
  return run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan_of(loaded),
                       [](const Sample&) {});
}

TEST(Summary, SaysWhatTheToleranceMeansAndHowTheEnergyDrifted) {
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    LoadedModel rod = energy_model("pendulum");
    const RunOutcome outcome = run_at(rod, "auto", tolerance);
    ASSERT_TRUE(outcome.energy_drift);
    // T + V, from what is recorded at the end
    const Mechanism& m = *rod.mechanism;
    const double end = m.kinetic_energy(outcome.end) + m.potential_energy(outcome.end);
    EXPECT_LE(std::abs(end) / 9.81,
              *outcome.energy_drift * (1.0 + 1e-9) + 1e-15);  // V = 0 at first
    const std::string text = to_text(outcome);
    EXPECT_NE(text.find("tolerance "), std::string::npos) << text;
    EXPECT_NE(text.find("energy drifted by"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
    EXPECT_EQ(nlohmann::json::parse(to_json(outcome, {}))["energy_drift"], *outcome.energy_drift);
  }
  LoadedModel car = energy_model("quarter_car");
  const std::string text = to_text(run_at(car, "auto", 1e-4));
  EXPECT_NE(text.find("tolerance 0.0001: "), std::string::npos) << text;
  EXPECT_EQ(text.find("energy"), std::string::npos) << text;
}

// hht_i3 damps: in a hundred swings it loses a thousand times what it may in a step. Between steps
// the energy also rises by a hundred tolerances, which is not worth a second note.
TEST(Summary, NotesADriftOfAHundredTolerances) {
  LoadedModel rod = energy_model("pendulum", {"run.end_time=60"});
  const RunOutcome damped = run_at(rod, "hht_i3", 1e-6);
  ASSERT_TRUE(damped.energy_drift);
  EXPECT_GT(*damped.energy_drift, 1e-4);
  ASSERT_EQ(damped.summary.notes.size(), 1U);
  EXPECT_NE(damped.summary.notes.front().find("times the tolerance"), std::string::npos);
  LoadedModel again = energy_model("pendulum");
  EXPECT_TRUE(run_at(again, "auto", 1e-6).summary.notes.empty());
}

TEST(Summary, SaysNothingOfAToleranceThatConstantStepsDoNotHave) {
  LoadedModel rod = energy_model("pendulum", {"run.step=1e-3", "run.end_time=1"});
  const RunOutcome outcome = run_at(rod, "ggl", 1e-6);
  EXPECT_FALSE(outcome.energy_drift);
  EXPECT_EQ(to_text(outcome).find("tolerance"), std::string::npos);
}

}  // namespace
}  // namespace picus::testing
