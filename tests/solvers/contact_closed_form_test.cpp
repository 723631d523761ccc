// SPDX-License-Identifier: BSD-3-Clause
// Single contacts with solutions known by hand, for every solver; problems without a solution.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "picus/solvers/contact_catalog.h"
#include "picus/solvers/local_contact.h"
#include "tests/solvers/contact_problems.h"

namespace picus::testing {
namespace {

struct ClosedForm {
  const char* name;
  ContactProblem problem;
  Vector3 p;
  ContactMode mode;
};

ContactProblem one_contact(const Matrix3& W, const Vector3& b, const ImpulseLaw& law) {
  return make_problem(W, b, {law});
}

Matrix3 planar_matrix(double nn, double nt, double tt) {
  Matrix3 W = Matrix3::Zero();
  W.topLeftCorner<2, 2>() << nn, nt, nt, tt;
  return W;
}

// A problem whose solution is p and u.
ContactProblem manufactured(const Matrix3& W, const Vector3& p, const Vector3& u, double mu) {
  return one_contact(W, u - W * p, {ContactKind::kContact, mu});
}

std::vector<ClosedForm> closed_forms() {
  constexpr auto kContact = ContactKind::kContact;
  constexpr auto kFriction = ContactKind::kFriction;
  const Matrix3 particle = Matrix3::Identity() / 2.0;  // of 2 kg
  Matrix3 coupled;
  coupled << 2.0, 0.3, -0.2, 0.3, 3.0, 0.4, -0.2, 0.4, 1.5;
  return {
      {"leaving",
       one_contact(particle, {0.5, 3, 4}, {kContact, 0.5}),
       {0, 0, 0},
       ContactMode::kOpen},
      {"frictionless",
       one_contact(particle, {-1, 3, 4}, {kContact, 0}),
       {2, 0, 0},
       ContactMode::kClosed},
      {"sticking",
       one_contact(particle, {-1, 3, 4}, {kContact, 6}),
       {2, -6, -8},
       ContactMode::kStick},
      {"sliding",
       one_contact(particle, {-1, 3, 4}, {kContact, 0.5}),
       {2, -0.6, -0.8},
       ContactMode::kSlip},
      // p_n = 1/(2 − 0.2·0.5), u_t = 2 + p_n (0.5 − 0.2·3) > 0
      {"sliding in the plane",
       one_contact(planar_matrix(2, 0.5, 3), {-1, 2, 0}, {kContact, 0.2}),
       {1 / 1.9, -0.2 / 1.9, 0},
       ContactMode::kSlip},
      {"sticking in the plane",
       one_contact(planar_matrix(2, 0.5, 3), {-1, 0.1, 0}, {kContact, 0.5}),
       {(3 + 0.05) / 5.75, -(0.2 + 0.5) / 5.75, 0},
       ContactMode::kStick},
      {"sliding, the normal coupled with both tangents",
       manufactured(coupled, {1.5, -0.36, -0.48}, {0, 0.42, 0.56}, 0.4),
       {1.5, -0.36, -0.48},
       ContactMode::kSlip},
      {"friction element below its limit",
       one_contact(particle, {-7, 3, 4}, {kFriction, 11}),
       {0, -6, -8},
       ContactMode::kStick},
      {"friction element at its limit",
       one_contact(particle, {-7, 3, 4}, {kFriction, 1}),
       {0, -0.6, -0.8},
       ContactMode::kSlip},
      {"friction element in the plane",
       one_contact(planar_matrix(0, 0, 4), {0, 2, 0}, {kFriction, 0.1}),
       {0, -0.1, 0},
       ContactMode::kSlip},
  };
}

TEST(ContactClosedForm, EverySolverFindsTheImpulsesOfSingleContacts) {
  for (const ContactSolverEntry& entry : contact_solver_catalog()) {
    const auto solver = entry.make({{"tolerance", "1e-11"}});
    for (const ClosedForm& c : closed_forms()) {
      Vector p = Vector::Zero(3);
      const ContactReport report = solver->solve(c.problem, p);
      EXPECT_TRUE(report.ok()) << entry.name << ", " << c.name << ": " << report.residual;
      EXPECT_LT((p - c.p).norm(), 1e-9) << entry.name << ", " << c.name << ": " << p.transpose();
      EXPECT_EQ(contact_mode(c.problem, 0, p), c.mode) << entry.name << ", " << c.name;
    }
  }
}

TEST(ContactClosedForm, TheResidualVanishesAtSolutionsAndNowhereNearThem) {
  for (const ClosedForm& c : closed_forms()) {
    EXPECT_LT(contact_residual(c.problem, c.p), 1e-15) << c.name;
    for (const double change : {-1e-3, 1e-3})
      for (int k = 0; k < 3; ++k) {
        const bool is_dead = c.problem.W.diagonal(0)(k, k) == 0.0;
        if (is_dead) continue;
        Vector p = c.p;
        p(k) += change;
        EXPECT_GT(contact_residual(c.problem, p), 1e-5) << c.name << ", component " << k;
      }
  }
}

TEST(ContactClosedForm, TheResidualDoesNotDependOnUnits) {
  const ContactCase c = random_scene(3);
  std::mt19937 random(7);
  Vector p(c.problem.b.size());
  for (double& entry : p)
    entry = std::normal_distribution<double>()(random) / c.problem.W.diagonal(0)(0, 0);
  const double residual = contact_residual(c.problem, p);
  EXPECT_GT(residual, 0.01);
  for (const double mass : {1e-9, 1e-3, 1e6})
    for (const double speed : {1.0, 1e-4}) {
      ContactProblem other =
          make_problem(c.problem.W.dense() / mass, c.problem.b * speed, c.problem.laws);
      for (ImpulseLaw& law : other.laws)
        if (law.kind == ContactKind::kFriction) law.coefficient *= mass * speed;
      const Vector q = p * (mass * speed);
      EXPECT_NEAR(contact_residual(other, q), residual, 1e-12 * residual) << mass << ", " << speed;
    }
}

TEST(ContactClosedForm, TheLocalSolverSolvesEveryThreeByThreeProblem) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    Matrix3 A;
    for (double& entry : A.reshaped())
      entry = normal(random);
    const Matrix3 W = A * A.transpose() + 0.01 * Matrix3::Identity();
    const Vector3 b(-std::abs(normal(random)), normal(random), normal(random));
    const ImpulseLaw law{k % 7 == 0 ? ContactKind::kFriction : ContactKind::kContact,
                         std::abs(2.0 * normal(random))};
    LocalContact local;
    local.prepare(W, law);
    // cancellation in W_tt − W_tn W_nt/W_nn costs the digits of the condition of W
    EXPECT_LT(contact_residual(one_contact(W, b, law), local.solve(b)), 1e-10) << "number " << k;
  }
}

