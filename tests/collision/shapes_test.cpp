// SPDX-License-Identifier: BSD-3-Clause
#include "picus/collision/shapes.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "picus/base/error.h"
#include "picus/collision/solid.h"
#include "tests/collision/referee.h"

namespace picus {
namespace {

// Volume, centre and inertia by counting cells of a grid that are inside along many directions.
ShapeMass counted(const testing::RefereeBody& body, int cells) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<Vector3> directions;
  std::vector<double> reaches;
  for (int k = 0; k < 4000; ++k)
    directions.push_back(Vector3(normal(random), normal(random), normal(random)).normalized());
  Vector3 low, high;  // along the axes of the shape
  for (int k = 0; k < 3; ++k) {
    const Vector3 axis = body.shape.axes.col(k);
    high(k) = body.reach(axis);
    low(k) = -body.reach(-axis);
    directions.push_back(axis);
    directions.push_back(-axis);
  }
  // and across every three corners of a polytope
  const std::vector<Vector3>& c = body.corners;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k) {
        const Vector3 n = body.shape.axes * cross(Vector3(c[i] - c[k]), Vector3(c[j] - c[k]));
        directions.push_back(n.normalized());
        directions.push_back(-n.normalized());
      }
  for (const Vector3& n : directions)
    reaches.push_back(body.reach(n));
  const Vector3 h = (high - low) / cells;
  ShapeMass sum;
  Matrix3 second = Matrix3::Zero();
  for (int i = 0; i < cells * cells * cells; ++i) {
    const Vector3 at(i % cells + 0.5, i / cells % cells + 0.5, i / cells / cells + 0.5);
    const Vector3 x = body.shape.axes * (low + h.cwiseProduct(at));
    bool is_inside = true;
    for (std::size_t d = 0; is_inside && d < directions.size(); ++d)
      is_inside = directions[d].dot(x) <= reaches[d];
    if (!is_inside) continue;
    sum.mass += h.prod();
    sum.centre += h.prod() * x;
    second += h.prod() * x * x.transpose();
  }
  sum.centre /= sum.mass;
  second -= sum.mass * sum.centre * sum.centre.transpose();
  sum.inertia = second.trace() * Matrix3::Identity() - second;
  return sum;
}

TEST(Shapes, HaveTheMassOfWhatTheyEnclose) {
  std::mt19937 random(8);
  for (const testing::RefereeBody& body : testing::referee_bodies(1.0, random)) {
    const auto mass = mass_of(body.shape, 2.0);
    if (body.name == "plate" || body.name == "rounded box") {
      EXPECT_FALSE(mass.has_value()) << body.name;
      continue;
    }
    ASSERT_TRUE(mass.has_value()) << body.name;
    // 28 cells a side see a hundredth of the volume, and directions add a little at corners
    const ShapeMass expected = counted(body, 28);
    EXPECT_NEAR(mass->mass, 2.0 * expected.mass, 0.04 * mass->mass) << body.name;
    EXPECT_NEAR((mass->centre - expected.centre).norm(), 0.0, 0.03) << body.name;
    EXPECT_NEAR((mass->inertia - 2.0 * expected.inertia).norm(), 0.0, 0.06 * mass->inertia.norm())
        << body.name;
  }
}

TEST(Shapes, OfTheSameBodyAgreeOnItsMass) {
  const Vector3 size(0.5, 0.3, 0.2);
  std::vector<Vector3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(0.5 * Vector3(i & 1 ? size(0) : -size(0), i & 2 ? size(1) : -size(1),
                                    i & 4 ? size(2) : -size(2)));
  const auto box = *mass_of(ShapeOnBody{shapes::Box{size}}, 3.0);
  const auto hull = *mass_of(ShapeOnBody{shapes::Hull{corners}}, 3.0);
  EXPECT_NEAR(hull.mass, box.mass, 1e-15);
  EXPECT_NEAR((hull.inertia - box.inertia).norm(), 0.0, 1e-15);
  // two halves are a whole
  const Vector3 half(0.25, 0.3, 0.2);
  const Compound halves{{shapes::Box{half}, 0.0, {-0.125, 0, 0}},
                        {shapes::Box{half}, 0.0, {0.125, 0, 0}}};
  const auto both = *mass_of(halves, 3.0);
  EXPECT_NEAR(both.mass, box.mass, 1e-15);
  EXPECT_NEAR(both.centre.norm(), 0.0, 1e-15);
  EXPECT_NEAR((both.inertia - box.inertia).norm(), 0.0, 1e-15);
  // in the plane: a square, and a stadium of no length is a disc
  const auto square = *mass_of(ShapeOnBody{shapes::Polygon{{{0, 0}, {2, 0}, {2, 2}, {0, 2}}}}, 1.0);
  EXPECT_NEAR(square.mass, 4.0, 1e-15);
  EXPECT_NEAR((square.centre - Vector3(1, 1, 0)).norm(), 0.0, 1e-15);
  EXPECT_NEAR(square.inertia(2, 2), 4.0 * (4.0 + 4.0) / 12.0, 1e-14);
  const auto stadium = *mass_of(ShapeOnBody{shapes::Segment{0.0}, 0.5}, 1.0),
             disc = *mass_of(ShapeOnBody{shapes::Disc{0.5}}, 1.0);
  EXPECT_NEAR(stadium.mass, disc.mass, 1e-15);
  EXPECT_NEAR(stadium.inertia(2, 2), disc.inertia(2, 2), 1e-15);
}

