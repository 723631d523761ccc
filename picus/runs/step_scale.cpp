// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/step_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace picus {
namespace {

// Forces that answer so much faster than anything moves are stiff: implicit methods damp what they
// do, and following it would take any number of steps.
constexpr double kStiff = 100.0;
// Of its own size what hits may pass in a step: this times the root of the tolerance (a tenth at
// 1e-5), and never more than a quarter, so that it does not pass through another.
constexpr double kCrossed = 30.0, kMostCrossed = 0.25;
// Explicit steps of the midpoint rule are stable below 2 over the rate, which is known to a tenth.
constexpr double kStableMidpoint = 1.0;
// Of a run: formulas of time are not looked at more often.
constexpr double kShortestLook = 1e-6;
// Nor more seldom: at t = 0 nothing announces sin(time^4).
constexpr double kLongestLook = 1e-3;

/// Of those that may hit something.
class Sizes {
 public:
  explicit Sizes(const Mechanism& mechanism) : mechanism_(mechanism) {
    for (const auto& group : mechanism.collisions())
      for (const CollisionBall& ball : group->balls)
        include(ball.body, ball.radius);
    for (const auto& group : mechanism.collisions())
      for (const CollisionShape& shape : group->shapes)
        include(shape.body, shape.solid.half.minCoeff());
    for (const AssembledContact& contact : mechanism.contacts()) {
      if (contact.contact < 0 || contact.is_angle) continue;
      include(contact.body_i, contact.radius);
      include(contact.body_j, 0.0);
    }
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t b = 1; b < smallest_.size(); ++b)
      if (smallest_[b] > 0.0) visit(static_cast<int>(b), smallest_[b]);
  }

 private:
  // The radius, where there is one; a body is as large as the rod of its mass and inertia.
  void include(int body, double radius) {
    if (body == Bodies::kGround) return;
    const Body& part = mechanism_.bodies()[body];
    double size = radius;
    if (size <= 0.0 && part.mass > 0.0)
      size = std::sqrt(3.0 * part.inertia.diagonal().maxCoeff() / part.mass);
    if (size <= 0.0) return;
    const auto place = static_cast<std::size_t>(body);
    if (smallest_.size() <= place) smallest_.resize(place + 1, 0.0);
    smallest_[place] = smallest_[place] > 0.0 ? std::min(smallest_[place], size) : size;
  }

  const Mechanism& mechanism_;
  std::vector<double> smallest_;  ///< by body; 0: does not hit, or has no size
};

// How far something may fall: from the highest to the lowest of bodies, walls and closing gaps.
double height_of(const Mechanism& mechanism, const State& start) {
  const double g = mechanism.gravity().norm();
  if (g == 0.0) return 0.0;
  const Vector3 down = mechanism.gravity() / g;
  double least = 0.0, most = 0.0;
  bool is_first = true;
  const auto include = [&](const Vector3& point) {
    const double depth = point.dot(down);
    least = is_first ? depth : std::min(least, depth);
    most = is_first ? depth : std::max(most, depth);
    is_first = false;
  };
  const Bodies& bodies = mechanism.bodies();
  for (int b = 1; b < bodies.size(); ++b)
    include(bodies.pose(b, start.position).r);
  for (const auto& group : mechanism.collisions()) {
    for (const CollisionPlane& plane : group->planes) {
      const Pose<double> pose = bodies.pose(plane.body, start.position);
      include(pose.r + pose.A * plane.point);
    }
  }
  double height = most - least;
  const System& system = mechanism.system();
  if (system.sizes().constraints > 0) {
    Vector gaps;
    system.constraint(start, gaps);
    for (const AssembledContact& contact : mechanism.contacts())
      if (contact.contact >= 0 && !contact.is_angle)
        height = std::max(height, gaps(system.sizes().joints() + contact.contact));
  }
  return height;
}

// The fastest that formulas of time change in a run: from moment to moment, each as far behind the
// last as they can be predicted, so that no pulse is passed. Of sin(w*time) that is a quarter of a
// period, and its rate is w.
double forcing_rate(const System& system, State at, double end_time) {
  if (!system.has_forcing()) return 0.0;
  const double least = kShortestLook * (end_time - at.time);
  const double most = kLongestLook * (end_time - at.time);
  double shortest = std::numeric_limits<double>::infinity();
  while (at.time < end_time) {
    const double ahead = system.forcing_time(at);
    shortest = std::min(shortest, ahead);
    at.time += std::clamp(ahead, least, most);
  }
  return 0.5 * std::numbers::pi / shortest;
}

}  // namespace

void Pace::consider(double candidate, const std::string& name) {
  if (!(candidate > rate) || !std::isfinite(candidate)) return;
  rate = candidate;
  source = name;
}

StepScale step_scale_of(const Mechanism& mechanism, const State& start, const Rates& rates,
                        double end_time) {
  StepScale scale;
  scale.change.consider(rates.motion, "the initial motion");
  scale.change.consider(forcing_rate(mechanism.system(), start, end_time), "formulas of time");
  const double g = mechanism.gravity().norm();
  const double fall = 2.0 * g * height_of(mechanism, start);
  Sizes(mechanism).for_each([&](int b, double size) {
    const std::string& name = mechanism.bodies()[b].name;
    const double speed =
        mechanism.bodies().twist(b, start.position, start.velocity).head<3>().norm();
    scale.change.consider(std::sqrt(g / size), fmt::format("{} falling by its own size", name));
    scale.crossing.consider(std::sqrt(speed * speed + fall) / size,
                            fmt::format("the speed of {} relative to its size", name));
  });
  Pace& answer = rates.fastest() > kStiff * scale.change.rate && scale.change.rate > 0.0
                     ? scale.stiff
                     : scale.change;
  answer.consider(rates.forces, "springs, dampers and weights");
  answer.consider(rates.controls, "controls");
  return scale;
}

ScaledStep step_for(const StepScale& scale, double tolerance, int order, bool is_explicit) {
  ScaledStep result;
  const auto bound = [&](double part, const Pace& pace) {
    if (pace.rate == 0.0 || (result.step > 0.0 && part / pace.rate >= result.step)) return;
    result.step = part / pace.rate;
    result.source = fmt::format("{}, {:.3g}/s", pace.source, pace.rate);
  };
  bound(std::pow(tolerance, 1.0 / (order + 1.0)), scale.change);
  bound(std::min(kMostCrossed, kCrossed * std::sqrt(tolerance)), scale.crossing);
  if (is_explicit) bound(kStableMidpoint, scale.stiff);
  return result;
}

}  // namespace picus
