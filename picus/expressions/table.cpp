// SPDX-License-Identifier: BSD-3-Clause
#include "picus/expressions/table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

using Numbers = std::vector<double>;

/// Secants between neighbours.
Numbers secants_of(const Numbers& x, const Numbers& y) {
  Numbers m(x.size() - 1);
  for (std::size_t i = 0; i < m.size(); ++i)
    m[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  return m;
}

/// Slopes of the natural cubic spline: with h the widths and m the secants,
/// s₀·2 + s₁ = 3 m₀,  s_{i−1}/h_{i−1} + 2 s_i (1/h_{i−1} + 1/h_i) + s_{i+1}/h_i
/// = 3 (m_{i−1}/h_{i−1} + m_i/h_i),  and the mirror image of the first at the end.
Numbers natural_slopes(const Numbers& x, const Numbers& m) {
  const std::size_t n = x.size();
  Numbers diagonal(n), upper(n, 0.0), s(n);
  double lower = 0.0;  // left neighbour in the current row
  for (std::size_t i = 0; i < n; ++i) {
    const double left = i > 0 ? 1.0 / (x[i] - x[i - 1]) : 0.0;
    const double right = i + 1 < n ? 1.0 / (x[i + 1] - x[i]) : 0.0;
    lower = left;
    diagonal[i] = 2.0 * (left + right);
    upper[i] = right;
    s[i] = 3.0 * ((i > 0 ? m[i - 1] * left : 0.0) + (i + 1 < n ? m[i] * right : 0.0));
    if (i > 0) {  // elimination; the matrix is diagonally dominant
      const double factor = lower / diagonal[i - 1];
      diagonal[i] -= factor * upper[i - 1];
      s[i] -= factor * s[i - 1];
    }
  }
  for (std::size_t i = n; i-- > 0;)
    s[i] = (s[i] - (i + 1 < n ? upper[i] * s[i + 1] : 0.0)) / diagonal[i];
  return s;
}

/// Slopes of [Akima1970]: secants weighted by how much those on the other side change; two more
/// secants at each end continue their change.
Numbers akima_slopes(const Numbers& m) {
  const std::size_t n = m.size() + 1;
  if (n == 2) return {m[0], m[0]};
  Numbers w(n + 3);
  std::copy(m.begin(), m.end(), w.begin() + 2);
  w[1] = 2.0 * w[2] - w[3];
  w[0] = 2.0 * w[1] - w[2];
  w[n + 1] = 2.0 * w[n] - w[n - 1];
  w[n + 2] = 2.0 * w[n + 1] - w[n];
  Numbers s(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double before = std::abs(w[i + 3] - w[i + 2]), after = std::abs(w[i + 1] - w[i]);
    const double sum = before + after;
    s[i] = sum > 0.0 ? (before * w[i + 1] + after * w[i + 2]) / sum : 0.5 * (w[i + 1] + w[i + 2]);
  }
  return s;
}

/// Slope at the end of a monotone table: the parabola through three points, limited.
double monotone_end(double h0, double h1, double m0, double m1) {
  const double s = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
  if (s * m0 <= 0.0) return 0.0;
  if (m0 * m1 <= 0.0 && std::abs(s) > 3.0 * std::abs(m0)) return 3.0 * m0;
  return s;
}

/// Slopes of [FritschButland1984]: the harmonic mean of the neighbouring secants, weighted by the
/// widths; zero at extrema.
Numbers monotone_slopes(const Numbers& x, const Numbers& m) {
  const std::size_t n = x.size();
  if (n == 2) return {m[0], m[0]};
  Numbers s(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (m[i - 1] * m[i] <= 0.0) continue;
    const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    const double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
    s[i] = (w0 + w1) / (w0 / m[i - 1] + w1 / m[i]);
  }
  s[0] = monotone_end(x[1] - x[0], x[2] - x[1], m[0], m[1]);
  s[n - 1] = monotone_end(x[n - 1] - x[n - 2], x[n - 2] - x[n - 3], m[n - 2], m[n - 3]);
  return s;
}

void check_points(const Numbers& x, const Numbers& y) {
  if (x.size() != y.size())
    throw InputError(fmt::format("table: found {} values of x and {} of y, expected equal numbers",
                                 x.size(), y.size()));
  if (x.size() < 2)
    throw InputError(fmt::format("table: found {} points, expected at least 2", x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw InputError(
          fmt::format("table: point {} is ({}, {}), expected finite numbers", i + 1, x[i], y[i]));
    if (i > 0 && !(x[i - 1] < x[i]))
      throw InputError(
          fmt::format("table: x must increase from point to point; found {} after {} (point {})",
                      x[i], x[i - 1], i + 1));
  }
}

}  // namespace

Table::Table(std::vector<double> x, std::vector<double> y, const TableOptions& options)
    : x_(std::move(x)), y_(std::move(y)), options_(options) {
  check_points(x_, y_);
  const Numbers m = secants_of(x_, y_);
  Numbers s;
  if (options_.interpolation == Interpolation::kCubic) s = natural_slopes(x_, m);
  if (options_.interpolation == Interpolation::kAkima) s = akima_slopes(m);
  if (options_.interpolation == Interpolation::kMonotone) s = monotone_slopes(x_, m);
  pieces_.resize(x_.size() + 1, Cubic{});
  for (std::size_t i = 0; i < m.size(); ++i) {
    const double h = x_[i + 1] - x_[i];
    pieces_[i + 1] = s.empty() ? Cubic{y_[i], m[i], 0.0, 0.0}
                               : Cubic{y_[i], s[i], (3.0 * m[i] - 2.0 * s[i] - s[i + 1]) / h,
                                       (s[i] + s[i + 1] - 2.0 * m[i]) / (h * h)};
  }
  const bool straight = options_.extrapolation == Extrapolation::kLinear;
  pieces_.front() = {y_.front(), straight ? (s.empty() ? m.front() : s.front()) : 0.0, 0.0, 0.0};
  pieces_.back() = {y_.back(), straight ? (s.empty() ? m.back() : s.back()) : 0.0, 0.0, 0.0};
}

// 0 left of the points, i between x_{i−1} and x_i, the number of points right of them
int Table::piece(double x) const {
  if (x == x_.back()) return static_cast<int>(x_.size()) - 1;
  return static_cast<int>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin());
}

