// SPDX-License-Identifier: BSD-3-Clause
// Bars: their matrices, what hangs on their nodes, and closed forms of statics.
#include "studies/problems/bar.h"

#include <gtest/gtest.h>

#include "picus/mechanism/assemble.h"
#include "picus/steppers/alpha_methods.h"
#include "tests/mechanism/two_bodies.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

const Vector3 kOblique(1.0, -2.0, 2.0);

Bar bar_along(const Vector3& direction, int elements, MassMatrix mass) {
  Bar bar;
  bar.from = {0.4, 0.1, -0.3};
  bar.to = bar.from + 1.5 * direction.normalized();
  bar.area = 0.02;
  bar.modulus = 3000.0;
  bar.density = 40.0;
  bar.damping = 0.01;
  bar.elements = elements;
  bar.mass_matrix = mass;
  bar.velocity = 0.7 * direction.normalized();
  return bar;
}

Model one_bar(const Vector3& direction, int elements = 4,
              MassMatrix mass = MassMatrix::kConsistent) {
  Model model;
  model.gravity = {0.5, -9.81, 0.3};
  model.flexible = {{"bar", {}, bar_along(direction, elements, mass)}};
  return model;
}

std::unique_ptr<Mechanism> assembled(const Model& model) {
  return assemble(model, AssemblyContext::throwing());
}

