// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace picus::report {

enum class Scale { kLinear, kLog };

struct Range {
  double low = 0.0, high = 1.0;
};

struct Axis {
  std::string label = {};
  Scale scale = Scale::kLinear;
  std::optional<Range> range = {};      ///< of the data when empty
  std::vector<std::string> names = {};  ///< of 1, 2, 3, …, in place of numbers
};

struct Tick {
  double value = 0.0;
  std::string label = {};            ///< "0.5", or the factor "5×" before a power of ten
  std::optional<int> exponent = {};  ///< of that power

  bool is_major() const { return !label.empty() || exponent.has_value(); }
};

/// Ticks and, for linear axes with very large or small numbers, the power of ten taken out.
struct Ticks {
  std::vector<Tick> ticks;
  int common_exponent = 0;
};

/// A number with a proper minus sign.
std::string with_minus(const std::string& number);

/// 1-2-5 ticks on linear axes; decades with minor ticks on logarithmic ones.
Ticks make_ticks(const Range& range, Scale scale);
/// The same for an axis, whose values may have names.
Ticks make_ticks(const Axis& axis, const Range& range);

/// A range that shows all finite (positive, on log axes) values with a little air around them.
Range fitting_range(std::span<const double> values, Scale scale);

/// The place of a value on an axis, 0 at the low end and 1 at the high end. NaN when the value has
/// no place: not finite, or not positive on a log axis.
double place(double value, const Range& range, Scale scale);

}  // namespace picus::report
