// SPDX-License-Identifier: BSD-3-Clause
// The helices of beams by themselves: derivatives, objectivity, that they are helices.
#include "picus/elements/beam_element.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

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

// ∂d, ∂ḋ and ∂²d of the helix, which parts with damped modes and statics use apart from elements.
template <class Helix>
void expect_derivatives(double turn, const std::array<int, Helix::kStrains>& strains,
                        const std::vector<int>& columns, const Ends& ends) {
  const int n = static_cast<int>(columns.size());
  using Strain = typename Helix::Strain;
  const Helix helix(ends.a, ends.b);
  const typename Helix::Tangent tangent(helix);
  typename Helix::Velocity velocity;
  for (int k = 0; k < n; ++k)
    velocity(k) = ends.velocity(columns[static_cast<std::size_t>(k)]);
  const auto at = [&](int j, double h) {
    const Ends there = ends.at(columns[static_cast<std::size_t>(j)], h);
    return Helix(there.a, there.b);
  };
  const int count = static_cast<int>(strains.size());
  const Matrix rates =
      differences(count, n, [&](int j, double h) { return Vector(at(j, h).displacement()); });
  EXPECT_LT((tangent.rates() - rates).cwiseAbs().maxCoeff(), 1e-8) << "turned by " << turn;
  EXPECT_LT((helix.rate(velocity) - tangent.rates() * velocity).norm(), 1e-12);
  const Matrix change =
      differences(count, n, [&](int j, double h) { return Vector(at(j, h).rate(velocity)); });
  EXPECT_LT((tangent.rate_tangent(velocity) - change).cwiseAbs().maxCoeff(), 1e-7)
      << "turned by " << turn;
  const Strain stress = Strain::Random();
  EXPECT_LT((helix.pull(stress) - tangent.rates().transpose() * stress).norm(), 1e-12);
  const Matrix K =
      differences(n, n, [&](int j, double h) { return Vector(at(j, h).pull(stress)); });
  EXPECT_LT((tangent.geometric_stiffness(stress) - K).cwiseAbs().maxCoeff(), 1e-7)
      << "turned by " << turn;
}

TEST(BeamHelix, HasItsDerivatives) {
  std::srand(1);
  for (const double turn : kTurns)
    for (int i = 0; i < 20; ++i)
      expect_derivatives<BeamHelix>(turn, {0, 1, 2, 3, 4, 5},
                                    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, Ends(turn));
}

TEST(PlanarBeamHelix, HasItsDerivatives) {
  std::srand(2);
  for (const double turn : kTurns) {
    for (int i = 0; i < 20; ++i) {
      Ends ends(0.0);
      ends.a = pose_of({0.3, -0.2, 0.0}, {0.0, 0.0, 2.5});
      ends.b = pose_of({0.9, 0.4, 0.0}, {0.0, 0.0, 2.5 + turn * random3(1.0)(0)});
      expect_derivatives<PlanarBeamHelix>(turn, {0, 1, 5}, {0, 1, 5, 6, 7, 11}, ends);
    }
  }
}

// A rigid motion of both ends, whole turns included, changes no strain.
TEST(BeamHelix, IsObjective) {
  std::srand(3);
  for (const double turn : kTurns) {
    const Ends ends(turn);
    const Vector6 before = BeamHelix(ends.a, ends.b).displacement();
    for (int k = 0; k <= 8; ++k) {
      const Pose<double> by = pose_of(random3(10.0), random3(0.9 * k));
      const auto carried = [&](const Pose<double>& pose) {
        Pose<double> result;
        result.r = by.point(pose.r);
        result.A = by.A * pose.A;
        return result;
      };
      const Vector6 after = BeamHelix(carried(ends.a), carried(ends.b)).displacement();
      EXPECT_LT((after - before).norm(), 2e-14 * (1.0 + before.norm()) * 10.0);
    }
  }
}

// The frames along the helix: half way and half way again add up.
TEST(BeamHelix, IsTheSameHelixInHalves) {
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

// Where it changes from few terms to many, and to the closed form.
TEST(BeamHelix, SeriesAndClosedFormMeet) {
  for (const double x : {1e-2, 1.0}) {
    const HelixSeries below = helix_series(x), above = helix_series(x * (1.0 + 1e-13));
    EXPECT_NEAR(below.v, above.v, 1e-14);
    EXPECT_NEAR(below.by_x, above.by_x, 1e-14);
    EXPECT_NEAR(below.by_xx, above.by_xx, 1e-13);
  }
}

// In the plane the element of six velocities is the spatial one.
TEST(PlanarBeamElement, IsTheSpatialOneInThePlane) {
  std::srand(6);
  constexpr int kInPlane[] = {0, 1, 5, 6, 7, 11};
  for (const double turn : {0.0, 1e-9, 1e-3, 0.3, 0.99, 1.01, 1.6, 2.8, -2.8}) {
    BeamSection section;
    const Matrix6 root = Matrix6::Random();
    section.stiffness = Matrix6::Identity() * 3.0 + root * root.transpose();
    for (const int in : {0, 1, 5})
      for (const int out : {2, 3, 4})
        section.stiffness(in, out) = section.stiffness(out, in) = 0.0;
    section.damping = 0.3 * section.stiffness;
    section.line_mass = 1.3;
    section.line_inertia = Vector3(0.3, 0.2, 0.1).asDiagonal();
    BeamElement element{.length = 0.7};
    PlanarBeamElement own{.length = 0.7};
    element.initial_strain << 1.0, 0.02, 0.0, 0.0, 0.0, 0.3;
    own.initial_strain << 1.0, 0.02, 0.3;
    element.section = std::make_shared<BeamSection>(section);
    own.section = std::make_shared<PlanarBeamSection>(in_plane(section));
    const auto planar = [](double x, double y, double angle) {
      Pose<double> pose = pose_of({x, y, 0.0}, {0.0, 0.0, angle});
      pose.angle = angle;
      return pose;
    };
    const Pose<double> a = planar(0.3, -0.2, 2.5), b = planar(0.9, 0.4, 2.5 + turn);
    const SmallVector<double, 6> v = SmallVector<double, 6>::Random();
    Row<double> all = Row<double>::Zero();
    for (int k = 0; k < 6; ++k)
      all(kInPlane[k]) = v(k);
    const auto spatial = element.form(a, b);
    const auto flat = own.form(a, b);
    const auto force = own.force(flat, v);
    const Row<double> expected = element.force(spatial, all);
    const Matrix6 K = own.stiffness(flat, v), D = own.damping(flat, v), M = own.mass();
    const Hessian K_expected = element.stiffness(spatial, all),
                  D_expected = element.damping(spatial, all), M_expected = element.mass();
    const double size = K_expected.cwiseAbs().maxCoeff();
    EXPECT_NEAR(own.kinetic_energy(v), element.kinetic_energy(all), 1e-14);
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(force(i), expected(kInPlane[i]), 1e-12 * size) << turn << " " << i;
      for (int j = 0; j < 6; ++j) {
        EXPECT_NEAR(K(i, j), K_expected(kInPlane[i], kInPlane[j]), 1e-11 * size)
            << turn << " " << i << " " << j;
        EXPECT_NEAR(D(i, j), D_expected(kInPlane[i], kInPlane[j]), 1e-11 * size);
        EXPECT_NEAR(M(i, j), M_expected(kInPlane[i], kInPlane[j]), 1e-15);
      }
    }
  }
}

}  // namespace
}  // namespace picus::testing
