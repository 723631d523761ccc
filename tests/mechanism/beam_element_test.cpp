// SPDX-License-Identifier: BSD-3-Clause
// The beam element by itself: derivatives, objectivity, the helix it claims to be.
#include <gtest/gtest.h>

#include "picus/elements/planar_beam_element.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

Vector3 random3(double size) {
  return size * Vector3::Random();
}

Pose<double> pose_of(const Vector3& r, const Vector3& phi) {
  Pose<double> pose;
  pose.r = r;
  pose.A = rotation_matrix(quaternion_of(phi));
  return pose;
}

Pose<double> moved(const Pose<double>& pose, const Vector6& by) {
  Pose<double> result;
  result.r = pose.r + by.head<3>();
  result.A = pose.A * rotation_matrix(quaternion_of(Vector3(by.tail<3>())));
  return result;
}

BeamElement some_element() {
  BeamElement element;
  element.length = 0.7;
  element.initial_strain << 1.0, 0.02, -0.03, 0.2, -0.4, 0.3;
  const Matrix6 root = Matrix6::Random();
  element.stiffness = Matrix6::Identity() * 3.0 + root * root.transpose();
  element.damping = 0.3 * element.stiffness;
  return element;
}

/// Two frames that are turned against each other by `turn` at most.
struct Ends {
  Pose<double> a, b;
  Row<double> velocity = Row<double>::Random();

  explicit Ends(double turn) {
    a = pose_of(random3(1.0), random3(3.0));
    Vector6 step;
    step << random3(1.0), random3(turn);
    b = moved(a, step);
  }
  Ends at(int column, double h) const {
    Ends ends = *this;
    Vector6 by = Vector6::Zero();
    by(column % 6) = h;
    (column < 6 ? ends.a : ends.b) = moved(column < 6 ? a : b, by);
    return ends;
  }
};

constexpr double kTurns[] = {0.0, 1e-9, 1e-3, 0.3, 0.99, 1.01, 1.6};

TEST(BeamElement, HasTheTangentsOfItsForce) {
  std::srand(1);
  for (const double turn : kTurns) {
    for (int i = 0; i < 20; ++i) {
      const BeamElement element = some_element();
      const Ends ends(turn);
      const BeamHelix helix(ends.a, ends.b);
      const Matrix K = differences(12, 12, [&](int j, double h) {
        const Ends there = ends.at(j, h);
        return Vector(-BeamHelix(there.a, there.b).force(element, ends.velocity));
      });
      const Matrix D = differences(12, 12, [&](int j, double h) {
        Row<double> v = ends.velocity;
        v(j) += h;
        return Vector(-helix.force(element, v));
      });
      const double size = K.cwiseAbs().maxCoeff();
      EXPECT_LT((helix.stiffness(element, ends.velocity) - K).cwiseAbs().maxCoeff(), 1e-7 * size)
          << "turned by " << turn;
      EXPECT_LT((helix.damping(element) - D).cwiseAbs().maxCoeff(), 1e-7 * size);
    }
  }
}

TEST(BeamElement, HasTheForceOfItsEnergy) {
  std::srand(2);
  for (const double turn : kTurns) {
    BeamElement element = some_element();
    element.damping.setZero();
    const Ends ends(turn);
    const auto energy = [&](const Ends& at) {
      const Vector6 strain = BeamHelix(at.a, at.b).strain(element);
      return 0.5 * element.length * strain.dot(element.stiffness * strain);
    };
    const Matrix slope = differences(
        1, 12, [&](int j, double h) { return Vector(Vector::Constant(1, energy(ends.at(j, h)))); });
    const Row<double> force = BeamHelix(ends.a, ends.b).force(element, Row<double>::Zero());
    EXPECT_LT((slope.transpose() + force).cwiseAbs().maxCoeff(),
              1e-7 * (1.0 + force.cwiseAbs().maxCoeff()));
  }
}

// A rigid motion of both ends, whole turns included, changes neither strains nor section forces.
TEST(BeamElement, IsObjective) {
  std::srand(3);
  const BeamElement element = some_element();
  for (const double turn : kTurns) {
    const Ends ends(turn);
    const Vector6 before = BeamHelix(ends.a, ends.b).strain(element);
    for (int k = 0; k <= 8; ++k) {
      const Pose<double> by = pose_of(random3(10.0), random3(0.9 * k));
      const auto carried = [&](const Pose<double>& pose) {
        Pose<double> result;
        result.r = by.point(pose.r);
        result.A = by.A * pose.A;
        return result;
      };
      const Vector6 after = BeamHelix(carried(ends.a), carried(ends.b)).strain(element);
      EXPECT_LT((after - before).norm(), 2e-14 * (1.0 + before.norm()) * 10.0);
    }
  }
}

