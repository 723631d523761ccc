// SPDX-License-Identifier: BSD-3-Clause
// What `integrator: auto` takes for shipped models, what it says about it, and that it can be
// overruled.
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
      {"pendulum", {}, "half_explicit", "", "not stiff"},
      {"rolling_disc", {}, "half_explicit", "", "not stiff"},
      {"quarter_car", {}, "radau_iia", "", "switches"},
      {"bushing_mount", {}, "half_explicit", "", "59.6/s"},
      {"elastic_bar", {}, "radau_iia", "", "1.78e+06/s"},
      {"bouncing_ball", {}, "radau_iia", "", "switches"},
      {"dry_friction_pendulum", {}, "event_driven", "", "5/s"},
      {"woodpecker", {}, "event_driven", "", "3 contacts"},
      {"bar_impact", {}, "event_driven", "radau_iia", "2.06e+03/s"},
      {"bar_impact", {"N=4"}, "event_driven", "", "not stiff"},
      {"newtons_cradle", {"N=102"}, "moreau_jean", "", "101 contacts"},
      {"mixing_drum", {"N=5"}, "moreau_jean", "", "collide"},
  };
  for (const Wanted& wanted : all) {
    const LoadedModel loaded = shipped(wanted.model, wanted.overrides);
    const RunPlan plan = plan_of(loaded);
    EXPECT_EQ(plan.integrator, wanted.integrator) << wanted.model << ": " << plan.reason;
    EXPECT_EQ(option(plan, "smooth"), wanted.smooth) << wanted.model << ": " << plan.reason;
    EXPECT_NE(plan.reason.find("chosen because"), std::string::npos) << plan.reason;
    EXPECT_NE(plan.reason.find(wanted.number), std::string::npos) << plan.reason;
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
}

TEST(Auto, CanBeOverruledAsAWholeOrByAnOption) {
  const RunPlan other =
      plan_of(shipped("bar_impact", {"run.integrator=nonsmooth_pva", "run.step=1e-3"}));
  EXPECT_EQ(other.integrator, "nonsmooth_pva");
  EXPECT_NE(other.reason.find("asked for"), std::string::npos) << other.reason;
  const RunPlan option_of_it = plan_of(shipped("bar_impact", {"run.options={smooth: soi2}"}));
  EXPECT_EQ(option_of_it.integrator, "event_driven");
  EXPECT_EQ(option(option_of_it, "smooth"), "soi2");
}

TEST(Auto, TakesAnImplicitMethodWhereAStepIsTooLongForExplicitOnes) {
  // 59.6/s: the bushings
  EXPECT_EQ(plan_of(shipped("bushing_mount", {"run.step=0.04"})).integrator, "half_explicit");
  const RunPlan plan = plan_of(shipped("bushing_mount", {"run.step=0.06"}));
  EXPECT_EQ(plan.integrator, "radau_iia");
  EXPECT_NE(plan.reason.find("above 0.05 s"), std::string::npos) << plan.reason;
}

TEST(Auto, TakesMoreStepsForASmallerToleranceWhereNoErrorIsControlled) {
  const auto step = [](const char* tolerance) {
    return plan_of(shipped("mixing_drum", {"N=5", tolerance})).step;
  };
  EXPECT_NEAR(step("run.tolerance=1e-5"), 5.0 / 1e4, 1e-12);
  EXPECT_NEAR(step("run.tolerance=1e-7"), 5.0 / 1e5, 1e-9);
}

TEST(Auto, IsNamedWhereAnOptionDoesNotFitItsChoice) {
  try {
    plan_of(shipped("clearance_slider_crank", {"run.options={positions: projected}"}));
    FAIL() << "the option is unknown";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("positions"), std::string::npos) << message;
    EXPECT_NE(message.find("auto took event_driven"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace picus::testing
