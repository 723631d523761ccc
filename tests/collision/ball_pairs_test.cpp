// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/ball_pairs.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"

namespace picus {
namespace {

struct Balls {
  std::vector<Vector3> centres;
  std::vector<double> radii;
};

// Radii over `decades` powers of ten, in a box that gives each ball a few neighbours.
Balls random_balls(int count, bool is_flat, double decades, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Balls balls;
  double volume = 0.0;
  for (int i = 0; i < count; ++i) {
    balls.radii.push_back(std::pow(10.0, -decades * unit(random)));
    volume += std::pow(2.0 * balls.radii.back(), is_flat ? 2 : 3);
  }
  const double side = std::pow(2.0 * volume, is_flat ? 1.0 / 2.0 : 1.0 / 3.0);
  for (int i = 0; i < count; ++i)
    balls.centres.emplace_back(side * unit(random), side * unit(random),
                               is_flat ? 0.3 : side * unit(random));
  return balls;
}

std::vector<BallPairs::Pair> brute_force(const Balls& balls) {
  std::vector<BallPairs::Pair> pairs;
  const auto count = static_cast<int>(balls.radii.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      const double reach = balls.radii[a] + balls.radii[b];
      if ((balls.centres[a] - balls.centres[b]).squaredNorm() <= reach * reach)
        pairs.emplace_back(i, j);
    }
  return pairs;
}

TEST(BallPairs, AreThoseThatBruteForceFinds) {
  BallPairs pairs;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    const bool is_flat = seed % 2 == 0;
    const double decades = seed % 3;
    const Balls balls = random_balls(300, is_flat, decades, seed);
    pairs.find(balls.centres, balls.radii);
    const auto expected = brute_force(balls);
    EXPECT_GT(expected.size(), 50u) << "seed " << seed;
    EXPECT_EQ(std::vector(pairs.pairs().begin(), pairs.pairs().end()), expected) << "seed " << seed;
  }
}

TEST(BallPairs, TakeTimeLinearInTheBallsHoweverDifferentTheyAre) {
  for (const double decades : {0.0, 1.0, 3.0}) {
    BallPairs pairs;
    const auto tests_per_ball = [&](int count) {
      const Balls balls = random_balls(count, false, decades, 7);
      pairs.find(balls.centres, balls.radii);
      return static_cast<double>(pairs.tests()) / count;
    };
    const double few = tests_per_ball(1000), many = tests_per_ball(16000);
    EXPECT_LT(many, 1.5 * few) << decades << " decades of radii";
  }
}

TEST(BallPairs, MayBeFarOutOrNowhere) {
  BallPairs pairs;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Vector3> centres{{0, 0, 0},     {1.5, 0, 0},  {nan, 0, 0},
                                     {1e300, 0, 0}, {1e12, 0, 0}, {1e12, 1.5, 0}};
  const std::vector<double> radii{1, 1, 1, 1, 1, 1};
  pairs.find(centres, radii);
  const std::vector<BallPairs::Pair> expected{{0, 1}, {4, 5}};
  EXPECT_EQ(std::vector(pairs.pairs().begin(), pairs.pairs().end()), expected);
  pairs.find({}, {});
  EXPECT_TRUE(pairs.pairs().empty());
}

TEST(BallPairs, AllocateNothingOnceSizesAreKnown) {
  BallPairs pairs;
  const Balls balls = random_balls(500, false, 1.0, 3);
  pairs.find(balls.centres, balls.radii);
  const long before = testing::allocations();
  pairs.find(balls.centres, balls.radii);
  EXPECT_EQ(testing::allocations(), before);
}

}  // namespace
}  // namespace picus