// Bodies that nothing can move apart: u_n = b_n < 0 whatever the impulses.
TEST(ContactClosedForm, ProblemsWithoutSolutionAreNeverCalledSolved) {
  const Matrix3 still = Matrix3::Zero();
  Matrix squeezed = Matrix::Zero(6, 6);  // a body between two walls that close in on it
  squeezed(0, 0) = squeezed(3, 3) = 1.0;
  squeezed(0, 3) = squeezed(3, 0) = -1.0;
  Vector closing = Vector::Zero(6);
  closing(0) = -1.0;
  closing(3) = -0.5;
  for (const ContactSolverEntry& entry : contact_solver_catalog()) {
    const auto solver = entry.make({});
    Vector p = Vector::Zero(3);
    const ContactReport blocked =
        solver->solve(one_contact(still, {-1, 0, 0}, {ContactKind::kContact, 0.3}), p);
    EXPECT_FALSE(blocked.ok()) << entry.name;
    EXPECT_GT(blocked.residual, 0.5) << entry.name;

    p = Vector::Zero(6);
    const ContactReport crushed = solver->solve(make_problem(squeezed, closing, {{}, {}}), p);
    EXPECT_EQ(crushed.status, ContactReport::Status::kNoSolution) << entry.name;
    EXPECT_TRUE(p.allFinite()) << entry.name;
  }
}

TEST(ContactClosedForm, WhatIsNotFiniteIsReported) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const ContactSolverEntry& entry : contact_solver_catalog()) {
    const auto solver = entry.make({});
    Vector p = Vector::Zero(3);
    const ImpulseLaw law{ContactKind::kContact, 0.3};
    EXPECT_EQ(solver->solve(one_contact(Matrix3::Identity(), {-1, nan, 0}, law), p).status,
              ContactReport::Status::kNotFinite)
        << entry.name;
    EXPECT_EQ(p, Vector::Zero(3)) << entry.name;
    // a bad guess does no harm
    p = Vector::Constant(3, nan);
    EXPECT_TRUE(solver->solve(one_contact(Matrix3::Identity(), {-1, 2, 0}, law), p).ok())
        << entry.name;
  }
}

// Velocities of nothing need no impulse, whatever impulse the step before had.
TEST(ContactClosedForm, ContactsWithoutAnyVelocityForgetTheirImpulse) {
  const ImpulseLaw law{ContactKind::kContact, 0.3};
  for (const ContactSolverEntry& entry : contact_solver_catalog()) {
    for (const double b : {0.0, -1e-100}) {
      Vector p = Vector::Constant(3, 2.0);
      const auto solver = entry.make({});
      EXPECT_TRUE(solver->solve(one_contact(Matrix3::Identity(), {b, 0, 0}, law), p).ok())
          << entry.name << ", b = " << b;
      EXPECT_NEAR(p(0), -b, 1e-9 * -b) << entry.name;
      EXPECT_EQ(p.tail(2), Vector::Zero(2)) << entry.name;
    }
  }
}

}  // namespace
}  // namespace picus::testing
