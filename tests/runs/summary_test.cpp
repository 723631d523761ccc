// SPDX-License-Identifier: BSD-3-Clause
// What a run tells about active sets that came back: in words when there are some, as JSON always;
// and what to try after one that failed.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "picus/runs/run.h"

namespace picus::testing {
namespace {

TEST(RunSummary, TellsOfCyclesOfActiveSets) {
  RunOutcome outcome;
  outcome.end.time = 1.0;
  EXPECT_EQ(to_text(outcome).find("cycles"), std::string::npos) << to_text(outcome);
  EXPECT_EQ(details_of(outcome).find("cycles"), std::string::npos) << details_of(outcome);
  EXPECT_EQ(nlohmann::json::parse(to_json(outcome, {}))["active_set_cycles"], 0);
  outcome.summary.cycles = 3;
  EXPECT_NE(to_text(outcome).find("3 cycles of active sets"), std::string::npos);
  EXPECT_NE(details_of(outcome).find("cycles of active sets: 3"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(to_json(outcome, {}))["active_set_cycles"], 3);
}

// A message about contacts has said what to try; a smaller step is no second remedy.
TEST(RunSummary, AdvisesWhatHelps) {
  RunOutcome outcome;
  RunPlan plan;
  plan.adaptive = false;
  plan.step = 1e-3;
  EXPECT_EQ(advice_of(outcome, plan), "");
  outcome.summary.ending = Summary::Ending::kStepFailed;
  outcome.summary.status = StepReport::Status::kNotConverged;
  EXPECT_NE(advice_of(outcome, plan).find("--step 0.0001"), std::string::npos);
  for (const auto status : {StepReport::Status::kNoImpulses, StepReport::Status::kAccumulation}) {
    outcome.summary.status = status;
    EXPECT_EQ(advice_of(outcome, plan), "");
  }
}

// Time simulated, steps, accuracy, audit: what a user reads of every run.
TEST(RunSummary, IsOneLineForUsers) {
  RunOutcome outcome;
  outcome.end.time = 3.0;
  outcome.steps.total = 2.0;  // from t = 1 s on
  outcome.summary.accepted = 1;
  outcome.audit.text = "audit: off";
  EXPECT_EQ(headline_of(outcome), "simulated 2 s in 1 step, audit: off");
  outcome.summary.accepted = 40;
  outcome.impacts = 1;
  outcome.tolerance = 1e-6;
  outcome.energy_drift = 2.34e-7;
  outcome.audit.text = "audit: amber, t = 1: pin opens by 1 m/s or rad/s (2 times its bound)";
  EXPECT_EQ(headline_of(outcome),
            "simulated 2 s in 40 steps, 1 impact, tolerance 1e-06, energy drift 2e-07, "
            "audit: amber");
  outcome.summary.ending = Summary::Ending::kStepFailed;
  EXPECT_EQ(headline_of(outcome).find("step failed at t = 3 s in 40 steps, "), 0u);
}

}  // namespace
}  // namespace picus::testing
