// SPDX-License-Identifier: BSD-3-Clause
// Contacts of shapes: derivatives of every kind of pair, and lists that follow them.
#include <random>

#include <gtest/gtest.h>

#include "picus/mechanism/collision_batch.h"
#include "picus/mechanism/mechanism.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

struct PairOfShapes {
  const char* name;
  ShapeGeometry low, high;
  Vector3 at, turn;  ///< of the high one; the low one is at the origin, turned a little
  bool in_space = true;
};

std::ostream& operator<<(std::ostream& out, const PairOfShapes& pair) {
  return out << pair.name;
}

CollisionShape shape_on(int body, const ShapeGeometry& geometry, double rounding = 0.0) {
  return {body, Solid({.geometry = geometry, .rounding = rounding, .at = {0.02, -0.01, 0.0}})};
}

int add_body(MechanismBuilder& builder, const std::string& name, bool in_space, const Vector3& at,
             const Vector3& turn) {
  Body body{.name = name, .kind = in_space ? BodyKind::kSpatial : BodyKind::kPlanar, .mass = 1.5};
  body.inertia = Vector3(0.1, 0.2, 0.3).asDiagonal();
  Pose<double> pose;
  pose.r = at;
  pose.A = rotation_matrix(quaternion_of(turn));
  pose.angle = turn(2);
  return builder.add_body(body, pose, SmallVector<double, 6>::Zero());
}

struct Found {
  std::unique_ptr<Mechanism> mechanism;
  std::unique_ptr<System> run = {};
  State state = {};
};

// The two near each other, in the middle of a motion, with reactions.
Found near_each_other(const PairOfShapes& pair) {
  MechanismBuilder builder;
  CollisionGroup group{.law = {.restitution = 0.2, .friction = 0.4}};
  const int low = add_body(builder, "low", pair.in_space, Vector3::Zero(),
                           pair.in_space ? Vector3(0.03, -0.02, 0.1) : Vector3(0.0, 0.0, 0.1));
  const int high = add_body(builder, "high", pair.in_space, pair.at, pair.turn);
  group.shapes.push_back(shape_on(low, pair.low));
  group.shapes.push_back(shape_on(high, pair.high, 0.01));
  builder.add_collisions(std::move(group));
  Found found{.mechanism = builder.build()};
  found.run = found.mechanism->system().for_run();
  found.state = found.mechanism->initial_state();
  ContactChange change;
  found.run->find_contacts(found.state, 0.0, change);
  size_state(*found.run, found.state);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> spread(-1.0, 1.0);
  for (Vector* x : {&found.state.velocity, &found.state.acceleration, &found.state.multiplier,
                    &found.state.nonholonomic_multiplier})
    *x = Vector::NullaryExpr(x->size(), [&] { return spread(random); });
  return found;
}

class ShapePairs : public ::testing::TestWithParam<PairOfShapes> {};

TEST_P(ShapePairs, HaveExactDerivatives) {
  const Found found = near_each_other(GetParam());
  ASSERT_GT(found.run->sizes().contacts, 0);
  TangentChecks(GetParam().name, *found.run, found.state, 0.01).all();
}

// What is written out for time steps is what the directions say.
TEST_P(ShapePairs, AgreeWithTheirDirections) {
  const Found found = near_each_other(GetParam());
  const System& system = *found.run;
  const State& s = found.state;
  const Vector none = Vector::Zero(system.sizes().velocities);
  SparseMatrix G, Gt, k_v, k_q, kt, kt_psi;
  system.constraint_jacobian(s, G);
  system.multiplier_tangent(s, Gt, kt_psi);
  EXPECT_LT((G.dense() - Gt.dense().transpose()).norm(), 1e-13);
  system.nonholonomic_jacobian(s, k_v);
  system.nonholonomic_tangent(s, {s.position, none}, k_q, kt);
  EXPECT_LT((k_v.dense() - kt.dense()).norm(), 1e-13);
  Vector rate;
  system.constraint_velocity(s, rate);
  EXPECT_LT(max_abs(rate - G.dense() * s.velocity), 1e-13);
}

const shapes::Box kBox{{0.6, 0.4, 0.2}};
const shapes::Cylinder kCylinder{0.2, 0.5};

