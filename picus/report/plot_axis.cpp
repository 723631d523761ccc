// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace picus::report {
namespace {

constexpr int kMostLinearTicks = 7;
constexpr int kMostDecades = 7;  // labelled ones

// The 1-2-5 step that gives at most kMostLinearTicks intervals.
double nice_step(double span) {
  const double raw = span / kMostLinearTicks;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

Ticks linear_ticks(const Range& range) {
  Ticks result;
  const double step = nice_step(range.high - range.low);
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));
  if (magnitude < -1 || magnitude > 3) result.common_exponent = magnitude;
  const double unit = std::pow(10.0, result.common_exponent);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step / unit) + 1e-9)));
  const auto first = static_cast<long>(std::ceil(range.low / step - 1e-9));
  const auto last = static_cast<long>(std::floor(range.high / step + 1e-9));
  for (long i = first; i <= last; ++i) {
    const double value = static_cast<double>(i) * step;
    result.ticks.push_back({value, with_minus(fmt::format("{:.{}f}", value / unit, decimals))});
  }
  return result;
}

// Within a decade or two, 2 and 5 are labelled too: plainly, unless that would need many zeros.
Tick labelled_digit(int digit, int exponent, bool plain) {
  const double value = digit * std::pow(10.0, exponent);
  if (plain) return {value, fmt::format("{:g}", value)};
  return {value, digit == 1 ? "" : fmt::format("{}×", digit), exponent};
}

Ticks log_ticks(const Range& range) {
  Ticks result;
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range.high)));
  const int stride = 1 + (last - first) / (kMostDecades + 1);
  const bool crowded = last - first > 2 * kMostDecades;
  const bool few = std::log10(range.high / range.low) < 1.7;
  const bool plain = few && range.low >= 0.01 && range.high <= 1000.0;
  const auto add = [&](Tick tick) {
    if (tick.value >= range.low * (1.0 - 1e-9) && tick.value <= range.high * (1.0 + 1e-9))
      result.ticks.push_back(std::move(tick));
  };
  for (int exponent = first; exponent <= last; ++exponent) {
    // labels at multiples of the stride, so that 10⁰ is among them
    if (exponent % stride == 0)
      add(labelled_digit(1, exponent, plain));
    else
      add({std::pow(10.0, exponent)});
    for (int digit = 2; digit <= 9 && !crowded; ++digit) {
      if (few && (digit == 2 || digit == 5))
        add(labelled_digit(digit, exponent, plain));
      else
        add({digit * std::pow(10.0, exponent)});
    }
  }
  return result;
}

}  // namespace

std::string with_minus(const std::string& number) {
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

Ticks make_ticks(const Range& range, Scale scale) {
  return scale == Scale::kLog ? log_ticks(range) : linear_ticks(range);
}

Ticks make_ticks(const Axis& axis, const Range& range) {
  if (axis.names.empty()) return make_ticks(range, axis.scale);
  Ticks result;
  for (const std::string& name : axis.names)
    result.ticks.push_back({static_cast<double>(result.ticks.size()) + 1.0, name});
  return result;
}

Range fitting_range(std::span<const double> values, Scale scale) {
  const bool log = scale == Scale::kLog;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0.0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low <= high)) return log ? Range{0.1, 1.0} : Range{0.0, 1.0};
  if (log) {
    const double air = std::max(std::pow(high / low, 0.06), 1.3);
    return {low / air, high * air};
  }
  const double air = high > low ? 0.05 * (high - low) : std::max(1e-3, 0.5 * std::abs(high));
  return {low - air, high + air};
}

double place(double value, const Range& range, Scale scale) {
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  if (scale == Scale::kLinear) return (value - range.low) / (range.high - range.low);
  if (value <= 0.0) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / range.low) / std::log(range.high / range.low);
}

}  // namespace picus::report