double Table::derivative(double x, int order) const {
  if (std::isnan(x)) return x;
  const int i = piece(x);
  const Cubic& c = pieces_[static_cast<std::size_t>(i)];
  const double t = x - x_[static_cast<std::size_t>(std::max(i - 1, 0))];
  switch (order) {
    case 0:
      return c[1] == 0.0 && c[2] == 0.0 && c[3] == 0.0 ? c[0]  // also at infinity
                                                       : c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    case 1:
      return c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]);
    case 2:
      return 2.0 * c[2] + 6.0 * t * c[3];
    case 3:
      return 6.0 * c[3];
    default:
      return 0.0;
  }
}

bool Table::has_switch() const {
  if (options_.extrapolation == Extrapolation::kConstant) return true;
  return options_.interpolation == Interpolation::kLinear && x_.size() > 2;
}

double Table::switch_value(double x) const {
  if (!has_switch()) return 1.0;
  if (options_.interpolation != Interpolation::kLinear)
    return std::min(x - x_.front(), x_.back() - x);  // positive inside
  // the points with a kink; pieces outside a linear continuation belong to their neighbours
  const int first = options_.extrapolation == Extrapolation::kLinear ? 1 : 0;
  const int last = static_cast<int>(x_.size()) - 1 - first;
  const int i = std::clamp(piece(x), first, last + 1);
  double distance = std::numeric_limits<double>::infinity();
  if (i > first) distance = x - x_[static_cast<std::size_t>(i - 1)];
  if (i <= last) distance = std::min(distance, x_[static_cast<std::size_t>(i)] - x);
  return i % 2 == 1 ? distance : -distance;
}

}  // namespace picus
