// SPDX-License-Identifier: BSD-3-Clause
// Frames that coordinates carry: maps against poses, and forces under superposed rigid motions.
#include <gtest/gtest.h>

#include "tests/mechanism/carried_pair.h"
#include "tests/mechanism/two_bodies.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

struct Along {  // an axial point by its pose alone
  static constexpr int kCoordinates = 1;
  Vector3 anchor, axis;

  template <class T>
  Pose<T> pose(const Pose<T>&, const std::array<T, 1>& x) const {
    Pose<T> pose;
    for (int k = 0; k < 3; ++k)
      pose.r(k) = anchor(k) + axis(k) * x[0];
    return pose;
  }
};

TEST(CarriedFrames, HaveTheSameMapByDualsAndInClosedForm) {
  Bodies bodies;
  const Coordinate x = bodies.add_coordinate();
  const Vector3 anchor(0.3, -1.0, 2.0), axis = Vector3(1.0, 2.0, -2.0) / 3.0;
  const AxialPoint closed(anchor, axis, x.position, x.velocity);
  const DualFrame<Along> dual(bodies, Bodies::kGround, {x}, {anchor, axis});
  const Vector q = Vector::Constant(1, 0.7);
  TwistMap one(6, 1), all(6, 7);
  closed.map(q, one);
  dual.map(q, all);
  EXPECT_LT((all.leftCols<6>()).norm(), 1e-15) << "the ground does not move";
  EXPECT_LT((all.col(6) - one).norm(), 1e-15);
  EXPECT_LT((closed.pose(q).r - dual.pose(q).r).norm(), 1e-15);
}

PartCase sprung_pair() {
  PartCase part{"spring", two_spatial_bodies()};
  part.model.gravity.setZero();
  Bushing bushing;
  bushing.between = {{"a", {}}, {"b", {}}};
  bushing.at = Vector3(0.5, 0.2, 0.1);
  bushing.stiffness = {10.0, 20.0, 30.0};
  bushing.damping = {1.0, 2.0, 3.0};
  bushing.torsional_stiffness = {2.0, 1.0, 3.0};
  part.model.forces = {{"bushing", {}, bushing}};
  return on_carried_frames({part}).front();
}

// Turns the mechanism about the origin, with its velocities, which bodies see unchanged.
TEST(CarriedFrames, FeelNothingOfARigidMotion) {
  const auto mechanism = sprung_pair().assembled();
  const Bodies& bodies = mechanism->bodies();
  State here = sized(*mechanism);
  here.position(bodies[1].first_position) += 0.2;  // away from where the bushing is at ease
  const Matrix3 R = rotation_matrix(quaternion_of(Vector3(0.9, -1.7, 0.6)));
  State there = here;
  for (int b = 1; b < bodies.size(); ++b) {
    if (bodies[b].kind != BodyKind::kSpatial) continue;
    Pose<double> pose = bodies.pose(b, here.position);
    pose.r = (R * pose.r + Vector3(3.0, -1.0, 2.0)).eval();
    pose.A = (R * pose.A).eval();
    bodies.place(b, pose, there.position);
    there.velocity.segment<3>(bodies[b].velocity[0]) =
        R * here.velocity.segment<3>(bodies[b].velocity[0]);
  }
  Vector F, G;
  mechanism->system().force(here, F);
  mechanism->system().force(there, G);
  EXPECT_GT(F.norm(), 1.0);
  for (int b = 1; b < bodies.size(); ++b) {
    if (bodies[b].kind != BodyKind::kSpatial) continue;
    const int first = bodies[b].velocity[0];
    G.segment<3>(first) = (R.transpose() * G.segment<3>(first)).eval();
  }
  EXPECT_LT((F - G).norm(), 1e-12 * F.norm());
  EXPECT_NEAR(mechanism->potential_energy(here), mechanism->potential_energy(there), 1e-12);
}

// Balls of a group on points of a bar and on frames that bend: what a time step asks for and what
// derivatives follow from must be the same numbers.
TEST(CarriedFrames, CollideLikeBodies) {
  PartCase part{"balls", two_spatial_bodies()};
  part.carried = PartCase::Carried::kBoth;
  part.model.bodies.clear();
  Collisions group;
  group.balls = {{.at = {"a.tip", {}}, .radius = 0.6}, {.at = {"b.tip", {}}, .radius = 0.7}};
  part.model.collisions = {{"group", {}, group}};
  const auto mechanism = part.assembled();
  const auto run = mechanism->system().for_run();
  ContactChange change;
  State state = mechanism->initial_state();
  run->find_contacts(state, 0.1, change);
  ASSERT_EQ(run->sizes().contacts, 1);
  size_state(*run, state);
  TangentChecks("balls", *run, state, 0.1).all();
}

}  // namespace
}  // namespace picus::testing
