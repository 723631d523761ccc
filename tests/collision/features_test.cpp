// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "picus/collision/feature_pair.h"
#include "picus/elements/pose.h"

namespace picus {
namespace {

using D12 = Dual<12>;

struct NamedPair {
  std::string name;
  FeaturePair pair;
};

Vector3 random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

Feature random_feature(FeatureKind kind, std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.3, 1.0);
  const Vector3 point = 0.3 * random_vector(random), axis = random_vector(random).normalized();
  const double rounding = size(random) < 0.6 ? 0.0 : 0.2 * size(random);
  switch (kind) {
    case FeatureKind::kVertex:
      return Feature::vertex(point, rounding);
    case FeatureKind::kEdge:
      return Feature::edge(point, axis, rounding);
    case FeatureKind::kCone:
      return Feature::cone(point, axis, 0.5 * size(random), rounding);
    case FeatureKind::kFace:
      return Feature::face(point, axis, rounding);
    case FeatureKind::kRim:
      return Feature::rim(point, axis, size(random), rounding);
    case FeatureKind::kEllipsoid:
      break;
  }
  return Feature::ellipsoid(point, frame_along(axis), {size(random), size(random), size(random)},
                            rounding);
}

bool has_gap(FeatureKind a, FeatureKind b) {
  const auto is_flat = [](FeatureKind kind) {
    return kind == FeatureKind::kEdge || kind == FeatureKind::kCone || kind == FeatureKind::kFace;
  };
  return !(a == FeatureKind::kFace && is_flat(b)) && !(b == FeatureKind::kFace && is_flat(a));
}

Pose<double> random_pose_at(const Vector3& r, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Quaternion p(normal(random), normal(random), normal(random), normal(random));
  Pose<double> pose;
  pose.r = r;
  pose.A = rotation_matrix(p / p.norm());
  return pose;
}

// A pose that has moved by a twist: translation in space, rotation in its own frame.
Pose<double> moved(const Pose<double>& pose, const Vector6& twist, double by) {
  Pose<double> result = pose;
  result.r += by * twist.head<3>();
  result.A = pose.A * rotation_matrix(quaternion_of(Vector3(by * twist.tail<3>())));
  return result;
}

// Calls check(name, pair, pose of A, pose of B) for all kinds of pairs, some of each.
template <class Check>
void for_each_pair(int count, Check&& check) {
  std::mt19937 random(3);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const auto a = static_cast<FeatureKind>(i), b = static_cast<FeatureKind>(j);
      if (!has_gap(a, b)) continue;
      for (int k = 0; k < count;) {
        const Vector3 up = random_vector(random).normalized();
        const Pose<double> at_a = random_pose_at(3.0 * up, random),
                           at_b = random_pose_at(Vector3::Zero(), random);
        FeaturePair pair{random_feature(a, random), random_feature(b, random),
                         at_b.A.transpose() * up};
        // cones need an axis that leaves them a normal
        const auto touch = pair.touch(at_a, at_b);
        if (!std::isfinite(touch.gap)) continue;
        // what is over the middle of a rim does not face it
        if ((touch.point_a - touch.point_b - touch.gap * touch.normal).norm() > 1e-9) continue;
        pair.settle(at_a, at_b);
        ++k;
        check("kinds " + std::to_string(i) + " and " + std::to_string(j) + ", case " +
                  std::to_string(k),
              pair, at_a, at_b);
      }
    }
}

TEST(FeaturePairs, HaveGapsWhoseDerivativesAreExact) {
  for_each_pair(6, [](const std::string& name, const FeaturePair& pair, const Pose<double>& at_a,
                      const Pose<double>& at_b) {
    const auto touch = pair.touch(perturbed<12>(at_a, 0), perturbed<12>(at_b, 6));
    EXPECT_NEAR(touch.gap.value, pair.gap(at_a, at_b), 1e-13) << name;
    const double h = 1e-5;
    for (int k = 0; k < 12; ++k) {
      Vector6 twist = Vector6::Zero();
      twist(k % 6) = 1.0;
      const auto at = [&](double by) {
        return k < 6 ? pair.touch(moved(at_a, twist, by), at_b)
                     : pair.touch(at_a, moved(at_b, twist, by));
      };
      const auto plus = at(h), minus = at(-h);
      EXPECT_NEAR(touch.gap.d(k), (plus.gap - minus.gap) / (2.0 * h), 1e-7) << name << ", " << k;
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(touch.normal(c).d(k), (plus.normal(c) - minus.normal(c)) / (2.0 * h), 2e-6)
            << name << ", normal " << k;
        const double slope = (plus.point_a(c) - minus.point_a(c)) / (2.0 * h);
        EXPECT_NEAR(touch.point_a(c).d(k), slope, 2e-6 * (1.0 + std::abs(slope))) << name;
      }
    }
  });
}

