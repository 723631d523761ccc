// SPDX-License-Identifier: BSD-3-Clause
// Functions that fall below zero between two places where they are positive.
#include "picus/steppers/common/step_scan.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace picus::testing {
namespace {

/// One function of time on [0, 1].
class Curve final : public ScannedFunctions {
 public:
  Curve(std::function<double(double)> value, double smooth) : value_(value), smooth_(smooth) {
    scan_.start(1);
    scan_.begin().time = 0.0;
    scan_.end().time = 1.0;
    sample(scan_.begin());
    sample(scan_.end());
    scan_.arm(0, true);
  }
  ScanCrossing find() { return scan_.find(*this); }
  int samples() const { return samples_; }

  bool sample(ScanSample& sample) override {
    ++samples_;
    sample.value(0) = value_(sample.time);
    return true;
  }
  double crossing(int, const ScanSample& a, const ScanSample& b, bool armed) const override {
    if (!armed || b.value(0) >= 0.0) return -1.0;
    return a.time + (b.time - a.time) * a.value(0) / (a.value(0) - b.value(0));
  }
  double zero(int) const override { return 1e-12; }
  double spacing(double) override { return smooth_; }

 private:
  std::function<double(double)> value_;
  double smooth_;
  StepScan scan_;
  int samples_ = 0;
};

constexpr double kAlways = std::numeric_limits<double>::infinity();

TEST(StepScan, FindsADipWhereverItIs) {
  // 2 - A sin: below zero for a short time around its top, a quarter period in a step
  for (const double amplitude : {2.5, 2.1, 2.01, 2.001, 2.0001})
    for (double phase = 0.0; phase < 6.28; phase += 0.01) {
      const auto value = [&](double t) { return 2.0 - amplitude * std::sin(phase + 1.57 * t); };
      double first = -1.0;
      for (int i = 0; i <= 20000 && first < 0.0; ++i)
        if (value(i / 20000.0) < 0.0) first = i / 20000.0;
      if (value(0.0) < 0.0) continue;
      const ScanCrossing found = Curve(value, kAlways).find();
      ASSERT_EQ(found.exists(), first >= 0.0) << amplitude << ' ' << phase;
      if (!found.exists()) continue;
      EXPECT_LE(found.low, first);
      EXPECT_LT(value(found.high), 0.0);
    }
}

TEST(StepScan, LooksOnceWhereNothingIsNear) {
  Curve far([](double t) { return 5.0 + std::sin(1.57 * t); }, kAlways);
  EXPECT_FALSE(far.find().exists());
  EXPECT_EQ(far.samples(), 3);
  Curve none([](double) { return 0.0; }, kAlways);
  EXPECT_FALSE(none.find().exists());
  EXPECT_EQ(none.samples(), 3);
}

TEST(StepScan, SeesWhatIsShorterThanTheStepWhenItIsToldSo) {
  for (const double at : {0.13, 0.37, 0.5, 0.77}) {
    const auto value = [at](double t) { return std::abs(t - at) < 0.01 ? -1.0 : 1.0; };
    const ScanCrossing found = Curve(value, 0.02).find();
    ASSERT_TRUE(found.exists()) << at;
    EXPECT_LE(found.low, at - 0.01 + 1e-12);
    EXPECT_LT(value(found.high), 0.0);
  }
}

}  // namespace
}  // namespace picus::testing
