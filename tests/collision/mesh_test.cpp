// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "picus/collision/mesh_phase.h"
#include "tests/collision/referee.h"
#include "tests/support/allocation_counter.h"

namespace picus {
namespace {

using namespace shapes;

PoseInSpace placed(double x, double y, double z, const Vector3& turn = Vector3::Zero()) {
  return {{x, y, z}, rotation_matrix(quaternion_of(turn))};
}

// The surface of a box, each side cut into two triangles.
ShapeOnBody box_mesh(const Vector3& size) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.push_back(0.5 * Vector3(i & 1 ? size(0) : -size(0), i & 2 ? size(1) : -size(1),
                                        i & 4 ? size(2) : -size(2)));
  const int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& s : sides) {
    mesh.triangles.push_back({s[0], s[1], s[2]});
    mesh.triangles.push_back({s[0], s[2], s[3]});
  }
  return {mesh};
}

ShapeOnBody flat_field(int cells, double spacing) {
  HeightField field{cells + 1, cells + 1, spacing, spacing, {}};
  field.heights.assign(static_cast<std::size_t>((cells + 1) * (cells + 1)), 0.0);
  return {field, 0.0, {-0.5 * cells * spacing, -0.5 * cells * spacing, 0.0}};
}

double least_gap(const std::vector<FeatureContact>& found) {
  double least = 1e300;
  for (const FeatureContact& c : found)
    least = std::min(least, c.gap);
  return least;
}

TEST(Meshes, OfBoxesAreAsFarAsBoxes) {
  std::mt19937 random(6);
  const Vector3 size(1.2, 0.9, 0.7);
  const SurfaceMesh mesh(box_mesh(size));
  const Solid box({Box{size}});
  EXPECT_EQ(mesh.open_edges(), 0);
  NarrowPhase narrow_phase;
  MeshPhase mesh_phase;
  std::vector<FeatureContact> by_box, by_mesh;
  long compared = 0, different = 0;
  for (int round = 0; round < 20; ++round) {
    const auto bodies = testing::referee_bodies(1.0, random);
    for (const testing::RefereeBody& body : bodies) {
      const Solid solid(body.shape);
      for (int k = 0; k < 10; ++k) {
        const PoseInSpace at_a = testing::random_pose(random, 0.6 * (solid.reach + box.reach)),
                          at_b = testing::random_pose(random, 0.1);
        by_box.clear();
        by_mesh.clear();
        narrow_phase.find(solid, at_a, box, at_b, 0.1, by_box);
        mesh_phase.find(solid, at_a, mesh, at_b, 0.1, by_mesh);
        const double gap = by_box.empty() ? 1.0 : least_gap(by_box);
        // deeper overlaps may find triangles on the far side
        if (gap < -0.02) continue;
        ++compared;
        const double same = by_mesh.empty() ? 1.0 : least_gap(by_mesh);
        if (std::abs(same - gap) > 1e-9) ++different;
        if (gap > 0.0 && gap < 0.1) {
          EXPECT_NEAR(same, gap, 1e-9) << body.name << ", " << round << ", " << k;
        }
      }
    }
  }
  EXPECT_GT(compared, 500);
  EXPECT_LE(different, compared / 50);
}

TEST(Meshes, LetBoxesSlideOverTheEdgesOfAFlatPlace) {
  const SurfaceMesh field(flat_field(20, 0.3));
  MeshPhase mesh_phase;
  std::vector<FeatureContact> found;
  const Solid cube({Box{{1, 1, 1}}}), ball({Sphere{0.5}}), log({Cylinder{0.5, 1.0}});
  for (int k = 0; k < 400; ++k) {
    const double x = 0.0037 * k, y = 0.0021 * k, depth = k % 2 == 0 ? 1e-3 : -1e-6;
    const auto expect_flat = [&](const Solid& solid, double height, std::size_t count,
                                 const Vector3& turn) {
      found.clear();
      mesh_phase.find(solid, placed(x, y, height - depth, turn), field, PoseInSpace{}, 0.05, found);
      EXPECT_EQ(found.size(), count) << k;
      for (const FeatureContact& c : found) {
        EXPECT_NEAR((c.normal - Vector3::UnitZ()).norm(), 0.0, 1e-12) << k;
        EXPECT_NEAR(c.gap, -depth, 1e-12) << k;
      }
    };
    expect_flat(cube, 0.5, 4, {0, 0, 0.01 * k});
    expect_flat(ball, 0.5, 1, {0.1 * k, 0.2, 0});
    expect_flat(log, 0.5, 2, {M_PI / 2, 0, 0});
  }
}