TEST(FeaturePairs, GapsGrowAsTheirPointsMoveAlongTheNormal) {
  for_each_pair(6, [](const std::string& name, const FeaturePair& pair, const Pose<double>& at_a,
                      const Pose<double>& at_b) {
    const auto gap = pair.gap(perturbed<12>(at_a, 0), perturbed<12>(at_b, 6));
    const auto touch = pair.touch(at_a, at_b);
    const auto expect_row = [&](int first, double sign, const Pose<double>& pose,
                                const Vector3& point) {
      const Vector3 turn = pose.A.transpose() * cross(Vector3(point - pose.r), touch.normal);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(gap.d(first + k), sign * touch.normal(k), 1e-12) << name;
        EXPECT_NEAR(gap.d(first + 3 + k), sign * turn(k), 1e-11) << name;
      }
    };
    expect_row(0, 1.0, at_a, touch.point_a);
    expect_row(6, -1.0, at_b, touch.point_b);
    EXPECT_NEAR(touch.normal.norm(), 1.0, 1e-14) << name;
    EXPECT_NEAR((touch.point_a - touch.point_b - touch.gap * touch.normal).norm(), 0.0, 1e-12)
        << name;
  });
}

TEST(FeaturePairs, HaveExactSecondDerivatives) {
  std::mt19937 random(9);
  for_each_pair(3, [&](const std::string& name, const FeaturePair& pair, const Pose<double>& at_a,
                       const Pose<double>& at_b) {
    Vector6 u, w;
    for (int k = 0; k < 2; ++k) {
      u.segment<3>(3 * k) = random_vector(random);
      w.segment<3>(3 * k) = random_vector(random);
    }
    const auto gap = pair.gap(moving(moving(at_a, u), u), moving(moving(at_b, w), w));
    const auto rate = [&](double by) {
      return pair.gap(moving(moved(at_a, u, by), u), moving(moved(at_b, w, by), w)).grad[0];
    };
    const double h = 1e-5, expected = (rate(h) - rate(-h)) / (2.0 * h);
    EXPECT_NEAR(gap.grad[0].grad[0], expected, 1e-6 * (1.0 + std::abs(expected))) << name;
  });
}

TEST(FeaturePairs, ADiscThatRollsHasTheGapOfItsLowestPoint) {
  const double R = 0.4, height = 0.7;
  const FeaturePair pair{Feature::rim(Vector3::Zero(), Vector3::UnitZ(), R),
                         Feature::face(Vector3::Zero(), Vector3::UnitZ()), Vector3::UnitZ()};
  for (const double tilt : {1e-6, 1e-3, 0.3, 1.5, M_PI / 2}) {
    Pose<double> disc;
    disc.r << 1.0, 2.0, height;
    disc.A = rotation_matrix(quaternion_of(Vector3(tilt, 0.0, 0.0)));
    const auto gap = pair.gap(perturbed<12>(disc, 0), perturbed<12>(Pose<double>(), 6));
    EXPECT_NEAR(gap.value, height - R * std::sin(tilt), 1e-15);
    EXPECT_NEAR(gap.d(3), -R * std::cos(tilt), 1e-12);
    EXPECT_NEAR(gap.d(5), 0.0, 1e-12);  // spinning changes nothing
  }
}

TEST(FeaturePairs, AnEllipsoidStandsOnAPlaneAsHighAsItsSupportFunction) {
  const Vector3 axes(0.5, 0.3, 0.2);
  const FeaturePair pair{Feature::ellipsoid(Vector3::Zero(), Matrix3::Identity(), axes),
                         Feature::face(Vector3::Zero(), Vector3::UnitZ()), Vector3::UnitZ()};
  std::mt19937 random(2);
  for (int k = 0; k < 20; ++k) {
    const Pose<double> pose = random_pose_at({0.1, 0.2, 1.0}, random);
    const Vector3 down = -(pose.A.transpose() * Vector3::UnitZ());
    EXPECT_NEAR(pair.gap(pose, Pose<double>()), 1.0 - axes.cwiseProduct(down).norm(), 1e-15);
  }
}

TEST(FeaturePairs, KnowHowCurvedTheyAre) {
  const PoseInSpace ground;
  const auto curvatures = [&](const Feature& a, const Feature& b, const Vector3& at) {
    return relative_curvatures({a, b, Vector3::UnitZ()}, PoseInSpace{at, Matrix3::Identity()},
                               ground);
  };
  const Feature plane = Feature::face(Vector3::Zero(), Vector3::UnitZ());
  const auto balls = curvatures(Feature::vertex(Vector3::Zero(), 0.5),
                                Feature::vertex(Vector3::Zero(), 0.25), Vector3(0, 0, 1));
  EXPECT_NEAR(balls[0], 6.0, 1e-12);
  EXPECT_NEAR(balls[1], 6.0, 1e-12);
  const auto roller =
      curvatures(Feature::edge(Vector3::Zero(), Vector3::UnitX(), 0.5),
                 Feature::edge(Vector3::Zero(), Vector3::UnitY(), 0.25), Vector3(0, 0, 1));
  EXPECT_NEAR(roller[0], 2.0, 1e-12);
  EXPECT_NEAR(roller[1], 4.0, 1e-12);
  const auto egg =
      curvatures(Feature::ellipsoid(Vector3::Zero(), Matrix3::Identity(), Vector3(0.5, 0.3, 0.2)),
                 plane, Vector3(0, 0, 1));
  EXPECT_NEAR(egg[0], 0.2 / 0.25, 1e-12);  // c/a²
  EXPECT_NEAR(egg[1], 0.2 / 0.09, 1e-12);  // c/b²
  const auto corner = curvatures(Feature::vertex(Vector3::Zero()), plane, Vector3(0, 0, 1));
  EXPECT_EQ(corner[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(corner[1], std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace picus
