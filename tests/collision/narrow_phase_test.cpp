// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/narrow_phase.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "picus/collision/follow_contacts.h"
#include "tests/support/allocation_counter.h"

namespace picus {
namespace {

using namespace shapes;

PoseInSpace pose_at(double x, double y, double z, const Vector3& turn = Vector3::Zero()) {
  return {{x, y, z}, rotation_matrix(quaternion_of(turn))};
}

std::vector<FeatureContact> contacts_of(const ShapeOnBody& a, const PoseInSpace& at_a,
                                        const ShapeOnBody& b, const PoseInSpace& at_b,
                                        double margin) {
  NarrowPhase narrow_phase;
  std::vector<FeatureContact> found;
  narrow_phase.find(Solid(a), at_a, Solid(b), at_b, margin, found);
  return found;
}

// Horizontal places, rounded, so that sets of them compare.
std::set<std::pair<double, double>> places(const std::vector<FeatureContact>& contacts) {
  std::set<std::pair<double, double>> result;
  const auto rounded = [](double x) { return std::round(1e6 * x) / 1e6 + 0.0; };
  for (const FeatureContact& c : contacts)
    result.emplace(rounded(c.point(0)), rounded(c.point(1)));
  return result;
}

std::set<std::uint64_t> ids(const std::vector<FeatureContact>& contacts) {
  std::set<std::uint64_t> result;
  for (const FeatureContact& c : contacts)
    result.insert(c.id);
  return result;
}

const ShapeOnBody kCube{Box{{1, 1, 1}}}, kSlab{Box{{4, 4, 1}}}, kGround{HalfSpace{}};

TEST(NarrowPhase, FaceOnFaceHasTheCornersOfTheirOverlap) {
  const double a = 0.5 * (std::sqrt(2.0) - 1.0);
  struct Case {
    ShapeOnBody lower;
    PoseInSpace upper_at;
    std::set<std::pair<double, double>> corners;
  };
  const auto r = [](double x) { return std::round(1e6 * x) / 1e6; };
  const std::vector<Case> cases{
      {kGround, pose_at(0, 0, 1), {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}},
      {kSlab, pose_at(0, 0, 1), {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}},
      {kCube, pose_at(0, 0, 1), {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}},
      {kCube, pose_at(0.3, 0.2, 1), {{-0.2, -0.3}, {0.5, -0.3}, {0.5, 0.5}, {-0.2, 0.5}}},
      {kCube,
       pose_at(0, 0, 1, {0, 0, M_PI / 4}),
       {{r(a), 0.5},
        {-r(a), 0.5},
        {r(a), -0.5},
        {-r(a), -0.5},
        {0.5, r(a)},
        {0.5, -r(a)},
        {-0.5, r(a)},
        {-0.5, -r(a)}}}};
  for (const Case& c : cases)
    for (const double gap : {-1e-3, -1e-12, 0.0, 1e-12, 1e-6, 1e-3, 0.09}) {
      PoseInSpace at = c.upper_at;
      at.r(2) += gap - (std::holds_alternative<HalfSpace>(c.lower.geometry) ? 0.5 : 0.0);
      const auto found = contacts_of(kCube, at, c.lower, pose_at(0, 0, 0), 0.1);
      EXPECT_EQ(places(found), c.corners) << gap;
      for (const FeatureContact& contact : found) {
        EXPECT_NEAR(contact.gap, gap, 1e-15);
        EXPECT_NEAR((contact.normal - Vector3::UnitZ()).norm(), 0.0, 1e-15);
        EXPECT_TRUE(contact.is_exact);
      }
    }
}

TEST(NarrowPhase, ABoxAtRestKeepsItsFourPointsWhileItTrembles) {
  NarrowPhase narrow_phase;
  const Solid cube(kCube), slab(kSlab), ground(kGround);
  for (const Solid* below : {&slab, &ground, &cube}) {
    std::set<std::uint64_t> first;
    for (const double size : {1e-14, 1e-12, 1e-10, 1e-8, 1e-7})
      for (int k = 0; k < 50; ++k) {
        const Vector3 turn =
            size * Vector3(std::sin(3.0 * k), std::cos(5.0 * k), std::sin(7.0 * k));
        const double height = below == &ground ? 0.5 : 1.0;
        std::vector<FeatureContact> found;
        narrow_phase.find(cube,
                          pose_at(size * std::cos(k), size * std::sin(k),
                                  height + size * std::cos(2.0 * k), turn),
                          *below, pose_at(0, 0, 0), 0.05, found);
        if (first.empty()) first = ids(found);
        EXPECT_EQ(found.size(), 4u);
        EXPECT_EQ(ids(found), first) << size;
        for (const FeatureContact& c : found)
          EXPECT_NEAR(c.gap, 0.0, 3.0 * size);
      }
  }
}

TEST(NarrowPhase, TiltedFacesHaveTheGapsOfTheirCorners) {
  for (const double tilt : {1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2}) {
    // about the x axis through the middle: two corners below, two above
    const auto found =
        contacts_of(kCube, pose_at(0, 0, 1, {tilt, 0, 0}), kSlab, pose_at(0, 0, 0), 0.1);
    ASSERT_EQ(found.size(), 4u) << tilt;
    int below = 0;
    for (const FeatureContact& c : found) {
      const double y = c.pair.a.point(1), drop = 0.5 - 0.5 * std::cos(tilt);
      EXPECT_NEAR(c.gap, y * std::sin(tilt) + drop, 1e-15) << tilt;
      below += c.gap < 0.0 ? 1 : 0;
    }
    EXPECT_EQ(below, 2) << tilt;
  }
}

TEST(NarrowPhase, EdgesCross) {
  for (const double gap : {-1e-3, 0.0, 1e-9, 1e-3}) {
    const auto found = contacts_of(kCube, pose_at(0.1, 0.2, std::sqrt(2.0) + gap, {M_PI / 4, 0, 0}),
                                   kCube, pose_at(0, 0, 0, {0, M_PI / 4, 0}), 0.05);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].pair.a.kind, FeatureKind::kEdge);
    EXPECT_EQ(found[0].pair.b.kind, FeatureKind::kEdge);
    EXPECT_NEAR(found[0].gap, gap, 1e-15);
    EXPECT_NEAR((found[0].point - Vector3(0.0, 0.2, std::sqrt(0.5) + 0.5 * gap)).norm(), 0, 1e-14);
  }
  // side by side: two ends carry
  const auto parallel = contacts_of(kCube, pose_at(0.2, 0, std::sqrt(2.0) + 1e-3, {M_PI / 4, 0, 0}),
                                    kCube, pose_at(0, 0, 0, {M_PI / 4, 0, 0}), 0.05);
  ASSERT_EQ(parallel.size(), 2u);
  for (const FeatureContact& c : parallel)
    EXPECT_NEAR(c.gap, 1e-3, 1e-14);
  EXPECT_EQ(places(parallel), (std::set<std::pair<double, double>>{{-0.3, 0.0}, {0.5, 0.0}}));
}

