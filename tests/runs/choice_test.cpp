// SPDX-License-Identifier: BSD-3-Clause
// What `integrator: auto` takes for shipped models, what it says about it, and that it can be
// overruled.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "picus/base/error.h"
#include "picus/runs/run.h"

namespace picus::testing {
namespace {

using Overrides = std::vector<std::string>;

LoadedModel shipped(const std::string& name, Overrides overrides) {
  overrides.insert(overrides.begin(), {"run.integrator=auto", "run.step=0", "run.options={}"});
  return load_model(PICUS_SOURCE_DIR "/models/" + name + ".yaml", overrides);
}

std::string option(const RunPlan& plan, const std::string& name) {
  for (const auto& [key, value] : plan.options)
    if (key == name) return value;
  return {};
}

struct Wanted {
  std::string model;
  Overrides overrides;
  std::string integrator, smooth;
  std::string number;  ///< that decided, as the reason tells it
};

TEST(Auto, TakesWhatTheModelNeedsAndNamesTheNumbers) {
  const Wanted all[] = {
      {"pendulum", {}, "half_explicit", "", "no springs, dampers"},
      {"rolling_disc", {}, "half_explicit", "", "not stiff"},
      {"quarter_car", {}, "radau_iia", "", "a switch"},
      {"bushing_mount", {}, "half_explicit", "", "59.6/s"},
      {"elastic_bar", {}, "radau_iia", "", "1.78e+06/s"},
      {"bouncing_ball", {}, "radau_iia", "", "a switch"},
      {"dry_friction_pendulum", {}, "event_driven", "", "5/s"},
      {"woodpecker", {}, "event_driven", "", "3 contacts"},
      {"bar_impact", {}, "event_driven", "radau_iia", "2.06e+03/s"},
      {"bar_impact", {"N=4"}, "event_driven", "", "not stiff"},
      {"newtons_cradle", {"N=102"}, "event_driven", "", "101 contacts"},
      {"newtons_cradle", {"N=402"}, "moreau_jean", "", "401 contacts"},
      {"mixing_drum", {"N=5"}, "moreau_jean", "", "collide"},
  };
  for (const Wanted& wanted : all) {
    const LoadedModel loaded = shipped(wanted.model, wanted.overrides);
    const RunPlan plan = plan_of(loaded);
    EXPECT_EQ(plan.integrator, wanted.integrator) << wanted.model << ": " << plan.reason;
    EXPECT_EQ(option(plan, "smooth"), wanted.smooth) << wanted.model << ": " << plan.reason;
    EXPECT_NE(plan.reason.find("chosen because"), std::string::npos) << plan.reason;
    EXPECT_NE(plan.reason.find(wanted.number), std::string::npos) << plan.reason;
    // what users see: one line, without the numbers
    EXPECT_EQ(plan.brief.find("auto chose " + wanted.integrator), 0u) << plan.brief;
    EXPECT_LE(plan.brief.size(), 110u) << plan.brief;
  }
}

TEST(Auto, IsWrittenIntoTheResultWithItsReason) {
  const LoadedModel loaded = shipped("bar_impact", {});
  const RunPlan plan = plan_of(loaded);
  const ResultHeader header = header_of(loaded, plan, MechanismRecord(*loaded.mechanism));
  EXPECT_EQ(header.integrator, "event_driven");
  const auto options = nlohmann::json::parse(header.options);
  EXPECT_EQ(options["integrator"], "event_driven");
  EXPECT_EQ(options["options"]["smooth"], "radau_iia");
  EXPECT_EQ(options["reason"], plan.reason);
  EXPECT_EQ(nlohmann::json::parse(to_json({}, plan))["reason"], plan.reason);
  EXPECT_EQ(plan.name(), "event_driven over radau_iia");
}

// Whatever the steps were chosen by can be read in the result.
TEST(Plan, IsWrittenIntoTheResultWithTheOptionsOfItsSteps) {
  const LoadedModel loaded = shipped("woodpecker", {"run.options={h_max: 0.01}"});
  const RunPlan plan = plan_of(loaded);
  const ResultHeader header = header_of(loaded, plan, MechanismRecord(*loaded.mechanism));
  const auto control = nlohmann::json::parse(header.options)["control"];
  EXPECT_EQ(control["h_max"], "0.01");
  EXPECT_EQ(control["safety"], "0.9");
}

// The woodpecker asks for a tolerance of 1e-7.
TEST(Plan, TakesStepsFromTheToleranceWhereTheMethodHasNoErrorControl) {
  const auto plan = [](const std::string& integrator, const char* model = "woodpecker") {
    return plan_of(shipped(model, {"run.integrator=" + integrator}));
  };
  for (const char* method : {"moreau_jean", "moreau_midpoint", "nonsmooth_pva", "nonsmooth_pvv"}) {
    const RunPlan across_impacts = plan(method);
    EXPECT_FALSE(across_impacts.adaptive) << method;
    EXPECT_EQ(across_impacts.step, plan("moreau_jean").step) << method;  // of first order
    EXPECT_NE(across_impacts.reason.find("from the tolerance and "), std::string::npos)
        << across_impacts.reason;
    EXPECT_NE(across_impacts.reason.find("/s (--step sets another)"), std::string::npos)
        << across_impacts.reason;
  }
  EXPECT_TRUE(plan("moreau_adaptive").adaptive);
  EXPECT_TRUE(plan("extrapolation").adaptive);
  // of second order
  const auto looser = [](const char* model, const char* method, const char* tolerance) {
    return plan_of(shipped(model, {std::string("run.integrator=") + method, tolerance})).step;
  };
  EXPECT_NEAR(looser("slider_crank", "index3", "run.tolerance=1e-6"),
              10.0 * looser("slider_crank", "index3", "run.tolerance=1e-9"), 1e-9);
  const RunPlan given =
      plan_of(shipped("woodpecker", {"run.integrator=moreau_jean", "run.step=1e-4"}));
  EXPECT_EQ(given.step, 1e-4);
  EXPECT_EQ(given.reason.find("tolerance"), std::string::npos) << given.reason;
}

// Options of a model are for its integrator; those that another does not know are left out.
TEST(Plan, LeavesOptionsOutThatAnotherIntegratorDoesNotKnow) {
  const std::string model = PICUS_SOURCE_DIR "/models/clearance_slider_crank.yaml";
  const LoadedModel as_written = load_model(model);
  EXPECT_EQ(option(plan_of(as_written), "positions"), "projected");
  const RunPlan other = plan_of(load_model(model, Overrides{"run.integrator=auto"}));
  EXPECT_EQ(other.integrator, "event_driven");
  ASSERT_EQ(other.notes.size(), 1u);
  EXPECT_NE(other.notes[0].find("'positions': event_driven does not have it"), std::string::npos);
  const RunPlan known = plan_of(load_model(model, Overrides{"run.integrator=moreau_midpoint"}));
  EXPECT_EQ(option(known, "positions"), "projected");
  EXPECT_TRUE(known.notes.empty());
}

TEST(Plan, NotesOptionsOfTheStepSizeControlThatConstantStepsDoNotUse) {
  const RunPlan plan =
      plan_of(shipped("woodpecker", {"run.integrator=extrapolation", "run.step=1e-4",
                                     "run.options={h_min: 1e-7}"}));
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_NE(plan.notes[0].find("'h_min' has no effect"), std::string::npos);
}

TEST(Plan, KnowsTheOptionsOfEventMethodsAndOfTheSmoothOneUnderThem) {
  const auto message = [](const std::string& options) -> std::string {
    try {
      plan_of(shipped("woodpecker", {"run.integrator=event_capturing", "run.options=" + options}));
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_NE(message("{smoth: radau_iia}").find("did you mean 'smooth'?"), std::string::npos);
  EXPECT_NE(message("{x: 1}").find("critical, smooth, shortest_flight, accumulation, "),
            std::string::npos)
      << message("{x: 1}");
  EXPECT_EQ(message("{order: 4}"), "");
  EXPECT_NE(message("{critical: 0}").find("expected a positive number"), std::string::npos);
}

TEST(Plan, CountsInWords) {
  RunOutcome outcome;
  outcome.impacts = outcome.summary.accepted = 1;
  const std::string text = to_text(outcome);
  EXPECT_NE(text.find(" 1 step,"), std::string::npos) << text;
  EXPECT_NE(text.find(" 1 impact,"), std::string::npos) << text;
}

TEST(Auto, CanBeOverruledAsAWholeOrByAnOption) {
  const RunPlan other =
      plan_of(shipped("bar_impact", {"run.integrator=nonsmooth_pva", "run.step=1e-3"}));
  EXPECT_EQ(other.integrator, "nonsmooth_pva");
  EXPECT_NE(other.reason.find("as requested"), std::string::npos) << other.reason;
  const RunPlan option_of_it = plan_of(shipped("bar_impact", {"run.options={smooth: soi2}"}));
  EXPECT_EQ(option_of_it.integrator, "event_driven");
  EXPECT_EQ(option(option_of_it, "smooth"), "soi2");
}

TEST(Auto, TakesAnImplicitMethodWhereAStepIsTooLongForExplicitOnes) {
  // 59.6/s: the bushings
  EXPECT_EQ(plan_of(shipped("bushing_mount", {"run.step=0.014"})).integrator, "half_explicit");
  const RunPlan plan = plan_of(shipped("bushing_mount", {"run.step=0.016"}));
  EXPECT_EQ(plan.integrator, "radau_iia");
  EXPECT_NE(plan.reason.find("above 0.015 s"), std::string::npos) << plan.reason;
}

TEST(Auto, KeepsTheEnergyOfAnUndampedBarAtAConstantStep) {
  // 1.19e3/s, 2.4 over the step
  const Overrides overrides{"run.integrator=auto", "flexible.bar.mass_matrix=lumped",
                            "run.end_time=1.2"};
  const LoadedModel loaded = load_model(PICUS_SOURCE_DIR "/models/bar_impact.yaml", overrides);
  const RunPlan plan = plan_of(loaded);
  EXPECT_EQ(option(plan, "smooth"), "radau_iia") << plan.reason;
  const RunOutcome outcome =
      run_mechanism(*loaded.mechanism, assemble_start(*loaded.mechanism), plan, {});
  ASSERT_TRUE(outcome.summary.ok()) << outcome.summary.message;
  const Mechanism& m = *loaded.mechanism;
  EXPECT_LE(m.kinetic_energy(outcome.end) + m.potential_energy(outcome.end), 500.0);
}

TEST(Auto, TakesMoreStepsForASmallerToleranceWhereNoErrorIsControlled) {
  const auto step = [](const char* tolerance) {
    return plan_of(shipped("mixing_drum", {"N=5", tolerance})).step;
  };
  // the smallest disc falls by its radius of 2 cm
  EXPECT_NEAR(step("run.tolerance=1e-5"), std::sqrt(1e-5 * 0.02 / 9.81), 1e-9);
  EXPECT_NEAR(step("run.tolerance=1e-7"), std::sqrt(1e-7 * 0.02 / 9.81), 1e-9);
}

TEST(Auto, IsNamedWhereAnOptionDoesNotFitItsChoice) {
  try {
    plan_of(shipped("clearance_slider_crank", {"run.options={positions: projected}"}));
    FAIL() << "the option is unknown";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("positions"), std::string::npos) << message;
    EXPECT_NE(message.find("auto chose event_driven"), std::string::npos) << message;
  }
}

// Methods of Moreau take limits from the beginning of a step.
TEST(Plan, SaysThatAStribeckLimitComesLate) {
  const auto notes_of = [](const std::string& limit, const std::string& integrator) {
    const LoadedModel loaded =
        load_model_text("test.yaml",
                        "picus: 1\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1}}\n"
                        "joints: {rail: {type: prismatic, between: [ground, b]}}\n"
                        "contacts: {dry: {type: friction, joint: rail, limit: '" +
                            limit + "'}}\nrun: {end_time: 1, integrator: " + integrator + "}\n");
    return plan_of(loaded).notes;
  };
  const std::string stribeck = "2 + 3*exp(-(rail.position.rate/0.05)^2)";
  for (const char* method : {"moreau_adaptive", "moreau_jean", "moreau_midpoint"}) {
    const std::vector<std::string> notes = notes_of(stribeck, method);
    ASSERT_EQ(notes.size(), 1u) << method;
    EXPECT_NE(notes[0].find("friction 'dry' reads a velocity"), std::string::npos) << notes[0];
  }
  EXPECT_TRUE(notes_of(stribeck, "auto").empty());
  EXPECT_TRUE(notes_of("2 + sin(time)", "moreau_adaptive").empty());
  EXPECT_TRUE(notes_of("2 + rail.position", "moreau_adaptive").empty());
}

}  // namespace
}  // namespace picus::testing
