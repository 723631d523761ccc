// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/box_pairs.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"

namespace picus {
namespace {

// Sides over `decades` powers of ten, up to `stretch` times as long as wide, with a few neighbours.
std::vector<Bounds> random_boxes(int count, double decades, double stretch, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<Bounds> boxes(static_cast<std::size_t>(count));
  double volume = 0.0;
  std::vector<Vector3> sides;
  for (int i = 0; i < count; ++i) {
    const double size = std::pow(10.0, -decades * unit(random));
    sides.push_back(size * Vector3(1.0, 1.0, 1.0 + (stretch - 1.0) * unit(random)));
    volume += std::pow(sides.back().maxCoeff(), 3);
  }
  const double room = std::cbrt(0.5 * volume);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    boxes[i].low = room * Vector3(unit(random), unit(random), unit(random));
    boxes[i].high = boxes[i].low + sides[i];
  }
  return boxes;
}

std::vector<BoxPairs::Pair> overlapping(const std::vector<Bounds>& boxes) {
  std::vector<BoxPairs::Pair> pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j)
      if (boxes[i].overlaps(boxes[j])) pairs.emplace_back(static_cast<int>(i), static_cast<int>(j));
  return pairs;
}

TEST(BoxPairs, AreThoseThatBruteForceFinds) {
  const double no_end = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  BoxPairs pairs;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    auto boxes = random_boxes(300, seed % 4, seed % 3 == 0 ? 10.0 : 1.0, seed);
    if (seed % 2 == 0) {
      const Vector3 all = Vector3::Constant(no_end);
      boxes[7] = {-all, {no_end, no_end, boxes[8].low(2)}};
      boxes[9] = {-all, all};
      boxes[11].low(1) = nan;
    }
    pairs.find(boxes);
    const auto expected = overlapping(boxes);
    EXPECT_GT(expected.size(), 10u) << seed;
    EXPECT_EQ(std::vector(pairs.pairs().begin(), pairs.pairs().end()), expected) << seed;
  }
}

TEST(BoxPairs, TakeTimeLinearInTheBoxesHoweverDifferentTheyAre) {
  for (const double decades : {0.0, 1.0, 3.0}) {
    BoxPairs pairs;
    const auto tests_per_box = [&](int count) {
      pairs.find(random_boxes(count, decades, 2.0, 7));
      return static_cast<double>(pairs.tests()) / count;
    };
    const double few = tests_per_box(4000), many = tests_per_box(16000);
    EXPECT_LT(many, 1.5 * few) << decades << " decades of sizes";
  }
}

TEST(BoxPairs, AllocateNothingOnceSizesAreKnown) {
  BoxPairs pairs;
  const auto boxes = random_boxes(500, 1.0, 2.0, 3);
  pairs.find(boxes);
  const long before = testing::allocations();
  pairs.find(boxes);
  EXPECT_EQ(testing::allocations(), before);
}

}  // namespace
}  // namespace picus
