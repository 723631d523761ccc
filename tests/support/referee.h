// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An independent judge of motions along a line: the classical method of Runge and Kutta with short
// steps, and events by bisection.

#include <algorithm>

namespace picus::testing {

struct LineMotion {
  double t = 0.0, x = 0.0, v = 0.0;
};

/// `acceleration(t, x, v)`; times are kept a little away from the ends of [first, last], where it
/// may jump.
template <class Acceleration>
LineMotion line_step(const LineMotion& m, double h, double first, double last,
                     const Acceleration& acceleration) {
  constexpr double kInside = 1e-13;
  const auto a = [&](double t, double x, double v) {
    return acceleration(std::clamp(t, first + kInside, last - kInside), x, v);
  };
  const double a1 = a(m.t, m.x, m.v);
  const double v2 = m.v + 0.5 * h * a1, a2 = a(m.t + 0.5 * h, m.x + 0.5 * h * m.v, v2);
  const double v3 = m.v + 0.5 * h * a2, a3 = a(m.t + 0.5 * h, m.x + 0.5 * h * v2, v3);
  const double v4 = m.v + h * a3, a4 = a(m.t + h, m.x + h * v3, v4);
  return {m.t + h, m.x + h / 6.0 * (m.v + 2.0 * v2 + 2.0 * v3 + v4),
          m.v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)};
}

/// Advances to `end`, or to where `event(motion)` becomes negative: true.
template <class Acceleration, class Event>
bool advance_line(LineMotion& m, double end, const Acceleration& acceleration, const Event& event,
                  double longest = 1e-3) {
  const double first = m.t;
  while (m.t < end) {
    const double h = std::min(longest, end - m.t);
    const LineMotion next = line_step(m, h, first, end, acceleration);
    if (event(next) < 0.0) {
      double low = 0.0, high = h;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (event(line_step(m, middle, first, end, acceleration)) < 0.0 ? high : low) = middle;
      }
      m = line_step(m, high, first, end, acceleration);
      return true;
    }
    m = next;
    if (end - m.t < 1e-14 * std::max(1.0, end)) m.t = end;
  }
  return false;
}

/// A block of mass one against dry friction: sticks or slides on something that moves with `belt`.
/// `force(t)` has jumps only at `breaks`, `limit(speed)` is the friction at a relative speed.
template <class Force, class Limit>
LineMotion rubbing_block(double end, double belt, const Force& force, const Limit& limit,
                         std::initializer_list<double> breaks = {}, double speed = 0.0) {
  LineMotion m{0.0, 0.0, speed};
  const auto leg = [&](double until) {
    for (int side = 0; m.t < until;) {
      if (side == 0 && m.v == belt) {
        const auto stick = [&](double, double, double) { return 0.0; };
        const auto left = [&](const LineMotion& at) { return limit(0.0) - std::abs(force(at.t)); };
        const bool holds = limit(0.0) >= std::abs(force(m.t + 1e-12));
        if (holds && !advance_line(m, until, stick, left)) return;
        side = force(m.t + 1e-12) > 0.0 ? 1 : -1;
      }
      if (side == 0) side = m.v > belt ? 1 : -1;
      const auto slide = [&](double t, double, double v) {
        return force(t) - side * limit(std::max(0.0, side * (v - belt)));
      };
      // a slip that has just begun may be negative by rounding
      const double begun = m.t + 1e-9;
      const auto moves = [&](const LineMotion& at) {
        return at.t < begun ? 1.0 : side * (at.v - belt);
      };
      if (!advance_line(m, until, slide, moves)) return;
      m.v = belt;
      side = 0;
    }
  };
  for (const double at : breaks)
    if (at < end) leg(at);
  leg(end);
  return m;
}

}  // namespace picus::testing
