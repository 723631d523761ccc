// SPDX-License-Identifier: BSD-3-Clause
// Regions of large contact problems, and the solver that works on them.
#include "picus/solvers/contact_regions.h"

#include <gtest/gtest.h>

#include "picus/solvers/contact_catalog.h"
#include "tests/solvers/contact_problems.h"

namespace picus::testing {
namespace {

constexpr int kAll = 1000;  // rings that reach everywhere

// Balls one above the other, in towers that do not touch.
ContactProblem towers(int count, int storeys) {
  ContactScene scene(true);
  const Vector3 up = Vector3::UnitY();
  for (int k = 0; k < count; ++k) {
    int below = ContactScene::kGround;
    for (int s = 0; s < storeys; ++s) {
      const Vector3 centre(3.0 * k, 0.5 + s, 0.0);
      const int ball = scene.add_body(1.0, 0.1, centre, Vector3(0.01 * s, -0.02, 0.0));
      scene.add_contact(ball, below, centre - 0.5 * up, up, 0.3);
      below = ball;
    }
  }
  return scene.problem();
}

Vector solved(const ContactProblem& problem) {
  Vector p = Vector::Zero(problem.b.size());
  EXPECT_TRUE(
      make_contact_solver("semismooth_newton", {{"tolerance", "1e-10"}})->solve(problem, p).ok());
  return p;
}

// Contacts of a region, in its order.
std::vector<int> members(const ContactRegions& regions, const ContactProblem& problem, int region,
                         int size) {
  Vector all = Vector::Zero(problem.b.size());
  regions.put_back(region, Vector::Ones(3 * size), all);
  std::vector<int> result;
  for (int i = 0; i < problem.contacts(); ++i)
    if (all(3 * i) != 0.0) result.push_back(i);
  return result;
}

TEST(ContactRegions, ASolvedProblemHasNone) {
  const ContactProblem problem = pyramid(6, true, 0.3).problem;
  ContactRegions regions;
  regions.find(problem, solved(problem), 1e-6, 2);
  EXPECT_EQ(regions.count(), 0);
  EXPECT_EQ(regions.contacts(), 0);
  EXPECT_LE(regions.worst(), 1e-10);
}

TEST(ContactRegions, WhatDoesNotTouchIsARegionOfItsOwn) {
  const ContactProblem problem = towers(7, 5);
  Vector p = solved(problem);
  p(3 * 6) += 0.1;   // in the second tower
  p(3 * 31) += 0.1;  // in the last one
  ContactRegions regions;
  regions.find(problem, p, 1e-6, kAll);
  ASSERT_EQ(regions.count(), 2);
  EXPECT_EQ(regions.contacts(), 10);
  EXPECT_EQ(members(regions, problem, 0, 5), (std::vector<int>{5, 6, 7, 8, 9}));
  EXPECT_EQ(members(regions, problem, 1, 5), (std::vector<int>{30, 31, 32, 33, 34}));
}

TEST(ContactRegions, EachRingIsOneBodyFurther) {
  const ContactProblem problem = towers(1, 30);
  Vector p = solved(problem);
  p(3 * 15) += 0.1;  // disturbs this contact and the two beside it
  ContactRegions regions;
  for (int rings = 0; rings < 5; ++rings) {
    regions.find(problem, p, 1e-6, rings);
    ASSERT_EQ(regions.count(), 1) << rings;
    EXPECT_EQ(regions.contacts(), 3 + 2 * rings);
  }
}

// Velocities inside a region are those of the whole, its violations too, whatever its impulses.
TEST(ContactRegions, APartStandsForTheWholeWhileTheRestStays) {
  for (const bool planar : {true, false}) {
    const ContactProblem problem = pyramid(8, planar, 0.3).problem;
    Vector p = solved(problem);
    p(3 * 40) += 0.3;
    ContactRegions regions;
    regions.find(problem, p, 1e-6, 1);
    ASSERT_EQ(regions.count(), 1);
    ContactProblem part;
    Vector share;
    regions.pose(problem, p, 0, part, share);
    ASSERT_EQ(part.contacts(), regions.contacts());
    ASSERT_LT(part.contacts(), problem.contacts() / 2);
    const std::vector<int> inside = members(regions, problem, 0, part.contacts());
    for (int change = 0; change < 2; ++change) {
      double worst = 0.0;
      for (int k = 0; k < part.contacts(); ++k) {
        const int i = inside[static_cast<std::size_t>(k)];
        const Vector3 u = problem.velocity(i, p);
        EXPECT_LT((part.velocity(k, share) - u).norm(), 1e-12) << k;
        worst = std::max(worst, contact_violation(problem, i, p.segment<3>(3 * i), u));
      }
      EXPECT_NEAR(contact_residual(part, share) * max_abs(problem.b), worst, 1e-12);
      share *= 1.5;  // and once more with other impulses
      regions.put_back(0, share, p);
    }
  }
}

// Towers of which every tenth is disturbed, and pyramids in which everything depends on everything.
TEST(ContactRegions, TheAutomaticSolverMeetsItsToleranceOnLargeProblems) {
  for (const char* tolerance : {"1e-3", "1e-6"}) {
    const auto solver = make_contact_solver("automatic", {{"tolerance", tolerance}});
    const ContactProblem many = towers(100, 8);
    Vector p = solved(many);
    for (int k = 0; k < many.contacts(); k += 80)
      p(3 * k) += 0.5;
    const ContactReport report = solver->solve(many, p);
    EXPECT_TRUE(report.ok());
    EXPECT_LE(contact_residual(many, p), std::stod(tolerance));
    EXPECT_NEAR(report.residual, contact_residual(many, p), 1e-12);
    for (const bool planar : {true, false})
      for (const double mu : {0.2, 0.5}) {
        const ContactCase c = pyramid(planar ? 17 : 15, planar, mu);
        Vector q = Vector::Zero(c.problem.b.size());
        EXPECT_TRUE(solver->solve(c.problem, q).ok()) << c.name << ", mu " << mu;
        EXPECT_LE(contact_residual(c.problem, q), std::stod(tolerance)) << c.name << ", mu " << mu;
      }
  }
}

// Rows of balls between walls, of which one comes closer. Nothing can prevent penetration there.
TEST(ContactRegions, LargeProblemsWithoutSolutionAreProvedToBeSo) {
  ContactScene scene(true);
  constexpr int kRows = 60, kBalls = 4;
  for (int row = 0; row < kRows; ++row) {
    int last = ContactScene::kGround;
    for (int k = 0; k <= kBalls; ++k) {
      const Vector3 gap(k - 0.5, 2.0 * row, 0.0);
      const int ball = k == kBalls ? ContactScene::kGround
                                   : scene.add_body(1.0, 0.1, Vector3(k, 2.0 * row, 0.0),
                                                    Vector3(0.1, 0.0, 0.0));
      scene.add_contact(ball, last, gap, Vector3::UnitX(), 0.0);
      last = ball;
    }
  }
  ContactProblem problem = scene.problem();
  problem.b(0) -= 1.0;
  Vector p = Vector::Zero(problem.b.size());
  const ContactReport report = make_contact_solver("automatic")->solve(problem, p);
  EXPECT_EQ(report.status, ContactReport::Status::kNoSolution);
}

}  // namespace
}  // namespace picus::testing
