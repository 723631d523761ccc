// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/graph_distance.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace picus {
namespace {

FilledGraph step_at(double when, double height) {
  return {{0.0, when, when, 2.0}, {0.0, 0.0, height, height}};
}

TEST(HausdorffDistance, OfAShiftedJumpIsTheShift) {
  EXPECT_NEAR(hausdorff_distance(step_at(1.0, 3.0), step_at(1.25, 3.0)), 0.25, 1e-11);
  EXPECT_NEAR(hausdorff_distance(step_at(1.0, -3.0), step_at(1.25, -3.0)), 0.25, 1e-11);
}

TEST(HausdorffDistance, OfASmallJumpThatIsFarAwayIsItsHeight) {
  EXPECT_NEAR(hausdorff_distance(step_at(0.5, 0.2), step_at(1.5, 0.2)), 0.2, 1e-11);
}

TEST(HausdorffDistance, OfAConstantOffsetIsTheOffset) {
  EXPECT_NEAR(hausdorff_distance(step_at(1.0, 0.0), {{0.0, 2.0}, {-0.7, -0.7}}), 0.7, 1e-11);
}

TEST(HausdorffDistance, OfAnOvershootIsItsHeight) {
  const FilledGraph spike{{0.0, 1.0, 1.0, 1.0, 2.0}, {0.0, 0.0, 5.0, 0.0, 0.0}};
  EXPECT_NEAR(hausdorff_distance(spike, {{0.0, 2.0}, {0.0, 0.0}}), 5.0, 1e-11);
  EXPECT_NEAR(hausdorff_distance({{0.0, 2.0}, {0.0, 0.0}}, spike), 5.0, 1e-11);
}

// Two ramps of slope s that begin δ apart: a square of half the side r = s δ/(1 + s) just fits.
TEST(HausdorffDistance, OfShiftedRampsIsBetweenShiftAndDifference) {
  for (const double slope : {0.25, 1.0, 8.0}) {
    const auto ramp = [&](double from) {
      return FilledGraph{{0.0, from, from + 1.0, 3.0}, {0.0, 0.0, slope, slope}};
    };
    EXPECT_NEAR(hausdorff_distance(ramp(0.5), ramp(0.6)), 0.1 * slope / (1.0 + slope), 1e-11);
  }
}

TEST(HausdorffDistance, CountsEndsThatDiffer) {
  EXPECT_NEAR(hausdorff_distance({{0.0, 1.0}, {0.0, 0.0}}, {{0.0, 1.5}, {0.0, 0.0}}), 0.5, 1e-11);
}

TEST(HausdorffDistance, OfAGraphToItselfIsZero) {
  const FilledGraph graph = step_at(1.0, 2.0);
  EXPECT_EQ(hausdorff_distance(graph, graph), 0.0);
}

TEST(HausdorffDistance, IsNotANumberWhenAValueIsNone) {
  EXPECT_TRUE(std::isnan(hausdorff_distance(step_at(1.0, std::nan("")), step_at(1.0, 1.0))));
}

// --- brute force ---------------------------------------------------------------------------------

using Random = std::mt19937;

FilledGraph random_graph(Random& random, double rough) {
  std::uniform_real_distribution<double> value(-rough, rough);
  std::uniform_int_distribution<int> samples(2, 12), dice(0, 3);
  FilledGraph graph;
  const int count = samples(random);
  for (int i = 0; i <= count; ++i) {
    const double t = static_cast<double>(i) / count;
    graph.add(t, value(random));
    if (dice(random) == 0) graph.add(t, value(random));  // a jump
    if (dice(random) == 0) graph.add(t, graph.value.back());
  }
  return graph;
}

// Distance of a point from a line by ternary search on a convex function.
double to_line(double t, double x, const FilledGraph& graph, std::size_t i) {
  const auto at = [&](double s) {
    return std::max(std::abs(graph.time[i] + s * (graph.time[i + 1] - graph.time[i]) - t),
                    std::abs(graph.value[i] + s * (graph.value[i + 1] - graph.value[i]) - x));
  };
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 70; ++k) {
    const double third = (high - low) / 3.0;
    if (at(low + third) < at(high - third))
      high -= third;
    else
      low += third;
  }
  return at(0.5 * (low + high));
}

