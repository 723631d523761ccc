// SPDX-License-Identifier: BSD-3-Clause
// Contacts of round lines: derivatives, nearest points, and lists that follow them.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "picus/mechanism/collision_batch.h"
#include "picus/mechanism/mechanism.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

Body body_of(const std::string& name, bool in_space) {
  Body body{.name = name, .kind = in_space ? BodyKind::kSpatial : BodyKind::kPlanar, .mass = 1.0};
  body.inertia = Vector3(0.1, 0.2, 0.3).asDiagonal();
  return body;
}

Pose<double> pose_at(const Vector3& r, const Vector3& turn) {
  Pose<double> pose;
  pose.r = r;
  pose.A = rotation_matrix(quaternion_of(turn));
  pose.angle = turn(2);
  return pose;
}

void add_line(MechanismBuilder& builder, CollisionGroup& group, const std::string& name,
              const std::vector<Pose<double>>& poses, double radius) {
  const bool in_space = poses[0].A(2, 2) < 1.0 || poses[0].r(2) != 0.0;
  CollisionLine line{.name = name, .radius = radius};
  const auto number = static_cast<int>(group.lines.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const int node = builder.add_body(body_of(name + std::to_string(i), in_space), poses[i],
                                      SmallVector<double, 6>::Zero());
    if (i > 0) line.lengths.push_back((poses[i].r - poses[i - 1].r).norm());
    line.nodes.push_back(node);
    group.balls.push_back({node, Vector3::Zero(), radius, number});
  }
  group.lines.push_back(std::move(line));
}

// In a run of its own, whose contacts have been found.
State random_state(const Mechanism& mechanism, System& run) {
  State state = mechanism.initial_state();
  ContactChange change;
  run.find_contacts(state, 1e-2, change);
  size_state(run, state);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> spread(-1.0, 1.0);
  for (Vector* x :
       {&state.velocity, &state.acceleration, &state.multiplier, &state.nonholonomic_multiplier})
    *x = Vector::NullaryExpr(x->size(), [&] { return spread(random); });
  return state;
}

TEST(LineContacts, HaveExactDerivativesInSpace) {
  MechanismBuilder builder;
  CollisionGroup group{.law = {.restitution = 0.2, .friction = 0.4}, .slack = 2.0};
  add_line(builder, group, "a",
           {pose_at({0, 0, 0.1}, {0.1, 0.1, 0.2}), pose_at({1, 0.1, 0}, {-0.2, 0.2, -0.1}),
            pose_at({2, 0, 0.2}, {0.3, -0.2, 0.1})},
           0.1);
  add_line(builder, group, "b",
           {pose_at({0.4, -1, 0.4}, {0.1, 0.1, 1.5}), pose_at({0.5, 1, 0.5}, {0.1, -0.1, 1.4})},
           0.15);
  const int ball = builder.add_body(body_of("ball", true), pose_at({1.5, 0.1, -0.6}, {0.3, 0, 0.2}),
                                    SmallVector<double, 6>::Zero());
  group.balls.push_back({ball, {0.05, 0.1, 0.08}, 0.2});
  builder.add_collisions(std::move(group));
  const auto mechanism = builder.build();
  const auto run = mechanism->system().for_run();
  const State state = random_state(*mechanism, *run);
  // the ball near a, a and b where they cross, and nodes of one near the other
  std::vector<std::string> names;
  for (int i = 0; i < run->sizes().contacts; ++i)
    names.push_back(run->name_of(Equation::kConstraint, i));
  EXPECT_EQ(std::count_if(names.begin(), names.end(),
                          [](const std::string& name) {
                            return name.find("between ball and a") != std::string::npos;
                          }),
            1);
  EXPECT_GE(std::count_if(names.begin(), names.end(),
                          [](const std::string& name) {
                            return name.find("between a and b") != std::string::npos;
                          }),
            1);
  TangentChecks("lines in space", *run, state, 0.03).all();
}

TEST(LineContacts, HaveExactDerivativesInThePlane) {
  MechanismBuilder builder;
  CollisionGroup group{.law = {.friction = 0.4}, .slack = 2.0};
  add_line(builder, group, "a",
           {pose_at({0, 0, 0}, {0, 0, 0.2}), pose_at({1, 0.1, 0}, {0, 0, -0.1}),
            pose_at({2, 0, 0}, {0, 0, 0.1})},
           0.1);
  for (const double x : {0.4, 1.7, 2.2}) {  // the last one is past the end
    const int ball = builder.add_body(body_of("ball", false), pose_at({x, 0.4, 0}, {0, 0, 0.3}),
                                      SmallVector<double, 6>::Zero());
    group.balls.push_back({ball, {0.05, 0.1, 0.0}, 0.2});
  }
  group.planes = {{Bodies::kGround, {0, -0.25, 0}, Vector3::UnitY(), {.friction = 0.1}}};
  builder.add_collisions(std::move(group));
  const auto mechanism = builder.build();
  const auto run = mechanism->system().for_run();
  const State state = random_state(*mechanism, *run);
  // each ball with the line, two balls, two nodes on the plane and the dip between two nodes
  EXPECT_EQ(run->sizes().contacts, 3 + 1 + 3);
  TangentChecks("lines in the plane", *run, state, 0.03).all();
}