TEST(NarrowPhase, CornersNearCornersAreAsFarAsTheyAre) {
  const Vector3 up = Vector3(0.3, 0.4, 0.5);
  const auto corner = contacts_of(kCube, pose_at(1.03, 1.04, 1.05), kCube, pose_at(0, 0, 0), 0.1);
  ASSERT_EQ(corner.size(), 1u);
  EXPECT_NEAR(corner[0].gap, 0.1 * up.norm(), 1e-15);
  EXPECT_NEAR((corner[0].normal - up.normalized()).norm(), 0.0, 1e-14);
  const auto edge = contacts_of(kCube, pose_at(1.03, 0.25, 1.04), kCube, pose_at(0, 0, 0), 0.1);
  ASSERT_EQ(edge.size(), 2u);
  for (const FeatureContact& c : edge)
    EXPECT_NEAR(c.gap, 0.05, 1e-15);
  EXPECT_TRUE(contacts_of(kCube, pose_at(1.09, 1.09, 1.09), kCube, pose_at(0, 0, 0), 0.1).empty());
}

TEST(NarrowPhase, ACylinderRollsOnTwoPointsThatStay) {
  const ShapeOnBody roller{Cylinder{0.5, 2.0}};
  std::set<std::uint64_t> first;
  for (int k = 0; k < 200; ++k) {
    const Matrix3 lying = rotation_matrix(quaternion_of(Vector3(M_PI / 2, 0, 0)));
    const auto turned = [](double x, double y, double z) {
      return rotation_matrix(quaternion_of(Vector3(x, y, z)));
    };
    const PoseInSpace at{{0.1 * k, 0, 0.5 + 1e-9 * std::sin(k)},
                         turned(0, 0, 1e-7 * k) * turned(0, 0.2 * k, 0) * lying};
    for (const ShapeOnBody* below : {&kGround, &kSlab}) {
      const PoseInSpace under = pose_at(0.1 * k, 0, below == &kGround ? 0.0 : -0.5);
      const auto found = contacts_of(roller, at, *below, under, 0.05);
      ASSERT_EQ(found.size(), 2u) << k;
      if (below == &kGround) {
        if (first.empty()) first = ids(found);
        EXPECT_EQ(ids(found), first);
      }
      for (const FeatureContact& c : found) {
        EXPECT_EQ(c.pair.a.kind, FeatureKind::kRim);
        EXPECT_NEAR(c.gap, 1e-9 * std::sin(k), 1e-14);
        EXPECT_NEAR(std::abs(c.point(1)), 1.0, 1e-4);
      }
    }
  }
}

