// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/progress.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace picus::app {
namespace {

TEST(DurationText, GrowsFromSecondsToDays) {
  EXPECT_EQ(duration_text(0.0), "0.0 s");
  EXPECT_EQ(duration_text(0.44), "0.4 s");
  EXPECT_EQ(duration_text(9.96), "10 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(185.0), "3 min 05 s");
  EXPECT_EQ(duration_text(3599.6), "1 h 00 min");
  EXPECT_EQ(duration_text(7620.0), "2 h 07 min");
  EXPECT_EQ(duration_text(86399.0), "1 d 00 h");
  EXPECT_EQ(duration_text(4 * 86400.0 + 3 * 3600.0), "4 d 03 h");
  EXPECT_EQ(duration_text(-1.0), "?");
  EXPECT_EQ(duration_text(1e300), "?");
}

TEST(ProgressText, SaysWhatTheUserWantsToKnow) {
  const ProgressState state{1.0, 3.0, 1.85, 1e-3, 850, 1785, 12.0};
  EXPECT_EQ(progress_text(state), " 42 %  t 1.85 s  h 0.001 s  2.1 it/step  12 s, 16 s left");
}

TEST(ProgressText, KnowsNothingAboutTheRestAtTheStart) {
  EXPECT_EQ(progress_text({0.0, 2.0, 0.0, 0.0, 0, 0, 0.5}), "  0 %  t 0 s  h 0 s  0.5 s");
}

TEST(ProgressText, SaysAHundredOnlyAtTheEnd) {
  EXPECT_EQ(progress_text({0.0, 1.0, 0.9999, 0.1, 10, 20, 60.0}),
            " 99 %  t 0.9999 s  h 0.1 s  2.0 it/step  1 min 00 s, 0.0 s left");
  EXPECT_EQ(progress_text({0.0, 1.0, 1.0, 0.1, 10, 20, 60.0}),
            "100 %  t 1 s  h 0.1 s  2.0 it/step  1 min 00 s");
}

TEST(ProgressBar, FillsAndFitsTheTerminal) {
  const ProgressState half{0.0, 2.0, 1.0, 0.01, 100, 200, 3.0};
  EXPECT_EQ(progress_bar(half, 200),
            "[##########..........]  50 %  t 1 s  h 0.01 s  2.0 it/step  3.0 s, 3.0 s left");
  EXPECT_EQ(progress_bar(half, 30), "[##########..........]  50 % ");
}

TEST(ProgressStyle, FollowsUserAndTerminal) {
  EXPECT_EQ(progress_style(false, true), ProgressStyle::kRedrawn);
  EXPECT_EQ(progress_style(false, false), ProgressStyle::kLines);
  EXPECT_EQ(progress_style(true, true), ProgressStyle::kQuiet);
}

// A run of ten seconds in steps of 0.01, each of which takes 0.02 on the clock.
std::string output_of(ProgressStyle style) {
  std::string output;
  double clock = 100.0;
  Progress progress(
      0.0, 10.0, style, [&](const std::string& text) { output += text; }, [&] { return clock; });
  for (long step = 1; step <= 1000; ++step) {
    clock += 0.02;
    progress.update(0.01 * static_cast<double>(step), 0.01, step, 2 * step);
  }
  progress.clear();
  return output;
}

TEST(Progress, PrintsALineEveryTenthWithoutATerminal) {
  const std::string output = output_of(ProgressStyle::kLines);
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 9);
  EXPECT_EQ(output.substr(0, output.find('\n')),
            " 20 %  t 2 s  h 0.01 s  2.0 it/step  4.0 s, 16 s left")
      << "nothing in the first two seconds";
  EXPECT_EQ(output.find('\r'), std::string::npos);
}

TEST(Progress, PrintsNoLinesForAShortRun) {
  std::string output;
  double clock = 0.0;
  Progress progress(
      0.0, 1.0, ProgressStyle::kLines, [&](const std::string& text) { output += text; },
      [&] { return clock; });
  for (long step = 1; step <= 100; ++step) {
    clock += 0.019;  // 1.9 s in all
    progress.update(0.01 * static_cast<double>(step), 0.01, step, 2 * step);
  }
  EXPECT_EQ(output, "");
}

TEST(Progress, RedrawsATenthOfASecondApartAndCleansUp) {
  const std::string output = output_of(ProgressStyle::kRedrawn);
  const auto drawn = std::count(output.begin(), output.end(), '\r');
  EXPECT_GT(drawn, 150);  // 20 s on the clock; every fifth or sixth step, by rounding
  EXPECT_LE(drawn, 202);
  EXPECT_EQ(output.find('\n'), std::string::npos);
  EXPECT_EQ(output.substr(output.size() - 4), "\r\033[K");
}

TEST(Progress, IsSilentWhenQuiet) {
  EXPECT_EQ(output_of(ProgressStyle::kQuiet), "");
}

}  // namespace
}  // namespace picus::app
