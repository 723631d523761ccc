// SPDX-License-Identifier: BSD-3-Clause
// Sweeps with momentum, leaps between them, and solvers that are brief.
#include "picus/solvers/momentum_sweeps.h"

#include <gtest/gtest.h>

#include "picus/solvers/contact_catalog.h"
#include "picus/solvers/contact_leaps.h"
#include "tests/solvers/contact_problems.h"

namespace picus::testing {
namespace {

constexpr double kTolerance = 1e-6;

// A tower that falls on the ground: the impulse of the ground has to climb.
ContactProblem tower(int storeys) {
  ContactScene scene(false);
  const Vector3 up = Vector3::UnitZ();
  int below = ContactScene::kGround;
  for (int s = 0; s < storeys; ++s) {
    const Vector3 centre(0.0, 0.0, 0.5 + s);
    const int ball = scene.add_body(1.0, 0.1, centre, -0.1 * up);
    scene.add_contact(ball, below, centre - 0.5 * up, up, 0.3);
    below = ball;
  }
  return scene.problem();
}

int plain_sweeps(const ContactProblem& problem, int most) {
  GaussSeidelSweep sweep;
  sweep.prepare(problem);
  Vector p = Vector::Zero(problem.b.size());
  int count = 0;
  while (count < most && contact_residual(problem, p) > kTolerance) {
    sweep.run(problem, 1.0, false, p);
    ++count;
  }
  return count;
}

TEST(MomentumSweeps, LetImpulsesClimbATowerSooner) {
  constexpr int kMost = 20000;
  const ContactProblem problem = tower(40);
  const Vector zero = Vector::Zero(problem.b.size());
  MomentumSweeps sweeps(kTolerance);
  sweeps.start(problem, zero, contact_residual(problem, zero));
  sweeps.run(problem, kMost);
  EXPECT_TRUE(sweeps.converged());
  EXPECT_LE(contact_residual(problem, sweeps.progress().impulse()), kTolerance);
  EXPECT_LT(5 * sweeps.iterations(), plain_sweeps(problem, kMost));
}

// β shrinks where it is too large, down to plain sweeps.
TEST(MomentumSweeps, SolveWhatPlainSweepsSolve) {
  constexpr int kMost = 4000;
  int solved = 0;
  for (const ContactCase& c : mechanical_cases()) {
    if (plain_sweeps(c.problem, kMost) == kMost) continue;
    const Vector zero = Vector::Zero(c.problem.b.size());
    MomentumSweeps sweeps(kTolerance);
    sweeps.start(c.problem, zero, contact_residual(c.problem, zero));
    sweeps.run(c.problem, 2 * kMost);
    EXPECT_TRUE(sweeps.converged()) << c.name << ": " << sweeps.progress().best();
    ++solved;
  }
  EXPECT_GT(solved, 30);
}

// Pyramids from nothing, for which thirty pivots are far too few: wherever a leap ends, sweeps go
// on.
TEST(ContactLeaps, LeadSweepsToASolution) {
  constexpr double kTight = 1e-9;
  for (const double mu : {0.3, 0.4, 0.8}) {
    const ContactProblem problem = pyramid(10, false, mu).problem;
    const Vector zero = Vector::Zero(problem.b.size());
    ContactLeaps leaps(kTight);
    leaps.start(problem, zero, contact_residual(problem, zero));
    leaps.run(problem, 50);
    EXPECT_TRUE(leaps.converged()) << mu << ": " << leaps.progress().best();
    EXPECT_LE(contact_residual(problem, leaps.progress().impulse()), kTight);
  }
}

// The tolerance is below rounding: a patient solver would try everything.
TEST(AutomaticContactSolver, GivesUpEarlyWhenItIsBrief) {
  const ContactProblem problem = pyramid(15, false, 0.3).problem;
  ASSERT_GT(problem.contacts(), 200);
  const auto solver = make_contact_solver("automatic", {{"tolerance", "1e-17"}});
  solver->set_search_effort(SearchEffort::kBrief);
  Vector p = Vector::Zero(problem.b.size());
  const ContactReport report = solver->solve(problem, p);
  EXPECT_EQ(report.status, ContactReport::Status::kIterationLimit);
  EXPECT_DOUBLE_EQ(report.residual, contact_residual(problem, p));
  EXPECT_LT(report.residual, 1e-6);
  EXPECT_LT(report.iterations, 40000);
}

}  // namespace
}  // namespace picus::testing
