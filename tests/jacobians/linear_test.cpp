// SPDX-License-Identifier: BSD-3-Clause
// Systems that promise to be linear are.
#include <gtest/gtest.h>

#include "studies/problems/bar.h"
#include "tests/support/impact_systems.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

void expect_linear(const char* name, const System& system, State start) {
  size_state(system, start);
  const TangentChecks checks(name, system, start);
  checks.all();
  checks.of_a_linear_system_everywhere(start);
}

TEST(LinearSystems, HaveTheSameDerivativesEverywhere) {
  const problems::BouncingBall ball;
  expect_linear("ball", *make_system(ball), ball.at(1.0, 0.0));
  const problems::ImpactOscillator oscillator;
  expect_linear("oscillator", *make_system(oscillator), oscillator.at(1.0, 0.0));
  problems::ElasticBar bar;
  bar.elements = 5;
  for (const auto mass : {problems::BarMass::kLumped, problems::BarMass::kConsistent}) {
    bar.mass = mass;
    expect_linear("bar", *bar.make(), bar.start());
  }
}

TEST(LinearSystems, AreNotAssumed) {
  EXPECT_FALSE(make_system(problems::BouncingPendulum{})->is_linear());
  EXPECT_FALSE(disk_and_rod()->is_linear());
}

}  // namespace
}  // namespace picus::testing