TEST(Meshes, ABallRollsOverARidgeWithoutAJump) {
  // a roof along y: slopes of 30 degrees
  const double slope = std::tan(M_PI / 6), r = 0.25;
  HeightField roof{3, 2, 2.0, 4.0, {-2 * slope, 0, -2 * slope, -2 * slope, 0, -2 * slope}};
  const SurfaceMesh mesh({roof, 0.0, {-2.0, -2.0, 0.0}});
  MeshPhase mesh_phase;
  std::vector<FeatureContact> found;
  const Solid ball({Sphere{r}});
  for (double x = -1.0; x <= 1.0; x += 1e-3) {
    const double height = 0.3;
    found.clear();
    mesh_phase.find(ball, placed(x, 0.1, height), mesh, PoseInSpace{}, 0.8, found);
    // over a slope as far as its plane, over the ridge as far as its edge
    const double foot = std::abs(x) * std::cos(M_PI / 6) - height * std::sin(M_PI / 6);
    const double expected = foot > 0.0
                                ? std::abs(x) * std::sin(M_PI / 6) + height * std::cos(M_PI / 6) - r
                                : std::hypot(x, height) - r;
    ASSERT_FALSE(found.empty()) << x;
    EXPECT_NEAR(least_gap(found), expected, 1e-12) << x;
  }
}

TEST(Meshes, StandOnPlanesAndOnEachOther) {
  const SurfaceMesh cube(box_mesh({1, 1, 1})), slab(box_mesh({4, 4, 1}));
  MeshPhase mesh_phase;
  std::vector<FeatureContact> found;
  mesh_phase.find(Solid({HalfSpace{}}), PoseInSpace{}, cube, placed(0, 0, 0.5), 0.05, found);
  EXPECT_EQ(found.size(), 4u);
  for (const FeatureContact& c : found) {
    EXPECT_NEAR(c.gap, 0.0, 1e-15);
    EXPECT_NEAR((c.normal + Vector3::UnitZ()).norm(), 0.0, 1e-15);  // pushes the plane
  }
  for (const double gap : {-1e-4, 0.0, 1e-4}) {
    found.clear();
    mesh_phase.find(cube, placed(0.2, 0.1, 1.0 + gap, {0, 0, 0.3}), slab, PoseInSpace{}, 0.05,
                    found);
    std::set<std::pair<long, long>> corners;
    for (const FeatureContact& c : found) {
      EXPECT_NEAR(c.gap, gap, 1e-14);
      EXPECT_NEAR((c.normal - Vector3::UnitZ()).norm(), 0.0, 1e-14);
      corners.emplace(std::lround(1e6 * c.point(0)), std::lround(1e6 * c.point(1)));
    }
    EXPECT_EQ(corners.size(), 4u);
  }
}

TEST(Meshes, AllocateNothingOnceSizesAreKnown) {
  const SurfaceMesh field(flat_field(20, 0.3));
  MeshPhase mesh_phase;
  std::vector<FeatureContact> found;
  const Solid cube({Box{{1, 1, 1}}});
  const auto look = [&] {
    found.clear();
    for (int k = 0; k < 20; ++k)
      mesh_phase.find(cube, placed(0.05 * k, 0, 0.5, {0, 0, 0.1 * k}), field, PoseInSpace{}, 0.05,
                      found);
  };
  look();
  const long before = testing::allocations();
  look();
  EXPECT_EQ(testing::allocations(), before);
}

}  // namespace
}  // namespace picus
