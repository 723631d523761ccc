// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/passage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace picus {
namespace {

using Input = Signal::Kind;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
// A chord this long is as deep as 1/32 of the radius: what one may miss is a graze.
constexpr double kPartOfRadius = 0.5;

// Balls of radius zero are points, which meet balls.
double narrow(double radius_i, double radius_j) {
  return std::min(radius_i, radius_j) > 0.0 ? std::min(radius_i, radius_j)
                                            : std::max(radius_i, radius_j);
}

bool goes_on(const Signal& signal) {
  return signal.kind == Input::kTime || signal.kind == Input::kValue;
}

bool reads_positions(const ScheduledFormula& formula) {
  return std::any_of(formula.signals.begin(), formula.signals.end(),
                     [](const Signal& signal) { return signal.kind == Input::kValue; });
}

FormulaHorizon horizon_along(const ScheduledFormula& formula) {
  std::array<bool, kMaxSignals> by_itself{};
  std::transform(formula.signals.begin(), formula.signals.end(), by_itself.begin(), goes_on);
  return {formula.expression, std::span<const bool>(by_itself).first(formula.signals.size())};
}

}  // namespace

MovingPoint moving_point(const Bodies& bodies, int body, const Vector3& local, const State& s) {
  const Pose<double> pose = bodies.pose(body, s.position);
  const SmallVector<double, 6> twist = bodies.twist(body, s.position, s.velocity);
  const Vector3 spin = twist.tail<3>();
  return {pose.point(local), twist.head<3>() + pose.direction(cross(spin, local))};
}

double passing_time(const Vector3& apart, const Vector3& velocity, double radius_i, double radius_j,
                    double acceleration, double part) {
  const double gap = std::max(apart.norm() - radius_i - radius_j, 0.0);
  const double way = gap + part * kPartOfRadius * narrow(radius_i, radius_j);
  const double speed = velocity.norm();
  if (!(way > 0.0) || !(speed > 0.0 || acceleration > 0.0)) return kUnlimited;
  // the least h with speed h + acceleration h²/2 = way
  return 2.0 * way / (speed + std::sqrt(speed * speed + 2.0 * acceleration * way));
}

Passage::Passage(const Bodies& bodies, const std::vector<ScheduledFormula>& formulas,
                 std::vector<RoundPair> pairs, double gravity)
    : bodies_(bodies), pairs_(std::move(pairs)), gravity_(gravity) {
  for (const ScheduledFormula& formula : formulas) {
    if (formula.signals.size() > kMaxSignals || !reads_positions(formula)) continue;
    FormulaHorizon horizon = horizon_along(formula);
    if (horizon.any()) formulas_.push_back({formula, std::move(horizon)});
  }
}

void Passage::renumber_controls(std::span<const int> place) {
  for (Watched& watched : formulas_)
    for (Signal& signal : watched.formula.signals)
      signal.renumber_controls(place);
}

double Passage::time_of(const Watched& watched, const State& s) const {
  const std::vector<Signal>& signals = watched.formula.signals;
  const bool knows_accelerations = s.acceleration.size() == s.velocity.size();
  std::array<Moving, kMaxSignals> inputs;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const Signal& signal = signals[i];
    if (signal.kind == Input::kTime) {
      inputs[i] = moving(signal.scale * s.time, signal.scale);
    } else if (signal.kind == Input::kValue) {
      const double value = signal.term.weight * measure(bodies_, signal.term, s.position);
      inputs[i] = signal.scale *
                  moving(value, rate_of(bodies_, signal.term, s),
                         knows_accelerations ? acceleration_of(bodies_, signal.term, s) : 0.0);
    } else {
      inputs[i] = moving(watched.horizon.reads_others() ? signal.read(bodies_, s) : 0.0, 0.0);
    }
  }
  return watched.horizon(std::span<const Moving>(inputs).first(signals.size()));
}

double Passage::time_of(const RoundPair& pair, const State& s, double part) const {
  const MovingPoint i = moving_point(bodies_, pair.body_i, pair.centre_i, s),
                    j = moving_point(bodies_, pair.body_j, pair.centre_j, s);
  return picus::passing_time(i.point - j.point, i.velocity - j.velocity, pair.radius_i,
                             pair.radius_j, gravity_, part);
}

double Passage::passing_time(const State& s, double part) const {
  double shortest = kUnlimited;
  for (const Watched& watched : formulas_)
    shortest = std::min(shortest, part * time_of(watched, s));
  for (const RoundPair& pair : pairs_)
    shortest = std::min(shortest, time_of(pair, s, part));
  return shortest;
}

}  // namespace picus