TEST(NarrowPhase, WhatStandsOnARoundEndStandsOnFourPoints) {
  const ShapeOnBody drum{Cylinder{0.5, 1.0}}, cone{Cone{0.5, 1.0}};
  EXPECT_EQ(contacts_of(drum, pose_at(0, 0, 0.5), kGround, pose_at(0, 0, 0), 0.01).size(), 4u);
  EXPECT_EQ(contacts_of(drum, pose_at(0, 0, 1.0), kSlab, pose_at(0, 0, 0), 0.01).size(), 4u);
  EXPECT_EQ(contacts_of(drum, pose_at(0, 0, 1.0), drum, pose_at(0, 0, 0), 0.01).size(), 4u);
  EXPECT_EQ(contacts_of(cone, pose_at(0, 0, 0.25), kGround, pose_at(0, 0, 0), 0.01).size(), 4u);
  // tipped, the lowest point of the rim is another one, exactly
  for (const double tilt : {1e-6, 1e-3, 0.1}) {
    const Vector3 turn = tilt * Vector3(std::cos(0.7), std::sin(0.7), 0.0);
    const auto found =
        contacts_of(drum, pose_at(0, 0, 0.5 * (std::cos(tilt) + std::sin(tilt)), turn), kGround,
                    pose_at(0, 0, 0), 0.01);
    double least = 1.0;
    for (const FeatureContact& c : found)
      least = std::min(least, c.gap);
    EXPECT_NEAR(least, 0.0, 1e-15) << tilt;
  }
}

TEST(NarrowPhase, RoundShapesHaveTheirClosedForms) {
  const ShapeOnBody ball{Sphere{0.5}}, capsule{Capsule{0.3, 2.0}}, log{Cylinder{0.5, 2.0}},
      egg{Ellipsoid{{1.0, 0.6, 0.4}}};
  const auto lying = [](double x, double y, double z) {
    return pose_at(x, y, z, {M_PI / 2, 0, 0});
  };
  const auto least = [](const std::vector<FeatureContact>& found) {
    double gap = 1e9;
    for (const FeatureContact& c : found)
      gap = std::min(gap, c.gap);
    return gap;
  };
  for (const double gap : {-1e-3, 0.0, 1e-9, 0.02}) {
    EXPECT_NEAR(least(contacts_of(ball, pose_at(0, 0.6, 0.8 + gap), ball, pose_at(0, 0, 0), 0.1)),
                std::hypot(0.6, 0.8 + gap) - 1.0, 1e-14);
    EXPECT_NEAR(
        least(contacts_of(ball, pose_at(0.3, 0.2, 1.0 + gap), kCube, pose_at(0, 0, 0), 0.1)), gap,
        1e-14);
    const auto side_by_side =
        contacts_of(capsule, lying(0, 0.5, 0.6 + gap), capsule, lying(0, 0, 0), 0.1);
    EXPECT_EQ(side_by_side.size(), 2u);
    EXPECT_NEAR(least(side_by_side), gap, 1e-14);
    const auto logs = contacts_of(log, lying(0, 0.5, 1.0 + gap), log, lying(0, 0, 0), 0.1);
    EXPECT_EQ(logs.size(), 2u);
    EXPECT_NEAR(least(logs), gap, 1e-14);
    const auto crossed =
        contacts_of(log, lying(0, 0, 1.0 + gap), log, pose_at(0, 0, 0, {0, M_PI / 2, 0}), 0.1);
    EXPECT_EQ(crossed.size(), 1u);
    EXPECT_NEAR(least(crossed), gap, 1e-14);
    const auto eggs = contacts_of(egg, pose_at(0, 0, 0.8 + gap), egg, pose_at(0, 0, 0), 0.1);
    EXPECT_EQ(eggs.size(), 1u);
    EXPECT_NEAR(least(eggs), gap, 1e-14);
    const auto tips = contacts_of(egg, pose_at(2.0 + gap, 0, 0), egg, pose_at(0, 0, 0), 0.1);
    EXPECT_NEAR(least(tips), gap, 1e-14);
    EXPECT_NEAR(least(contacts_of(egg, pose_at(0, 0, 0.9 + gap), log, lying(0, 0, 0), 0.1)), gap,
                1e-14);
  }
}