TEST(ConvexHulls, HaveTheFacesOfWhatPointsAreOn) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  // a box from a grid of points on and in it, turned, far away, tiny and huge
  for (const double scale : {1e-4, 1.0, 1e3}) {
    const Matrix3 turn = testing::random_pose(random, 0.0).A;
    std::vector<Vector3> points;
    for (int i = 0; i <= 4; ++i)
      for (int j = 0; j <= 3; ++j)
        for (int k = 0; k <= 2; ++k)
          points.push_back(scale * (turn * Vector3(i, j, k) + Vector3(3, 2, 1)));
    const HullFaces hull = convex_hull(points);
    EXPECT_EQ(hull.points.size(), 8u) << scale;
    EXPECT_EQ(hull.faces.size(), 6u) << scale;
    for (const auto& face : hull.faces)
      EXPECT_EQ(face.size(), 4u) << scale;
  }
  // no point of a random cloud is outside of any face, and Euler's sum is two
  for (const int count : {4, 5, 20, 200}) {
    std::vector<Vector3> points;
    for (int k = 0; k < count; ++k)
      points.emplace_back(unit(random), unit(random), unit(random));
    const Solid solid({shapes::Hull{points}});
    for (const Solid::Face& face : solid.faces)
      for (const Vector3& x : points)
        EXPECT_LE(face.normal.dot(x - face.point), 1e-8) << count;
    EXPECT_EQ(solid.vertices.size() + solid.faces.size(), solid.edges.size() + 2) << count;
    for (const Solid::Edge& edge : solid.edges)
      EXPECT_EQ(edge.into_count, 2) << count;
  }
  EXPECT_THROW(convex_hull(std::vector<Vector3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}),
               InputError);
}

TEST(Solids, ReachAsFarAsTheRefereeSays) {
  std::mt19937 random(12);
  for (int round = 0; round < 20; ++round)
    for (const testing::RefereeBody& body : testing::referee_bodies(1.0, random)) {
      const Solid solid(body.shape);
      const PoseInSpace pose = testing::random_pose(random, 2.0);
      const Bounds bounds = solid.bounds(pose);
      for (int k = 0; k < 10; ++k) {
        const Vector3 n = testing::random_pose(random, 1.0).r;
        EXPECT_NEAR(solid.height(n), body.reach(n), 1e-13) << body.name;
        EXPECT_LE(body.reach(n), n.dot(solid.centre) + solid.reach + 1e-13) << body.name;
      }
      for (int k = 0; k < 3; ++k) {
        const Vector3 e = Vector3::Unit(k);
        EXPECT_GE(bounds.high(k) + 1e-13, pose.r(k) + body.reach(pose.A.transpose() * e));
        EXPECT_LE(bounds.low(k) - 1e-13, pose.r(k) - body.reach(-(pose.A.transpose() * e)));
      }
    }
}

TEST(Solids, RefuseWhatHasNoSize) {
  EXPECT_THROW(Solid({shapes::Sphere{0.0}}), InputError);
  EXPECT_THROW(Solid({shapes::Box{{1, -1, 1}}}), InputError);
  EXPECT_THROW(Solid({shapes::Box{{1, 1, 1}}, -0.1}), InputError);
  EXPECT_THROW(Solid({shapes::Polygon{{{0, 0}, {1, 1}, {2, 2}}}}), InputError);
  EXPECT_THROW(Solid({shapes::HeightField{}}), InputError);
}

}  // namespace
}  // namespace picus
