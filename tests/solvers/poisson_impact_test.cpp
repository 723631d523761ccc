// SPDX-License-Identifier: BSD-3-Clause
// Poisson's law of restitution: what it shares with Newton's, and that it gives no energy.
#include "picus/solvers/poisson_impact.h"

#include <cmath>
#include <random>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "picus/solvers/contact_catalog.h"
#include "tests/solvers/contact_problems.h"

namespace picus::testing::poisson_impact {
namespace {

struct ImpactCase {
  Matrix W;
  Vector before;
  std::vector<ImpulseLaw> laws;
  std::vector<double> parts;
};

// Contacts of a few bodies with masses and directions by chance.
ImpactCase random_impact(std::mt19937& random, int contacts, bool planar, bool elastic) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const int velocities = 3 * contacts + 2;
  Matrix J = Matrix::Zero(3 * contacts, velocities);
  for (int row = 0; row < J.rows(); ++row)
    for (int col = 0; col < J.cols(); ++col)
      if (!planar || row % 3 != 2) J(row, col) = normal(random);
  ImpactCase result{J * J.transpose(), Vector::Zero(3 * contacts), {}, {}};
  Vector v(velocities);
  for (double& entry : v)
    entry = normal(random);
  result.before = J * v;
  for (int i = 0; i < contacts; ++i) {
    result.laws.push_back({ContactKind::kContact, 1.5 * uniform(random)});
    result.parts.push_back(elastic ? 1.0 : uniform(random));
    // most approach, some touch or part
    double& rate = result.before(3 * i);
    rate = i % 3 == 2 ? 0.0 : -std::abs(rate);
  }
  return result;
}

struct ImpactResult {
  bool found = false;
  Vector impulse, after;
};

ImpactResult solve(const ImpactCase& impact) {
  ContactProblem problem = make_problem(impact.W, impact.before, impact.laws);
  const auto solver = make_contact_solver("automatic", {{"tolerance", "1e-12"}});
  PoissonImpact poisson;
  ImpactResult result;
  result.impulse = Vector::Zero(impact.before.size());
  result.found = poisson.solve(*solver, impact.before, impact.parts, problem, result.impulse).ok();
  result.impulse += poisson.given();
  result.after = impact.before + impact.W * result.impulse;
  return result;
}

TEST(PoissonImpact, IsNewtonsForOneContactWithoutFriction) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const Matrix W = Matrix(Vector{{0.5, 0.7, 0.0}}.asDiagonal());
    const ImpactResult result =
        solve({W, Vector{{-2.0, 1.0, 0.0}}, {{ContactKind::kContact, 0.0}}, {e}});
    ASSERT_TRUE(result.found);
    EXPECT_NEAR(result.after(0), 2.0 * e, 1e-12);
    EXPECT_NEAR(result.after(1), 1.0, 1e-12);
  }
}

TEST(PoissonImpact, LeavesRestAlone) {
  const Matrix W = Matrix(Vector{{0.5, 0.7, 0.7}}.asDiagonal());
  const ImpactResult result =
      solve({W, Vector{{0.0, 1.0, 0.5}}, {{ContactKind::kContact, 0.6}}, {1.0}});
  ASSERT_TRUE(result.found);
  EXPECT_EQ(result.impulse.norm(), 0.0);
}

// A rod of 1 kg and 1 m, 0.8 rad above a rough floor, comes down with 1 m/s and slides with 0.5:
// compression ends with stick, expansion slides back. The numbers are those of the two phases
// worked out by hand.
TEST(PoissonImpact, OfARodIsThatOfItsTwoPhases) {
  const double phi = 0.8, J = 1.0 / 12.0;
  const double x = -0.5 * std::cos(phi), y = -0.5 * std::sin(phi);
  Matrix W = Matrix::Zero(3, 3);
  W(0, 0) = 1.0 + x * x / J;
  W(1, 1) = 1.0 + y * y / J;
  W(0, 1) = W(1, 0) = -x * y / J;
  const ImpactResult result =
      solve({W, Vector{{-1.0, 0.5, 0.0}}, {{ContactKind::kContact, 0.5}}, {1.0}});
  ASSERT_TRUE(result.found);
  EXPECT_NEAR(result.impulse(0), 0.8970595405854018, 1e-10);
  EXPECT_NEAR(result.impulse(1), 0.2920798967184065, 1e-10);
  EXPECT_NEAR(result.after(0), 0.7654252542639316, 1e-10);
  EXPECT_NEAR(result.after(1), -0.10202292370556415, 1e-10);
}

// ΔT = P·(u⁺ + u⁻)/2. Newton's law with the same numbers gains in a part of the cases, so that the
// test could tell.
TEST(PoissonImpact, NeverGivesEnergy) {
  std::mt19937 random(7);
  int newton_gains = 0, cases = 0, found = 0;
  for (const int contacts : {1, 2, 3, 5})
    for (const bool planar : {true, false})
      for (int k = 0; k < 60; ++k) {
        const ImpactCase impact = random_impact(random, contacts, planar, k % 2 == 0);
        const ImpactResult result = solve(impact);
        ++cases;
        found += result.found;
        if (!result.found) continue;
        const double work = 0.5 * result.impulse.dot(result.after + impact.before);
        const double size = 0.5 * result.impulse.cwiseAbs().dot(impact.before.cwiseAbs());
        EXPECT_LE(work, 1e-8 * size) << contacts << " contacts, case " << k;
        for (int i = 0; i < contacts; ++i) {
          EXPECT_GE(result.after(3 * i), -1e-7 * max_abs(impact.before)) << contacts << " " << k;
          EXPECT_GE(result.impulse(3 * i), 0.0);
        }
        Vector b = impact.before;
        for (int i = 0; i < contacts; ++i)
          b(3 * i) *= 1.0 + impact.parts[static_cast<std::size_t>(i)];
        Vector p = Vector::Zero(b.size());
        if (!make_contact_solver("automatic", {{"tolerance", "1e-12"}})
                 ->solve(make_problem(impact.W, b, impact.laws), p)
                 .ok())
          continue;
        newton_gains += 0.5 * p.dot(impact.W * p + 2.0 * impact.before) > 1e-3 * size;
      }
  EXPECT_EQ(found, cases);
  EXPECT_GT(newton_gains, cases / 20);
}

}  // namespace
}  // namespace picus::testing::poisson_impact
