// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/prescribed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace picus {
namespace {

constexpr int kLooks = 2000;       // times between 0 and the end
constexpr int kBisections = 60;    // to the last digits of the time
constexpr double kBeside = 1e-10;  // of the end, from a switch to where its sides are clear
constexpr double kJump = 1e-6;     // part of the largest value that counts as a jump

using Values = std::vector<double>;

Values switches_at(const PrescribedFormula& formula, double time) {
  Values values(static_cast<std::size_t>(formula.expression->switches()));
  const std::array<double, 1> input{time * formula.per_second};
  formula.expression->switch_values(
      std::span<const double>(input).first(formula.expression->inputs().size()), values);
  return values;
}

// NaN: the place does not exist in the branch taken, which is a side of its own.
bool same_sides(const Values& a, const Values& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (std::isnan(a[k]) != std::isnan(b[k]) || (a[k] > 0.0) != (b[k] > 0.0)) return false;
  return true;
}

using Part = std::function<double(double time)>;

std::optional<PrescribedJump> find_jump(const PrescribedFormula& formula, double end,
                                        const Part& part) {
  if (!(end > 0.0) || !std::isfinite(end)) return std::nullopt;
  double largest = 0.0;
  for (int k = 0; k <= kLooks; ++k)
    if (const double value = std::abs(part(end * k / kLooks)); std::isfinite(value))
      largest = std::max(largest, value);
  double left = 0.0;
  Values before = switches_at(formula, left);
  for (int k = 1; k <= kLooks; ++k) {
    const double right = end * k / kLooks;
    Values after = switches_at(formula, right);
    if (!same_sides(before, after)) {
      double a = left, b = right;
      for (int i = 0; i < kBisections && b - a > 1e-15 * end; ++i) {
        const double middle = 0.5 * (a + b);
        (same_sides(before, switches_at(formula, middle)) ? a : b) = middle;
      }
      // at the switch itself the value may be of either side
      const double size =
          part(std::min(b + kBeside * end, end)) - part(std::max(a - kBeside * end, 0.0));
      if (std::abs(size) > kJump * largest) return PrescribedJump{b, size};
    }
    left = right;
    before = std::move(after);
  }
  return std::nullopt;
}

}  // namespace

std::pair<double, double> PrescribedFormula::at(double time) const {
  using D = Dual<1>;
  const std::array<D, 1> input{D::variable(time * per_second, 0)};
  const D value =
      expression->evaluate<D>(std::span<const D>(input).first(expression->inputs().size()));
  return {si * value.value, si * per_second * value.d(0)};
}

std::optional<PrescribedJump> find_value_jump(const PrescribedFormula& formula, double end) {
  return find_jump(formula, end, [&](double time) { return formula.at(time).first; });
}

std::optional<PrescribedJump> find_rate_jump(const PrescribedFormula& formula, double end) {
  return find_jump(formula, end, [&](double time) { return formula.at(time).second; });
}

}  // namespace picus
