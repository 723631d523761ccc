// SPDX-License-Identifier: BSD-3-Clause
// Random placements of all pairs of shapes against a referee that knows shapes by how far they
// reach, and proves what it says (referee.h). 12 000 placements; PICUS_COLLISION_PLACEMENTS=1000000
// asks for more.
#include "tests/collision/referee.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "picus/collision/narrow_phase.h"

namespace picus {
namespace {

using testing::RefereeBody;

long placements() {
  const char* asked = std::getenv("PICUS_COLLISION_PLACEMENTS");
  return asked ? std::atol(asked) : 12000;
}

struct Placement {
  const RefereeBody &a, &b;
  const Solid &solid_a, &solid_b;
  PoseInSpace at_a, at_b;
  double scale;
};

// Calls check for random bodies at random places, near each other.
template <class Check>
void for_each_placement(long count, double scale, unsigned seed, Check&& check) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<RefereeBody> bodies;
  std::vector<Solid> solids;
  for (long k = 0; k < count; ++k) {
    if (k % 200 == 0) {
      bodies = testing::referee_bodies(scale, random);
      solids.clear();
      for (const RefereeBody& body : bodies)
        solids.emplace_back(body.shape);
    }
    const auto pick = [&] { return static_cast<std::size_t>(random() % bodies.size()); };
    const std::size_t i = pick(), j = pick();
    const double reach = solids[i].reach + solids[j].reach;
    check(k, Placement{bodies[i], bodies[j], solids[i], solids[j],
                       testing::random_pose(random, 0.8 * unit(random) * reach),
                       testing::random_pose(random, 0.2 * scale), scale});
  }
}

// The best separation that many directions find; a lower bound of the true one.
double searched(const Placement& p, std::mt19937& random, int rounds) {
  std::normal_distribution<double> normal;
  const auto any = [&] { return Vector3(normal(random), normal(random), normal(random)); };
  double best = -1e300;
  Vector3 at = Vector3::UnitX();
  const auto attempt = [&](const Vector3& along) {
    const Vector3 n = along.normalized();
    const double apart = testing::separation(p.a, p.at_a, p.b, p.at_b, n);
    if (apart > best) {
      best = apart;
      at = n;
    }
  };
  for (int k = 0; k < 60; ++k)
    attempt(any());
  for (double step = 0.3; step > 1e-7; step *= 0.7)
    for (int k = 0; k < rounds; ++k)
      attempt(at + step * any());
  return best;
}

// Depth up to which round bodies find their best normal: beyond a tenth of what fits inside of them
// they may take another one.
bool is_shallow(const Placement& p, double apart) {
  double thickness = p.scale;
  for (const Solid* solid : {&p.solid_a, &p.solid_b})
    if (solid->is_round()) thickness = std::min(thickness, solid->thickness);
  return apart > -0.1 * thickness;
}

TEST(Referee, FindsNoBetterNormalAndNoCloserPoints) {
  std::mt19937 random(17);
  NarrowPhase narrow_phase;
  std::vector<FeatureContact> found;
  const double margin = 0.1;
  long touching = 0, planes = 0, beaten = 0;
  for_each_placement(placements(), 1.0, 1, [&](long k, const Placement& p) {
    found.clear();
    narrow_phase.find(p.solid_a, p.at_a, p.solid_b, p.at_b, margin, found);
    const std::string where = p.a.name + " and " + p.b.name + ", placement " + std::to_string(k);
    if (found.empty()) {
      // a plane must separate them by the margin
      double apart = searched(p, random, 6);
      if (apart < margin - 1e-6) apart = searched(p, random, 200);
      EXPECT_GE(apart, margin - 1e-5) << where;
      return;
    }
    const auto least = std::min_element(found.begin(), found.end(),
                                        [](const auto& c, const auto& d) { return c.gap < d.gap; });
    ++touching;
    if (!is_shallow(p, least->gap)) return;
    // no direction separates them more than the smallest gap says
    const double apart = searched(p, random, 4);
    if (!least->is_exact)
      ++planes;
    else if (apart > least->gap + 1e-7)
      ++beaten;
    // no points of both are closer: those of the contact belong to the bodies
    for (const FeatureContact& c : found) {
      const auto touch = c.pair.touch(p.at_a, p.at_b);
      EXPECT_NEAR(touch.gap, c.gap, 1e-13) << where;
      if (c.gap < 0.0 || !c.is_exact) continue;
      EXPECT_LE(testing::outside(p.a, p.at_a, touch.point_a, -touch.normal), 2e-6) << where;
      EXPECT_LE(testing::outside(p.b, p.at_b, touch.point_b, touch.normal), 2e-6) << where;
    }
  });
  EXPECT_GT(touching, placements() / 2);
  // overlapping round bodies: a plane in place of features, or another of several normals
  EXPECT_LE(planes, 2 + touching / 2000) << touching << " placements touch";
  EXPECT_LE(beaten, 2 + touching / 2000) << touching << " placements touch";
  RecordProperty("touching", static_cast<int>(touching));
  RecordProperty("planes", static_cast<int>(planes));
  RecordProperty("beaten", static_cast<int>(beaten));
}

TEST(Referee, SeesTheSameContactsTurnedRoundWhenBodiesAreListedInTheOtherOrder) {
  NarrowPhase narrow_phase;
  std::vector<FeatureContact> found, turned;
  for_each_placement(placements() / 2, 1.0, 2, [&](long k, const Placement& p) {
    found.clear();
    turned.clear();
    narrow_phase.find(p.solid_a, p.at_a, p.solid_b, p.at_b, 0.1, found);
    narrow_phase.find(p.solid_b, p.at_b, p.solid_a, p.at_a, 0.1, turned);
    ASSERT_EQ(found.size(), turned.size()) << k;
    for (const FeatureContact& c : found) {
      const std::uint64_t id = (c.id << 32) | (c.id >> 32);
      const auto same = std::find_if(turned.begin(), turned.end(), [&](const FeatureContact& d) {
        return d.id == id && d.gap == c.gap && d.point == c.point && d.normal == -c.normal;
      });
      EXPECT_NE(same, turned.end()) << p.a.name << " and " << p.b.name << ", " << k;
    }
  });
}

TEST(Referee, SeesTheSameContactsAtAnyScale) {
  NarrowPhase narrow_phase;
  const long count = placements() / 8;
  std::vector<std::vector<double>> gaps(static_cast<std::size_t>(count));
  for (const double scale : {1.0, 1e-4, 1e-2, 1e3})
    for_each_placement(count, scale, 3, [&](long k, const Placement& p) {
      std::vector<FeatureContact> found;
      narrow_phase.find(p.solid_a, p.at_a, p.solid_b, p.at_b, 0.1 * scale, found);
      for (const FeatureContact& c : found)
        if (!is_shallow(p, c.gap)) return;
      auto& expected = gaps[static_cast<std::size_t>(k)];
      if (scale == 1.0)
        for (const FeatureContact& c : found)
          expected.push_back(c.gap);
      ASSERT_EQ(found.size(), expected.size()) << p.a.name << " and " << p.b.name << ", " << k;
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i].gap / scale, expected[i], 1e-9);
    });
}

