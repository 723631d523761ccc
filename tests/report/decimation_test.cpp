// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/decimation.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace picus::report {
namespace {

std::vector<double> regular_times(long count) {
  std::vector<double> times;
  for (long i = 0; i < count; ++i)
    times.push_back(1e-3 * static_cast<double>(i));
  return times;
}

bool has(const std::vector<long>& kept, long sample) {
  return std::binary_search(kept.begin(), kept.end(), sample);
}

TEST(Decimation, KeepsAllWhenThereIsRoom) {
  EXPECT_EQ(kept_samples(regular_times(5), {}, 5), (std::vector<long>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(kept_samples({}, {}, 5).empty());
}

TEST(Decimation, KeepsTheEndsAndTheSamplesAroundMoments) {
  const std::vector<long> kept = kept_samples(regular_times(100000), {12.3455}, 1000);
  EXPECT_LE(kept.size(), 1000u);
  EXPECT_GE(kept.size(), 900u);
  EXPECT_EQ(kept.front(), 0);
  EXPECT_EQ(kept.back(), 99999);
  for (const long sample : {12344, 12345, 12346, 12347})
    EXPECT_TRUE(has(kept, sample)) << sample;
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
}

TEST(Decimation, GivesHalfOfTheRoomToMomentsAtMost) {
  std::vector<double> moments;
  for (int i = 0; i < 50000; ++i)
    moments.push_back(1e-3 * i);
  const std::vector<long> kept = kept_samples(regular_times(100000), moments, 1000);
  EXPECT_LE(kept.size(), 1000u);
  EXPECT_EQ(kept.back(), 99999);
}

TEST(Envelope, KeepsExtremesInTheirOrder) {
  const std::vector<long> kept{0, 5, 6};
  Envelope envelope(kept);
  for (const double value : {10.0, 11.0, 17.0, 4.0, 9.0, 10.0, 12.0})
    envelope.add(value);
  EXPECT_EQ(envelope.offset(), 10.0);
  EXPECT_EQ(envelope.values(), (std::vector<float>{0.0F, 0.0F, 2.0F}));
  // 17 comes before 4; between 5 and 6 there is nothing, so the ends are repeated
  EXPECT_EQ(envelope.extremes(), (std::vector<float>{7.0F, -6.0F, 0.0F, 2.0F}));
}

TEST(Envelope, LosesNoPeakOfALongSignal) {
  const long count = 200000, peak = 123457;
  const std::vector<long> kept = kept_samples(regular_times(count), {}, 500);
  Envelope envelope(kept);
  for (long i = 0; i < count; ++i)
    envelope.add(i == peak ? 42.0 : std::sin(1e-4 * static_cast<double>(i)));
  EXPECT_FLOAT_EQ(*std::max_element(envelope.extremes().begin(), envelope.extremes().end()), 42.0F);
  EXPECT_EQ(envelope.values().size(), kept.size());
  EXPECT_EQ(envelope.extremes().size(), 2 * (kept.size() - 1));
}

}  // namespace
}  // namespace picus::report
