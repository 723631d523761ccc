// SPDX-License-Identifier: BSD-3-Clause
#include "studies/problems/bar_solution.h"

#include <gtest/gtest.h>

namespace picus::problems {
namespace {

// An independent program (numpy, scipy) with 50 elements.
TEST(BarSolution, AgreesWithAnIndependentComputation) {
  ElasticBar bar;
  bar.elements = 50;
  const BarSolution lumped(bar);
  EXPECT_NEAR(lumped.release(), 1.172736014, 1e-9);
  EXPECT_NEAR(bar.energy(lumped.at(2.5)), 495.0, 1e-9);
  bar.mass = BarMass::kConsistent;
  const BarSolution consistent(bar);
  EXPECT_NEAR(consistent.release(), 1.160536211, 1e-9);
  EXPECT_NEAR(bar.energy(consistent.at(2.5)), 497.11325, 1e-5);
}

TEST(BarSolution, KeepsEnergyAndBalancesMomentum) {
  for (const BarMass mass : {BarMass::kLumped, BarMass::kConsistent}) {
    ElasticBar bar;
    bar.elements = 20;
    bar.mass = mass;
    const BarSolution solution(bar);
    const double energy = bar.energy(solution.at(0.5 + 1e-9));
    for (const double t : {0.6, 0.9, 1.15, 1.2, 2.0}) {
      EXPECT_NEAR(bar.energy(solution.at(t)), energy, 1e-9) << t;
    }
    EXPECT_NEAR(bar.momentum(solution.at(2.0)) + bar.total_mass() * bar.speed, solution.impulse(),
                1e-9);
    // positions and velocities do not jump where the pieces are joined, but for the impact
    const double t = solution.release();
    EXPECT_NEAR(solution.at(t - 1e-9).position(0), -bar.distance, 1e-12);
    EXPECT_LT((solution.at(t + 1e-9).velocity - solution.at(t - 1e-9).velocity).norm(), 1e-4);
    EXPECT_LT((solution.at(0.5 + 1e-9).position - solution.at(0.5).position).norm(), 1e-6);
    EXPECT_GT(solution.at(1.6).position(0), -bar.distance);  // it does not come back
  }
}

// Waves of the continuous bar: the mesh follows them, better the finer it is.
TEST(BarSolution, ApproachesTheContinuousBar) {
  std::vector<double> errors;
  for (const int elements : {25, 100}) {
    ElasticBar bar;
    bar.elements = elements;
    const BarSolution solution(bar);
    double error = 0.0;
    for (int i = 0; i <= elements; ++i) {
      const double x = bar.L * i / elements;
      for (const double t : {0.4, 0.7, 1.0, 1.4})
        error =
            std::max(error, std::abs(solution.at(t).position(i) - bar.exact(x, t).displacement));
    }
    errors.push_back(error);
  }
  EXPECT_LT(errors[1], 0.1);
  EXPECT_LT(errors[1], 0.5 * errors[0]);
}

}  // namespace
}  // namespace picus::problems