TEST(Referee, SeesGapsThatChangeAsTheContactsSay) {
  // gaps now and after a small motion: those of the contacts of before are those found again
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  NarrowPhase narrow_phase;
  std::vector<FeatureContact> found, after;
  long kept = 0, all = 0;
  for_each_placement(placements() / 4, 1.0, 4, [&](long k, const Placement& p) {
    found.clear();
    after.clear();
    narrow_phase.find(p.solid_a, p.at_a, p.solid_b, p.at_b, 0.1, found);
    PoseInSpace moved = p.at_a;
    const auto any = [&] { return Vector3(normal(random), normal(random), normal(random)); };
    moved.r += 1e-7 * any();
    moved.A = moved.A * rotation_matrix(quaternion_of(Vector3(1e-7 * any())));
    narrow_phase.find(p.solid_a, moved, p.solid_b, p.at_b, 0.1, after);
    for (const FeatureContact& c : found) {
      if (!is_shallow(p, c.gap) || !c.is_exact) continue;
      ++all;
      for (const FeatureContact& d : after)
        if (d.id == c.id) {
          ++kept;
          // where edges cross in a face, other points of them do
          if (c.pair.a.point != d.pair.a.point || c.pair.b.point != d.pair.b.point) continue;
          EXPECT_NEAR(c.pair.gap(moved, p.at_b), d.gap, 1e-11) << k;
        }
    }
  });
  EXPECT_GE(kept, all - all / 1000);
}

}  // namespace
}  // namespace picus
