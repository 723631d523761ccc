// SPDX-License-Identifier: BSD-3-Clause
#include "studies/problems/impact_solutions.h"

#include <gtest/gtest.h>

namespace picus::problems {
namespace {

TEST(ExactMotion, OfTheBallIsThatOfAcary10) {
  const ImpactMotion motion = exact_motion(BouncingBall{}, 1.0);
  for (double t = 0.0; t < 4.0; t += 0.01)
    EXPECT_NEAR(motion.at(t).position, BouncingBall::height(t), 1e-14) << t;
  for (std::size_t n = 0; n < 20; ++n) {  // at 3 - 2^(1-n), with speeds 2, 1, 1/2, …
    const double t = 3.0 - std::exp2(1.0 - static_cast<double>(n));
    EXPECT_NEAR(motion.impacts().at(n), t, 1e-14);
    EXPECT_NEAR(motion.at(n, t).velocity, -std::exp2(1.0 - static_cast<double>(n)), 1e-12);
    EXPECT_NEAR(motion.at(t + 1e-13).velocity, std::exp2(-static_cast<double>(n)), 1e-12);
  }
  EXPECT_EQ(motion.at(3.5).velocity, 0.0);
}

// Figures of a computation with 40 digits.
TEST(ExactMotion, OfTheOscillatorIsThatOfAComputationWithFortyDigits) {
  const ImpactMotion motion = exact_motion(ImpactOscillator{}, 1.0, 20.0);
  const double impacts[] = {1.62284701180194, 4.76837403468994, 7.91390105757794, 11.0594280804659};
  for (std::size_t n = 0; n < 4; ++n)
    EXPECT_NEAR(motion.impacts().at(n), impacts[n], 1e-13);
  EXPECT_NEAR(motion.at(0, impacts[0]).velocity, -0.922062425972, 1e-12);
  EXPECT_NEAR(motion.at(1, impacts[0]).velocity, 0.5 * 0.922062425972, 1e-12);
  EXPECT_NEAR(motion.at(5.0).position, 0.04469645157469176, 1e-14);
  EXPECT_NEAR(motion.at(10.0).position, 0.06615110236337747, 1e-14);
  EXPECT_NEAR(motion.at(15.0).position, 0.01054102958537558, 1e-14);
}

}  // namespace
}  // namespace picus::problems