// The integrals of ρA Nᵢ Nⱼ and EA Nᵢ′ Nⱼ′ over two elements of length l, by hand.
TEST(Bars, HaveTheMatricesOfLinearElements) {
  for (const bool lumped : {false, true}) {
    const auto mechanism =
        assembled(one_bar(kOblique, 2, lumped ? MassMatrix::kLumped : MassMatrix::kConsistent));
    const State s = sized(*mechanism);
    const double l = 0.75, m = 40.0 * 0.02 * l, k = 3000.0 * 0.02 / l;
    Matrix mass(3, 3), stiffness(3, 3);
    if (lumped)
      mass << m / 2, 0, 0, 0, m, 0, 0, 0, m / 2;
    else
      mass << m / 3, m / 6, 0, m / 6, 2 * m / 3, m / 6, 0, m / 6, m / 3;
    stiffness << k, -k, 0, -k, 2 * k, -k, 0, -k, k;
    SparseMatrix M, K, D;
    mechanism->system().mass_matrix(s, M);
    mechanism->system().momentum_tangent(s, {s.position, s.velocity}, K, D);
    EXPECT_LT((M.dense() - mass).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((K.dense() - stiffness).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((D.dense() - 0.01 * stiffness).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(Bars, AreTridiagonal) {
  const auto mechanism = assembled(one_bar(kOblique, 200));
  const State s = sized(*mechanism);
  SparseMatrix M, K, D;
  mechanism->system().mass_matrix(s, M);
  mechanism->system().momentum_tangent(s, {s.position, s.velocity}, K, D);
  for (const SparseMatrix* A : {&M, &K, &D})
    EXPECT_EQ(A->nonzeros(), 3 * 201 - 2);
}

TEST(Bars, HaveTheKineticEnergyOfTheirMassMatrix) {
  for (const MassMatrix kind : {MassMatrix::kConsistent, MassMatrix::kLumped}) {
    const auto mechanism = assembled(one_bar(kOblique, 4, kind));
    State s = sized(*mechanism);
    s.velocity << 0.3, -0.1, 0.7, 0.2, -0.5;
    SparseMatrix M;
    mechanism->system().mass_matrix(s, M);
    Vector momentum = Vector::Zero(5);
    M.multiply_add(1.0, s.velocity, momentum);
    EXPECT_NEAR(mechanism->kinetic_energy(s), 0.5 * s.velocity.dot(momentum), 1e-15);
  }
}

// −∂(potential energy) without damping, gravity included.
TEST(Bars, HaveForcesThatFollowFromTheirPotential) {
  Model model = one_bar(kOblique);
  std::get<Bar>(model.flexible[0].value).damping = 0.0;
  const auto mechanism = assembled(model);
  State s = sized(*mechanism);
  s.position << 0.03, -0.01, 0.07, 0.02, -0.05;
  Vector F;
  mechanism->system().force(s, F);
  const Matrix slope = differences(1, 5, [&](int j, double h) {
    State moved = s;
    moved.position(j) += h;
    return Vector(Vector::Constant(1, mechanism->potential_energy(moved)));
  });
  EXPECT_LT((slope.transpose() + F).cwiseAbs().maxCoeff(), 1e-8 * max_abs(F));
}

TEST(Bars, MoveInSpaceAlongTheirAxis) {
  const auto mechanism = assembled(one_bar(kOblique));
  State s = sized(*mechanism);
  const Vector3 e = kOblique.normalized();
  const int node = mechanism->find_body("bar.node2");
  ASSERT_GT(node, 0);
  EXPECT_LT((mechanism->bodies().twist(node, s.velocity).head<3>() - 0.7 * e).norm(), 1e-15);
  s.position(2) += 0.25;
  const Vector3 middle = Vector3(0.4, 0.1, -0.3) + 0.75 * e;
  EXPECT_LT((mechanism->bodies().pose(node, s.position).r - middle - 0.25 * e).norm(), 1e-15);
}

// Everything that can sit on a node, on bars along an axis of space, against it and oblique.
Model loaded_bar(const Vector3& direction) {
  Model model = two_spatial_bodies();
  model.flexible = one_bar(direction).flexible;
  const auto ball = [&](const char* name, const char* on, const char* body) {
    SphericalJoint joint;
    joint.between = {{on, {}}, {body, {}}};
    joint.at = Vector3(0.3, -0.2, 0.5);
    model.joints.push_back({name, {}, joint});
  };
  ball("foot", "ground", "bar.start");
  ball("knee", "bar.node2", "a");
  DistanceJoint rope;
  rope.between = {{"b.tip", {}}, {"bar.end", {}}};
  model.joints.push_back({"rope", {}, rope});
  InPlaneJoint plane;
  plane.between = {{"b", {}}, {"bar.node3", {}}};
  plane.axis = Vector3(0.3, -0.5, 1.0);
  model.joints.push_back({"plane", {}, plane});
  SpringDamper spring;
  spring.between = {{"bar.node1", {}}, {"b.tip", {}}};
  spring.stiffness = 20.0;
  spring.damping = 3.0;
  spring.length = 0.4;
  model.forces.push_back({"spring", {}, spring});
  PointForce push;
  push.body = {"bar.node3", {}};
  push.force = {
      {"sin(time)*bar.node1.vx", {}}, {"bar.end.y*a.x", {}}, {"distance(bar.node2, b)", {}}};
  model.forces.push_back({"push", {}, push});
  Variable seen;
  seen.value = {"bar.node1.ax + bar.node2.vz^2", {}};
  model.controls.push_back({"seen", {}, seen});
  return model;
}

TEST(Bars, CarryPartsOnTheirNodesWithExactDerivatives) {
  for (const Vector3& direction : {Vector3(0, 1, 0), Vector3(-1, 0, 0), kOblique}) {
    SCOPED_TRACE(direction.transpose());
    const auto mechanism = assembled(loaded_bar(direction));
    TangentChecks("bar", mechanism->system(), sized(*mechanism), 0.2).all();
  }
}

TEST(Bars, PassJointForcesOnAsTheyAreInSpace) {
  const auto mechanism = assembled(loaded_bar(kOblique));
  State s = sized(*mechanism);
  s.multiplier.setLinSpaced(1.0, 2.0);
  const AssembledJoint& knee = mechanism->joints()[1];
  ASSERT_EQ(knee.rows.size(), 3u);
  const Vector3 along_axes(s.multiplier(knee.rows[0]), s.multiplier(knee.rows[1]),
                           s.multiplier(knee.rows[2]));
  EXPECT_LT((mechanism->reaction(knee, s).force - along_axes).norm(), 1e-14);
  const AssembledJoint& foot = mechanism->joints()[0];  // its second body is the node
  EXPECT_LT((mechanism->reaction(foot, s).force -
             Vector3(s.multiplier(0), s.multiplier(1), s.multiplier(2)))
                .norm(),
            1e-14);
}

// A bar along x has no coordinate across: the other equations of its clamp hold by themselves.
TEST(Bars, AreClampedByOneEquation) {
  Model model = one_bar({1.0, 0.0, 0.0});
  SphericalJoint clamp;
  clamp.between = {{"ground", {}}, {"bar.start", {}}};
  model.joints = {{"clamp", {}, clamp}};
  EXPECT_EQ(assembled(model)->system().sizes().constraints, 1);
  clamp.between = {{"bar.start", {}}, {"ground", {}}};
  clamp.at = Vector3::Zero();
  model.joints = {{"clamp", {}, clamp}};
  EXPECT_EQ(assembled(model)->system().sizes().constraints, 1);
}

TEST(Bars, AreLinearUntilSomethingTurns) {
  Model model = one_bar(kOblique);
  SphericalJoint clamp;
  clamp.between = {{"ground", {}}, {"bar.start", {}}};
  model.joints = {{"clamp", {}, clamp}};
  PointForce push;
  push.body = {"bar.node3", {}};
  push.force = {{"sin(time)", {}}, {"2", {}}};
  model.forces = {{"push", {}, push}};
  const auto mechanism = assembled(model);
  const State s = sized(*mechanism);
  TangentChecks("bar", mechanism->system(), s, 0.2).of_a_linear_system_everywhere(s);
  push.force = {{"sin(bar.node1.x)", {}}};
  model.forces = {{"push", {}, push}};
  EXPECT_FALSE(assembled(model)->system().is_linear());
  EXPECT_FALSE(assembled(loaded_bar(kOblique))->system().is_linear());
}

TEST(Bars, ComplainWhenAJointCannotClose) {
  Model model = one_bar({1.0, 0.0, 0.0});
  model.markers = {{"above", {}, {.at = {0.4, 0.2, -0.3}}}};
  SphericalJoint clamp;
  clamp.between = {{"above", {}}, {"bar.start", {}}};
  model.joints = {{"clamp", {}, clamp}};
  EXPECT_THROW(assembled(model), InputError);
}

// The same bar written as templated equations.
TEST(Bars, AgreeWithTheTemplatedProblem) {
  problems::ElasticBar problem;
  problem.elements = 7;
  for (const bool lumped : {false, true}) {
    problem.mass = lumped ? problems::BarMass::kLumped : problems::BarMass::kConsistent;
    Model model;
    Bar bar;
    bar.to = {problem.L, 0.0, 0.0};
    bar.area = problem.A;
    bar.modulus = problem.E;
    bar.density = problem.density;
    bar.elements = problem.elements;
    bar.mass_matrix = lumped ? MassMatrix::kLumped : MassMatrix::kConsistent;
    model.flexible = {{"bar", {}, bar}};
    const auto mechanism = assembled(model);
    const auto system = problem.make();
    State s = sized(*mechanism), same = problem.start();
    size_state(*system, same);
    s.position.setLinSpaced(0.1, -0.7);
    s.position(3) = 0.4;
    s.velocity = -2.0 * s.position;
    same.position = s.position;
    same.velocity = s.velocity;
    Vector F, G;
    SparseMatrix M, N;
    mechanism->system().force(s, F);
    system->force(same, G);
    mechanism->system().mass_matrix(s, M);
    system->mass_matrix(same, N);
    EXPECT_LT((F - G).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((M.dense() - N.dense()).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_NEAR(mechanism->kinetic_energy(s) + mechanism->potential_energy(s), problem.energy(same),
                1e-11);
  }
}

}  // namespace
}  // namespace picus::testing