struct Sampled {
  double distance = 0.0;  ///< of the sampled points: at most the true one
  double spacing = 0.0;   ///< of the samples: the true one is at most half of it larger
};

Sampled brute_force(const FilledGraph& a, const FilledGraph& b) {
  constexpr int kPerLine = 16;
  Sampled found;
  for (std::size_t i = 0; i + 1 < a.time.size(); ++i) {
    const double dt = a.time[i + 1] - a.time[i], dx = a.value[i + 1] - a.value[i];
    found.spacing = std::max({found.spacing, dt / kPerLine, std::abs(dx) / kPerLine});
    for (int k = 0; k <= kPerLine; ++k) {
      const double s = static_cast<double>(k) / kPerLine;
      double nearest = 1e300;
      for (std::size_t j = 0; j + 1 < b.time.size(); ++j)
        nearest = std::min(nearest, to_line(a.time[i] + s * dt, a.value[i] + s * dx, b, j));
      found.distance = std::max(found.distance, nearest);
    }
  }
  return found;
}

TEST(HausdorffDistance, AgreesWithBruteForceOnRandomGraphs) {
  constexpr unsigned kGraphSeed = 20;
  Random random(kGraphSeed);
  for (int trial = 0; trial < 30; ++trial) {
    const double rough = std::pow(10.0, -2.0 + 0.14 * trial);  // from flat to nearly vertical
    const FilledGraph a = random_graph(random, rough), b = random_graph(random, rough);
    const Sampled ab = brute_force(a, b), ba = brute_force(b, a);
    const double distance = hausdorff_distance(a, b);
    const double sampled = std::max(ab.distance, ba.distance);
    EXPECT_GE(distance, sampled - 1e-9) << "seed " << kGraphSeed << ", trial " << trial;
    EXPECT_LE(distance, sampled + 0.5 * std::max(ab.spacing, ba.spacing) + 1e-9)
        << "seed " << kGraphSeed << ", trial " << trial;
    EXPECT_NEAR(hausdorff_distance(b, a), distance, 1e-10);
  }
}

// Long graphs with one difference that is known, among many that are smaller.
TEST(HausdorffDistance, FindsOneDifferenceInALongGraph) {
  FilledGraph a, b;
  for (int i = 0; i <= 20000; ++i) {
    const double t = 1e-3 * i, x = i % 2 == 0 ? 1.0 : -1.0;
    a.add(t, x);
    b.add(t, i == 12345 ? -1.0625 : x * 0.999);
  }
  EXPECT_NEAR(hausdorff_distance(a, b), 0.0625, 1e-10);
}

TEST(FilledGraph, FillsItsJumps) {
  const std::vector<double> jumps{0.25, 0.5};
  const FilledGraph graph = filled_graph(jumps, 1.0, 0.1, [](std::size_t piece, double t) {
    return t + 10.0 * static_cast<double>(piece);
  });
  const FilledGraph by_hand{{0.0, 0.25, 0.25, 0.5, 0.5, 1.0}, {0.0, 0.25, 10.25, 10.5, 20.5, 21.0}};
  EXPECT_LT(hausdorff_distance(graph, by_hand), 1e-10);
  for (std::size_t i = 1; i < graph.time.size(); ++i)
    EXPECT_LE(graph.time[i] - graph.time[i - 1], 0.1 + 1e-15);
}

TEST(FilledGraph, EndsBeforeJumpsThatComeLater) {
  const FilledGraph graph =
      filled_graph(std::vector{2.0}, 1.0, 0.5, [](std::size_t, double t) { return t; });
  EXPECT_EQ(graph.time.back(), 1.0);
}

}  // namespace
}  // namespace picus