// A line that dips between its nodes towards a plane of a body that moves.
TEST(LineContacts, HaveExactDerivativesBetweenNodesOnAPlane) {
  MechanismBuilder builder;
  CollisionGroup group{.law = {.friction = 0.4}, .slack = 5.0};
  add_line(builder, group, "a",
           {pose_at({0, 0, 0.1}, {0.1, 0.3, 0.2}), pose_at({1, 0.1, 0.2}, {-0.2, -0.4, -0.1})},
           0.1);
  const int table = builder.add_body(body_of("table", true), pose_at({0.2, 0, -1}, {0.1, 0.1, 0}),
                                     SmallVector<double, 6>::Zero());
  group.planes = {{table, {0.1, 0.2, 0.9}, Vector3::UnitZ(), {.friction = 0.1}}};
  builder.add_collisions(std::move(group));
  const auto mechanism = builder.build();
  const auto run = mechanism->system().for_run();
  const State state = random_state(*mechanism, *run);
  EXPECT_EQ(run->sizes().contacts, 2 + 1);
  TangentChecks("a dip on a plane", *run, state, 0.03).all();
}

// On the arc of a circle the distance from its centre is constant to the fourth order, and a ball
// outside is nearest on its ray; a straight line is met at the foot of the perpendicular.
TEST(LineContacts, FindTheNearestPoint) {
  for (const double radius : {1.0, 1e6}) {
    const int pieces = 6;
    const double turn = std::min(1.5, 1.5 / radius) / pieces;
    MechanismBuilder builder;
    CollisionGroup group{.slack = 1e3};
    std::vector<Pose<double>> poses;
    for (int i = 0; i <= pieces; ++i)
      poses.push_back(pose_at({radius * std::sin(i * turn), radius * (1.0 - std::cos(i * turn)), 0},
                              {0, 0, i * turn}));
    add_line(builder, group, "arc", poses, 0.01);
    for (double& length : group.lines[0].lengths)
      length = radius * turn;
    const double place = 2.37 * turn, away = 0.2;
    const int ball = builder.add_body(
        body_of("ball", false),
        pose_at({(radius + away) * std::sin(place), radius - (radius + away) * std::cos(place), 0},
                {0, 0, 0}),
        SmallVector<double, 6>::Zero());
    group.balls.push_back({ball, Vector3::Zero(), 0.05});
    CollisionBatch batch(builder.bodies(),
                         std::make_shared<const CollisionGroup>(std::move(group)));
    State state = builder.state();
    ASSERT_TRUE(batch.find(state, 0.0));
    ASSERT_EQ(batch.contacts(), 1);
    Vector gap = Vector::Zero(1);
    batch.constraint(state, Batch::Level::kPosition, gap);
    EXPECT_NEAR(gap(0), away - 0.06, 1e-2 * radius * std::pow(turn, 4) + 1e-9);
    const CollisionBatch::ContactFrame found = batch.frame_of(state, 0);
    EXPECT_NEAR(std::abs(found.normal.dot(Vector3(std::sin(place), -std::cos(place), 0))), 1.0,
                1e-4);
  }
}

// A ball that slides along a line passes from piece to piece as one contact, and leaves at the end.
TEST(LineContacts, FollowABallAlongTheLine) {
  MechanismBuilder builder;
  CollisionGroup group{.slack = 0.1};
  std::vector<Pose<double>> poses;
  for (int i = 0; i <= 5; ++i)
    poses.push_back(pose_at({1.0 * i, 0, 0}, {0, 0, 0}));
  add_line(builder, group, "bar", poses, 0.1);
  const int ball = builder.add_body(body_of("ball", false), pose_at({0.2, 0.31, 0}, {0, 0, 0}),
                                    SmallVector<double, 6>::Zero());
  group.balls.push_back({ball, Vector3::Zero(), 0.2});
  CollisionBatch batch(builder.bodies(), std::make_shared<const CollisionGroup>(std::move(group)));
  State state = builder.state();
  EXPECT_TRUE(batch.find(state, 1e-3));
  Vector gap(1);
  for (double x = 0.2; x < 5.0; x += 0.13) {
    state.position(builder.bodies()[ball].first_position) = x;
    EXPECT_FALSE(batch.find(state, 1e-3)) << x;
    ASSERT_EQ(batch.contacts(), 1) << x;
    gap.setZero();
    batch.constraint(state, Batch::Level::kPosition, gap);
    EXPECT_NEAR(gap(0), 0.01, 1e-14) << x;
  }
  state.position(builder.bodies()[ball].first_position) = 5.05;  // around the end
  batch.find(state, 1e-3);
  ASSERT_EQ(batch.contacts(), 1);
  gap.setZero();
  batch.constraint(state, Batch::Level::kPosition, gap);
  EXPECT_NEAR(gap(0), std::hypot(0.05, 0.31) - 0.3, 1e-14);
  state.position(builder.bodies()[ball].first_position) = 6.0;
  EXPECT_TRUE(batch.find(state, 1e-3));
  EXPECT_EQ(batch.contacts(), 0);
}

}  // namespace
}  // namespace picus::testing