TEST(NarrowPhase, WorksInThePlane) {
  const ShapeOnBody square{Polygon{{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}}},
      disc{Disc{0.5}}, rod{Segment{2.0}, 0.1};
  const auto stacked = contacts_of(square, pose_at(0.2, 1.001, 0), square, pose_at(0, 0, 0), 0.1);
  EXPECT_EQ(places(stacked), (std::set<std::pair<double, double>>{{-0.3, 0.5005}, {0.5, 0.5005}}));
  const auto rolling = contacts_of(disc, pose_at(0.2, 1.0, 0), square, pose_at(0, 0, 0), 0.1);
  ASSERT_EQ(rolling.size(), 1u);
  EXPECT_NEAR(rolling[0].gap, 0.0, 1e-15);
  const auto at_corner = contacts_of(disc, pose_at(0.8, 0.9, 0), square, pose_at(0, 0, 0), 0.1);
  ASSERT_EQ(at_corner.size(), 1u);
  EXPECT_NEAR(at_corner[0].gap, 0.0, 1e-15);
  EXPECT_NEAR((at_corner[0].normal - Vector3(0.6, 0.8, 0.0)).norm(), 0.0, 1e-15);
  EXPECT_EQ(contacts_of(rod, pose_at(0, 0.6, 0), square, pose_at(0, 0, 0), 0.1).size(), 2u);
  for (const FeatureContact& c :
       contacts_of(square, pose_at(0.9, 0.9, 0, {0, 0, 0.3}), square, pose_at(0, 0, 0), 0.3))
    EXPECT_EQ(c.normal(2), 0.0);
}

TEST(NarrowPhase, FlushCornersAreFollowedWhileTheyChangeTheirFeatures) {
  NarrowPhase narrow_phase;
  const Solid cube(kCube);
  std::vector<FeatureContact> before, after;
  std::vector<int> came_from;
  std::set<std::uint64_t> seen;
  for (int k = 0; k <= 200; ++k) {
    // drifting, and turning back and forth
    const double s = 1e-7 * k, turn = 3e-7 * std::sin(0.1 * k);
    after.clear();
    narrow_phase.find(cube, pose_at(s, 0.5 * s, 1.0, {0, 0, turn}), cube, pose_at(0, 0, 0), 0.05,
                      after);
    ASSERT_GE(after.size(), 4u) << k;
    if (k > 0) {
      follow_contacts(before, after, 1e-5, came_from);
      std::set<int> taken;
      for (std::size_t i = 0; i < after.size(); ++i)
        if (came_from[i] >= 0) {
          EXPECT_TRUE(taken.insert(came_from[i]).second) << k;
        }
      EXPECT_GE(taken.size(), 4u) << k;
    }
    for (const FeatureContact& c : after)
      seen.insert(c.id);
    before = after;
  }
  EXPECT_GT(seen.size(), 4u);  // or nothing was there to follow
}

TEST(NarrowPhase, AllocatesNothingOnceSizesAreKnown) {
  NarrowPhase narrow_phase;
  const Solid cube(kCube), slab(kSlab), log({Cylinder{0.5, 2.0}}),
      egg({Ellipsoid{{1.0, 0.6, 0.4}}});
  std::vector<FeatureContact> found;
  const auto look = [&] {
    found.clear();
    for (const Solid* a : {&cube, &log, &egg})
      for (const Solid* b : {&slab, &cube, &log, &egg})
        for (int k = 0; k < 10; ++k)
          narrow_phase.find(*a, pose_at(0.1 * k, 0.05 * k, 0.9, {0.1 * k, 0, 0}), *b,
                            pose_at(0, 0, 0), 0.1, found);
  };
  look();
  const long before = testing::allocations();
  look();
  EXPECT_EQ(testing::allocations(), before);
}

}  // namespace
}  // namespace picus