// The frames along the helix: half way and half way again add up.
TEST(BeamElement, IsTheSameHelixInHalves) {
  std::srand(4);
  for (const double turn : kTurns) {
    const Ends ends(turn);
    const Vector6 d = BeamHelix(ends.a, ends.b).displacement();
    const Vector6 half = 0.5 * d;
    // exp(d/2) by its definition: rotation and the integral of rotations along the way
    const Vector3 theta = half.tail<3>();
    Matrix3 V = Matrix3::Identity(), power = Matrix3::Identity();
    double factorial = 1.0;
    for (int k = 1; k < 30; ++k) {
      power = (power * skew(theta)).eval();
      factorial *= k + 1;
      V += power / factorial;
    }
    Pose<double> middle;
    middle.A = ends.a.A * rotation_matrix(quaternion_of(theta));
    middle.r = ends.a.r + ends.a.A * V * half.head<3>();
    EXPECT_LT((BeamHelix(ends.a, middle).displacement() - half).norm(), 1e-13);
    EXPECT_LT((BeamHelix(middle, ends.b).displacement() - half).norm(), 1e-13);
  }
}

TEST(BeamElement, SeriesAndClosedFormMeet) {
  const InverseTangentSeries below = inverse_tangent_series(1.0),
                             above = inverse_tangent_series(1.0 + 1e-12);
  EXPECT_NEAR(below.c1, above.c1, 1e-13);
  EXPECT_NEAR(below.c2, above.c2, 1e-13);
  EXPECT_NEAR(below.c1_by_x, above.c1_by_x, 1e-12);
  EXPECT_NEAR(below.c2_by_x, above.c2_by_x, 1e-12);
  EXPECT_NEAR(below.v2, above.v2, 1e-14);
}

// A cable that is shorter than unstrained has a part of its stiffness left.
TEST(BeamElement, HasTheTangentsOfItsForceWhereItIsSlack) {
  std::srand(5);
  for (const double slack : {1e-6, 0.5}) {
    for (const double stretch : {0.8, 1.2}) {
      BeamElement element = some_element();
      element.slack = slack;
      element.stiffness.row(0).tail<5>().setZero();
      element.stiffness.col(0).tail<5>().setZero();
      const Ends ends(0.3);
      element.initial_strain(0) =
          BeamHelix(ends.a, ends.b).displacement()(0) / element.length / stretch;
      const Matrix K = differences(12, 12, [&](int j, double h) {
        const Ends there = ends.at(j, h);
        return Vector(-BeamHelix(there.a, there.b).force(element, ends.velocity));
      });
      EXPECT_LT(
          (BeamHelix(ends.a, ends.b).stiffness(element, ends.velocity) - K).cwiseAbs().maxCoeff(),
          1e-7 * K.cwiseAbs().maxCoeff());
    }
  }
}

// In the plane the element of six velocities is the spatial one.
TEST(PlanarBeamElement, IsTheSpatialOneInThePlane) {
  std::srand(6);
  constexpr int kInPlane[] = {0, 1, 5, 6, 7, 11};
  for (const double turn : {0.0, 1e-9, 1e-3, 0.3, 0.99, 1.01, 1.6, 2.8, -2.8}) {
    BeamElement element = some_element();
    element.initial_strain << 1.0, 0.02, 0.0, 0.0, 0.0, 0.3;
    for (const int in : {0, 1, 5})
      for (const int out : {2, 3, 4})
        element.stiffness(in, out) = element.stiffness(out, in) = 0.0;
    element.damping = 0.3 * element.stiffness;
    const auto planar = [](double x, double y, double angle) {
      Pose<double> pose = pose_of({x, y, 0.0}, {0.0, 0.0, angle});
      pose.angle = angle;
      return pose;
    };
    const Pose<double> a = planar(0.3, -0.2, 2.5), b = planar(0.9, 0.4, 2.5 + turn);
    SmallVector<double, 6> v = SmallVector<double, 6>::Random();
    Row<double> all = Row<double>::Zero();
    for (int k = 0; k < 6; ++k)
      all(kInPlane[k]) = v(k);
    const BeamHelix spatial(a, b);
    const PlanarBeamHelix flat(a, b);
    const PlanarBeamElement own = in_plane(element);
    const auto force = flat.force(flat.stress(own, v));
    const Row<double> expected = spatial.force(element, all);
    const auto K = flat.stiffness(own, v), D = flat.damping(own);
    const Hessian K_expected = spatial.stiffness(element, all),
                  D_expected = spatial.damping(element);
    const double size = K_expected.cwiseAbs().maxCoeff();
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(force(i), expected(kInPlane[i]), 1e-12 * size) << turn << " " << i;
      for (int j = 0; j < 6; ++j) {
        EXPECT_NEAR(K(i, j), K_expected(kInPlane[i], kInPlane[j]), 1e-11 * size)
            << turn << " " << i << " " << j;
        EXPECT_NEAR(D(i, j), D_expected(kInPlane[i], kInPlane[j]), 1e-11 * size);
      }
    }
  }
}

}  // namespace
}  // namespace picus::testing
