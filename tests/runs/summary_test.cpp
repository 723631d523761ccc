// SPDX-License-Identifier: BSD-3-Clause
// What a run tells about active sets that came back: in words when there are some, as JSON always.
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

}  // namespace
}  // namespace picus::testing
