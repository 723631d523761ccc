// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/divergence.h"

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

constexpr double kUnrelated = 0.1;      ///< of their size: no digit is left
constexpr double kGrowthDecades = 2.0;  ///< of growth that a law of growth is read off
// Errors of regular motions add up like t, those of drifting periods like t². What grows faster
// than the next power doubles and doubles again.
constexpr double kRegularPower = 3.0;

// The slope of the straight line nearest to points.
double slope_of(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / n;
    my += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xx > 0.0 ? xy / xx : 0.0;
}

}  // namespace

std::optional<Divergence> divergence_of(std::span<const double> times,
                                        std::span<const double> difference) {
  // the largest so far: differences swing with the motion
  std::vector<double> grown(difference.begin(), difference.end());
  for (std::size_t i = 1; i < grown.size(); ++i)
    grown[i] = std::max(grown[i], grown[i - 1]);
  const auto first_above = [&](double bound) {
    return static_cast<std::size_t>(std::upper_bound(grown.begin(), grown.end(), bound) -
                                    grown.begin());
  };
  const std::size_t lost = first_above(kUnrelated);
  if (lost == grown.size()) return std::nullopt;
  Divergence divergence{.time = times[lost]};
  for (const int digits : {6, 4, 2}) {
    const std::size_t until = first_above(std::pow(10.0, -digits));
    if (until > 0 && times[until] > times.front())
      divergence.digits_until.emplace_back(digits, times[until]);
  }
  // where errors have begun to grow: the first samples are those of the first steps
  const std::size_t from = std::max(first_above(0.0), lost / 20);
  if (from >= lost || std::log10(grown[lost] / grown[from]) < kGrowthDecades) return divergence;
  std::vector<double> t, log_t, log_d;
  double largest_leap = 0.0;
  for (std::size_t i = from; i <= lost; ++i) {
    t.push_back(times[i] - times.front());
    log_t.push_back(std::log(std::max(t.back(), 1e-300)));
    log_d.push_back(std::log(grown[i]));
    if (i > from) largest_leap = std::max(largest_leap, log_d.back() - log_d[log_d.size() - 2]);
  }
  if (largest_leap > 0.5 * (log_d.back() - log_d.front())) {
    divergence.at_once = true;
  } else if (slope_of(log_t, log_d) > kRegularPower) {
    divergence.is_chaotic = true;
    divergence.rate = slope_of(t, log_d);
  }
  return divergence;
}

}  // namespace picus
