// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/modes.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/runs/models.h"

namespace picus {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

Modes modes_at_rest(const LoadedModel& loaded) {
  const Start start = assemble_start(*loaded.mechanism);
  const Equilibrium found = find_equilibrium(*loaded.mechanism, start);
  EXPECT_TRUE(found.found) << found.message;
  return find_modes(*loaded.mechanism, start.consistency, found.state);
}

TEST(Modes, APendulumSwingsAtTheRootOfThreeGOverTwoL) {
  const Modes modes = modes_at_rest(pendulum("0.3"));
  ASSERT_EQ(modes.modes.size(), 1U);
  EXPECT_NEAR(modes.modes[0].frequency, std::sqrt(3 * 9.81 / (2 * 2.0)) / kTwoPi, 1e-9);
  EXPECT_NEAR(modes.modes[0].damping, 0.0, 1e-9);
  EXPECT_TRUE(modes.is_stable());
}

TEST(Modes, AnUprightPendulumGrowsAtTheSameRate) {
  const Modes modes = modes_at_rest(pendulum("pi/2"));
  EXPECT_FALSE(modes.is_stable());
  ASSERT_EQ(modes.modes.size(), 2U);  // one grows, one decays
  double fastest = 0.0;
  for (const Mode& mode : modes.modes) {
    EXPECT_EQ(mode.frequency, 0.0);
    fastest = std::max(fastest, mode.eigenvalue.real());
  }
  EXPECT_NEAR(fastest, std::sqrt(3 * 9.81 / (2 * 2.0)), 1e-9);
}

const char* const kTwoMasses = R"(
dimension: 2
bodies:
  a: {type: planar, mass: 2, inertia: [1], at: [1, 0]}
  b: {type: planar, mass: 3, inertia: [1], at: [2, 0]}
joints:
  slide_a: {type: prismatic, between: [ground, a], at: [1, 0], axis: [1, 0]}
  slide_b: {type: prismatic, between: [ground, b], at: [2, 0], axis: [1, 0]}
forces:
  first: {type: spring_damper, between: [ground, a], stiffness: 300, length: 1}
  second: {type: spring_damper, between: [a, b], stiffness: 500, length: 1}
)";

TEST(Modes, TwoMassesHaveTheirClosedFormFrequencies) {
  const Modes modes = modes_at_rest(model_of(kTwoMasses));
  ASSERT_EQ(modes.modes.size(), 2U);
  // m1 m2 w⁴ − (m1 k2 + m2 (k1 + k2)) w² + k1 k2 = 0
  const double p = (2.0 * 500 + 3.0 * 800) / 6.0, r = 300.0 * 500.0 / 6.0;
  for (const int sign : {-1, 1}) {
    const double w = std::sqrt(0.5 * p + sign * std::sqrt(0.25 * p * p - r));
    EXPECT_NEAR(modes.modes[sign < 0 ? 0 : 1].frequency, w / kTwoPi, 1e-9);
  }
  // in the slow mode both move the same way, the outer one farther; m1 w² x1 = (k1+k2) x1 − k2 x2
  const Mode& slow = modes.modes[0];
  const double w2 = std::norm(slow.eigenvalue);
  EXPECT_NEAR((slow.shape(3) / slow.shape(0)).real(), (800.0 - 2.0 * w2) / 500.0, 1e-9);
  EXPECT_EQ(slow.leading.front(), "b.x");
}

TEST(Modes, ADamperGivesItsRatio) {
  const Modes modes = modes_at_rest(model_of(R"(
dimension: 2
bodies:
  block: {type: planar, mass: 2, inertia: [1], at: [1, 0]}
joints:
  slide: {type: prismatic, between: [ground, block], at: [1, 0], axis: [1, 0]}
forces:
  spring: {type: spring_damper, between: [ground, block], stiffness: 200, damping: 6, length: 1}
)"));
  ASSERT_EQ(modes.modes.size(), 1U);
  EXPECT_NEAR(modes.modes[0].frequency, 10.0 / kTwoPi, 1e-9);
  EXPECT_NEAR(modes.modes[0].damping, 6.0 / (2 * std::sqrt(200.0 * 2.0)), 1e-9);
}

TEST(Modes, AControlThatLagsAddsItsEigenvalue) {
  // m ẍ = −k x + s, ṡ = −4 s: the state decays on its own
  const Modes modes = modes_at_rest(model_of(R"(
dimension: 2
bodies:
  block: {type: planar, mass: 1, inertia: [1], at: [1, 0]}
joints:
  slide: {type: prismatic, between: [ground, block], at: [1, 0], axis: [1, 0]}
forces:
  spring: {type: spring_damper, between: [ground, block], stiffness: 100, length: 1}
  push: {type: force, body: block, force: [lag, 0]}
controls:
  lag: {type: state, initial: 0, rate: -4*lag}
)"));
  ASSERT_EQ(modes.modes.size(), 2U);
  EXPECT_NEAR(modes.modes[0].eigenvalue.real(), -4.0, 1e-9);
  EXPECT_NEAR(modes.modes[1].frequency, 10.0 / kTwoPi, 1e-9);
}

TEST(Modes, AFreeBodyHasZeroEigenvaluesAndSaysWhere) {
  const LoadedModel loaded = model_of(R"(
bodies:
  a: {type: point, mass: 1, at: [0, 0, 0]}
  b: {type: point, mass: 1, at: [1, 0, 0]}
forces:
  spring: {type: spring_damper, between: [a, b], stiffness: 50}
)");
  const Modes modes = modes_at_rest(loaded);
  ASSERT_EQ(modes.modes.size(), 1U);
  EXPECT_NEAR(modes.modes[0].frequency, 10.0 / kTwoPi, 1e-9);  // w² = 2k/m
  EXPECT_EQ(modes.zero_eigenvalues, 10);
  EXPECT_EQ(modes.free_motions.size(), 5U);
}

}  // namespace
}  // namespace picus