INSTANTIATE_TEST_SUITE_P(
    Of, ShapePairs,
    ::testing::Values(
        PairOfShapes{"box_on_box", kBox, kBox, {0.1, 0.05, 0.22}, {0.04, 0.05, 0.4}},
        PairOfShapes{"corner_on_box", kBox, kBox, {0.0, 0.0, 0.45}, {0.7, 0.6, 0.2}},
        PairOfShapes{"edge_on_edge", kBox, kBox, {0.0, 0.35, 0.32}, {0.8, 0.0, 0.9}},
        PairOfShapes{"sphere_on_box", kBox, shapes::Sphere{0.2}, {0.1, 0.1, 0.32}, {0.2, 0.1, 0.3}},
        PairOfShapes{
            "capsule_on_box", kBox, shapes::Capsule{0.1, 0.3}, {0.1, 0.0, 0.22}, {1.5, 0.1, 0.3}},
        PairOfShapes{"lying_cylinder", kBox, kCylinder, {0.0, 0.0, 0.32}, {1.55, 0.05, 0.2}},
        PairOfShapes{"tilted_cylinder", kBox, kCylinder, {0.0, 0.0, 0.45}, {0.5, 0.2, 0.2}},
        PairOfShapes{"ellipsoid_on_box",
                     kBox,
                     shapes::Ellipsoid{{0.3, 0.2, 0.1}},
                     {0.05, 0.0, 0.23},
                     {0.2, 0.3, 0.4}},
        PairOfShapes{"ellipsoid_on_ellipsoid",
                     shapes::Ellipsoid{{0.3, 0.3, 0.2}},
                     shapes::Ellipsoid{{0.3, 0.2, 0.1}},
                     {0.05, 0.05, 0.33},
                     {0.2, 0.3, 0.4}},
        PairOfShapes{"cylinders_across", kCylinder, kCylinder, {0.415, 0.0, 0.05}, {1.4, 0.2, 0.1}},
        PairOfShapes{
            "cone_on_box", kBox, shapes::Cone{0.2, 0.4}, {0.0, 0.0, 0.22}, {0.1, 0.1, 0.2}},
        PairOfShapes{"polygons",
                     shapes::Polygon{{{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {-0.3, 0.2}}},
                     shapes::Polygon{{{-0.3, -0.2}, {0.3, -0.2}, {0.0, 0.3}}},
                     {0.1, 0.42, 0.0},
                     {0.0, 0.0, 0.15},
                     false},
        PairOfShapes{"disc_on_polygon",
                     shapes::Polygon{{{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {-0.3, 0.2}}},
                     shapes::Disc{0.2},
                     {0.1, 0.42, 0.0},
                     {0.0, 0.0, 0.3},
                     false}),
    [](const auto& test) { return std::string(test.param.name); });

// A box that slides along a floor keeps its four corners, and two that rest on each other theirs.
TEST(ShapeContacts, StayWhileBodiesSlide) {
  MechanismBuilder builder;
  CollisionGroup group;
  const int low = add_body(builder, "low", true, {0.0, 0.0, 0.1}, Vector3::Zero());
  const int high = add_body(builder, "high", true, {0.1, 0.05, 0.3}, Vector3(0.0, 0.0, 0.3));
  for (const int body : {low, high})
    group.shapes.push_back({body, Solid({.geometry = kBox})});
  group.planes = {{Bodies::kGround, Vector3::Zero(), Vector3::UnitZ(), {}}};
  builder.add_collisions(std::move(group));
  const auto mechanism = builder.build();
  const auto run = mechanism->system().for_run();
  State s = mechanism->initial_state();
  ContactChange change;
  EXPECT_TRUE(run->find_contacts(s, 1e-3, change));
  const int contacts = run->sizes().contacts;
  EXPECT_GE(contacts, 4 + 4);
  for (int step = 0; step < 200; ++step) {
    for (const int body : {low, high}) {
      const int first = mechanism->bodies()[body].first_position;
      s.position(first) += 1e-2;
      s.position(first + 2) += step % 2 == 0 ? 1e-9 : -1e-9;
    }
    EXPECT_FALSE(run->find_contacts(s, 1e-3, change)) << step;
  }
  EXPECT_EQ(run->sizes().contacts, contacts);
}

}  // namespace
}  // namespace picus::testing
