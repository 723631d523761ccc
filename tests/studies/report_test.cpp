// SPDX-License-Identifier: BSD-3-Clause
#include "studies/report.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "picus/base/error.h"
#include "studies/catalog.h"
#include "studies/page.h"

namespace picus::studies {
namespace {

TEST(Check, SaysWhatIsWantedAndWhetherItIs) {
  EXPECT_TRUE(near(-1.1, -1.0, 0.2).holds);
  EXPECT_FALSE(near(1.0, -1.0, 0.2).holds);
  EXPECT_EQ(near(0.0, 4.92e-4, 0.2).wanted, "0.000492 ± 20 %");
  EXPECT_TRUE(within(1.95, 2.0, 0.1).holds);
  EXPECT_EQ(within(1.95, 2.0, 0.1).wanted, "2 ± 0.1");
  EXPECT_FALSE(below(1e-13, 1e-13).holds);
  EXPECT_EQ(below(0.0, 1e-13).wanted, "< 1e-13");
  EXPECT_TRUE(at_least(20.0, 20.0).holds);
}

TEST(Check, NeverHoldsForNaN) {
  const double nan = std::nan("");
  EXPECT_FALSE(near(nan, 1.0, 0.5).holds);
  EXPECT_FALSE(within(nan, 1.0, 0.5).holds);
  EXPECT_FALSE(below(nan, 1.0).holds);
  EXPECT_FALSE(at_least(nan, 1.0).holds);
}

TEST(Report, HoldsOnlyWithClaimsThatAllHold) {
  Report report;
  EXPECT_FALSE(report.holds());
  report.claim("small", below(0.5, 1.0));
  EXPECT_TRUE(report.holds());
  report.claim("smaller", below(0.5, 0.1));
  EXPECT_FALSE(report.holds());
  EXPECT_NE(claims_table(report, false).find("FAIL"), std::string::npos);
}

TEST(Report, AlignsClaimsByLettersNotBytes) {
  Report report;
  report.claim("λλ", below(0.5, 1.0));
  report.claim("ab", below(0.5, 1.0));
  EXPECT_EQ(claims_table(report, false),
            "  λλ          0.5  < 1  ok\n  ab          0.5  < 1  ok\n");
}

TEST(Report, TellsWhatWasLeftOut) {
  Report report;
  report.claim("a", below(0.5, 1.0));
  EXPECT_EQ(summary_json(report, {}).find("notes"), std::string::npos);
  report.note("a run failed");
  EXPECT_EQ(claims_table(report, false), "  a          0.5  < 1  ok\n  note: a run failed\n");
  EXPECT_NE(summary_json(report, {}).find("a run failed"), std::string::npos);
  EXPECT_EQ(page_of(report, {}).notes, std::vector<std::string>{"a run failed"});
}

TEST(Report, WritesTablesWithTwelveDigits) {
  EXPECT_EQ(to_csv({{"h", "error"}, {{0.1, 1.0 / 3.0}}}), "h,error\n0.1,0.333333333333\n");
  EXPECT_EQ(to_csv({{"a, b"}, {}}), "\"a, b\"\n");
}

TEST(StudyCatalog, HasUniqueIdsAndSuggestsThem) {
  std::set<std::string_view> ids;
  for (const StudyEntry& study : study_catalog()) {
    EXPECT_TRUE(ids.insert(study.id).second) << study.id;
    EXPECT_FALSE(study.paper.empty());
    EXPECT_EQ(&find_study(study.id), &study);
  }
  try {
    find_study("soi2-pendulums");
    FAIL() << "an unknown study was found";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'soi2-pendulum'?"), std::string::npos);
  }
}

}  // namespace
}  // namespace picus::studies
