// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/step_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace picus {
namespace {

// A parabola falls below the lowest of three values by at most an eighth of their second
// difference; a cubic by little more, where it is not monotone.
constexpr double kCurvature = 0.5;
constexpr double kSlope = 0.1;
// Of the error of a cubic at the middle; that of the cubics of both halves is a sixteenth.
constexpr double kCubicError = 0.25;
constexpr int kLongestScan = 4096;  // stretches
constexpr int kBudget = 64;         // samples beyond those of the stretches
// Bisections for a root of a cubic: of a parabolic flight it is exact.
constexpr int kBisections = 48;

double lowest_within(const ScanCubic& cubic) {
  double lowest = std::min(cubic.f0, cubic.f1);
  for (const double x : {0.25, 0.5, 0.75})
    lowest = std::min(lowest, cubic(x));
  return lowest;
}

}  // namespace

double ScanCubic::falls_below(double level, double above, double below) const {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (above + below);
    ((*this)(middle) < level ? below : above) = middle;
  }
  return above;
}

void StepScan::start(int functions) {
  if (!middle_.empty() && begin_.value.size() == functions) return;
  middle_.resize(kDepth + 1);
  armed_.assign(static_cast<std::size_t>(functions), 0);
  const auto size = [functions](ScanSample& sample) {
    sample.value = Vector::Zero(functions);
    sample.rate = Vector::Constant(functions, std::numeric_limits<double>::quiet_NaN());
  };
  for (ScanSample* sample : {&begin_, &end_, &left_, &right_})
    size(*sample);
  for (ScanSample& sample : middle_)
    size(sample);
}

ScanCrossing StepScan::find_between_ends(const ScannedFunctions& functions) {
  found_ = {};
  look(functions, begin_, end_);
  return found_;
}

ScanCrossing StepScan::find(ScannedFunctions& functions) {
  found_ = {};
  budget_ = kBudget;
  const double length = end_.time - begin_.time;
  const double shortest = length / kLongestScan;
  double stretch = functions.spacing(begin_.time);
  if (!(stretch < length)) {
    search(functions, begin_, end_, 0);
    return found_;
  }
  left_ = begin_;
  while (left_.time < end_.time) {
    right_.time = left_.time + std::max(shortest, stretch);
    if (!(right_.time + shortest < end_.time) || !functions.sample(right_)) right_ = end_;
    if (search(functions, left_, right_, 0)) break;
    std::swap(left_, right_);
    stretch = functions.spacing(left_.time);
  }
  return found_;
}

bool StepScan::search(ScannedFunctions& functions, const ScanSample& a, const ScanSample& b,
                      std::size_t depth) {
  ScanSample& middle = middle_[depth];
  middle.time = 0.5 * (a.time + b.time);
  if (!functions.sample(middle)) return look(functions, a, b);
  if (depth < kDepth && budget_ > 0 && may_dip(functions, a, middle, b)) {
    budget_ -= 2;
    return search(functions, a, middle, depth + 1) || search(functions, middle, b, depth + 1);
  }
  return look(functions, a, middle) || look(functions, middle, b);
}

bool StepScan::look(const ScannedFunctions& functions, const ScanSample& a, const ScanSample& b) {
  for (int i = 0; i < a.value.size(); ++i) {
    char& armed = armed_[static_cast<std::size_t>(i)];
    const double time = functions.crossing(i, a, b, armed != 0);
    if (time >= 0.0 && (!found_.exists() || time < found_.time))
      found_ = {i, a.time, b.time, time, a.value(i)};
    if (b.value(i) > functions.zero(i)) armed = 1;
  }
  return found_.exists();
}

bool StepScan::may_dip(const ScannedFunctions& functions, const ScanSample& a, const ScanSample& m,
                       const ScanSample& b) const {
  for (int i = 0; i < a.value.size(); ++i) {
    const double fa = a.value(i), fm = m.value(i), fb = b.value(i);
    const bool armed = armed_[static_cast<std::size_t>(i)] != 0;
    if (fm < 0.0 || fb < 0.0) continue;  // seen
    if (std::max(fm, fb) <= functions.zero(i)) continue;
    if (!std::isnan(a.rate(i) + m.rate(i) + b.rate(i))) {
      const double error = std::abs(ScanCubic(i, a, b)(0.5) - fm);
      const double behind = lowest_within({i, m, b});
      const double lowest = armed ? std::min(behind, lowest_within({i, a, m})) : behind;
      if (lowest < kCubicError * error) return true;
      continue;
    }
    const double lowest = armed ? std::min({fa, fm, fb}) : std::min(fm, fb);
    const double bend = std::abs(fa - 2.0 * fm + fb);
    const double change = std::max(std::abs(fm - fa), std::abs(fb - fm));
    if (lowest < kCurvature * bend + kSlope * change) return true;
  }
  return false;
}

}  // namespace picus
