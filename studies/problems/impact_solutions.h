// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Exact motions of the one-dimensional problems of impacts.h, let go at rest above their stop.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "studies/problems/impacts.h"

namespace picus::problems {

struct Motion {
  double position = 0.0, velocity = 0.0;
};

/// Flights between impacts, and rest after the last if there is one.
class ImpactMotion {
 public:
  /// What `duration` makes of a start.
  using Flight = std::function<Motion(const Motion& start, double duration)>;

  ImpactMotion(Flight flight, const Motion& start) : flight_(std::move(flight)), starts_{start} {}

  void bounce(double time, double speed) {
    impacts_.push_back(time);
    starts_.push_back({0.0, speed});
  }
  void rest_from(double time) { rest_ = time; }

  const std::vector<double>& impacts() const { return impacts_; }

  /// At an impact, the motion behind it.
  Motion at(double t) const {
    const auto next = std::upper_bound(impacts_.begin(), impacts_.end(), t);
    return at(static_cast<std::size_t>(next - impacts_.begin()), t);
  }
  /// In the flight after so many impacts, its ends included.
  Motion at(std::size_t flight, double t) const {
    if (t >= rest_) return {};
    return flight_(starts_[flight], t - (flight > 0 ? impacts_[flight - 1] : 0.0));
  }

 private:
  Flight flight_;
  std::vector<double> impacts_;
  std::vector<Motion> starts_;  ///< behind each impact, and of the first flight
  double rest_ = std::numeric_limits<double>::infinity();
};

/// acary (10) with other numbers: flights last 2 v/|f|, and v falls by e each time.
inline ImpactMotion exact_motion(const BouncingBall& ball, double height) {
  ImpactMotion motion(
      [f = ball.f](const Motion& start, double s) {
        return Motion{start.position + (start.velocity + 0.5 * f * s) * s, start.velocity + f * s};
      },
      {height, 0.0});
  double time = std::sqrt(-2.0 * height / ball.f), speed = -ball.f * time;
  // until bounces are lost in the rounding of time
  for (double flight = 1.0; flight > 1e-16 * time; time += flight) {
    speed *= ball.e;
    flight = -2.0 * speed / ball.f;
    motion.bounce(time, speed);
  }
  motion.rest_from(time);
  return motion;
}

/// Underdamped; after the first impact flights last half a period each. Impacts up to `end`.
inline ImpactMotion exact_motion(const ImpactOscillator& o, double amplitude, double end) {
  const double decay = 0.5 * o.c / o.m, omega = std::sqrt(o.k / o.m - decay * decay);
  const auto flight = [decay, omega](const Motion& start, double s) {
    const double sine = (start.velocity + decay * start.position) / omega, e = std::exp(-decay * s);
    const double c = std::cos(omega * s), d = std::sin(omega * s);
    return Motion{e * (start.position * c + sine * d),
                  e * ((omega * sine - decay * start.position) * c -
                       (omega * start.position + decay * sine) * d)};
  };
  ImpactMotion motion(flight, {amplitude, 0.0});
  double time = (std::numbers::pi - std::atan2(omega, decay)) / omega;
  double speed = flight({amplitude, 0.0}, time).velocity;
  const double half_period = std::numbers::pi / omega;
  for (; time < end; time += half_period) {
    motion.bounce(time, -o.e * speed);
    speed = flight({0.0, -o.e * speed}, half_period).velocity;
  }
  return motion;
}

}  // namespace picus::problems
