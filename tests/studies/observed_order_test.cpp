// SPDX-License-Identifier: BSD-3-Clause
#include "studies/observed_order.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "studies/reference_ode.h"

namespace picus::studies {
namespace {

TEST(ObservedOrder, FindsTheExponentOfAPowerLaw) {
  const std::vector<double> h{0.1, 0.05, 0.02, 0.01};
  std::vector<double> error;
  for (const double x : h)
    error.push_back(3.7 * std::pow(x, 2.5));
  EXPECT_NEAR(observed_order(h, error), 2.5, 1e-13);
}

TEST(ObservedOrder, AveragesNoiseInsteadOfFollowingThePointsAtTheEnds) {
  const std::vector<double> h{1.0, 0.5, 0.25, 0.125};
  const std::vector<double> error{1.0, 0.25 * 1.1, 0.0625 / 1.1, 0.015625};
  // by hand: 2 - 0.2 log2(1.1)
  EXPECT_NEAR(observed_order(h, error), 2.0 + 0.2 * std::log2(1.1), 1e-13);
}

TEST(ObservedOrder, CanLookAtTheFinestStepsOnly) {
  const std::vector<double> h{1.0, 0.5, 0.25, 0.125};
  const std::vector<double> error{9.0, 1.0, 0.5, 0.25};
  EXPECT_NEAR(observed_order(h, error, 3), 1.0, 1e-13);
  EXPECT_TRUE(std::isnan(observed_order(h, error, 5)));
}

TEST(ObservedOrder, HasNoOpinionOnUselessData) {
  EXPECT_TRUE(std::isnan(observed_order(std::vector{0.1}, std::vector{1.0})));
  EXPECT_TRUE(std::isnan(observed_order(std::vector{0.1, 0.2}, std::vector{1.0, 0.0})));
  EXPECT_TRUE(std::isnan(observed_order(std::vector{0.1, 0.2}, std::vector{1.0, std::nan("")})));
}

TEST(ReferenceOde, IsOfFourthOrderOnTheOscillator) {
  const auto spring = [](double angle, double) { return -angle; };
  std::vector<double> h, error;
  for (const int steps : {20, 40, 80}) {
    h.push_back(2.0 / steps);
    error.push_back(std::abs(integrate(spring, {1.0, 0.0}, 2.0, steps).angle - std::cos(2.0)));
  }
  EXPECT_NEAR(observed_order(h, error), 4.0, 0.1);
}

}  // namespace
}  // namespace picus::studies
