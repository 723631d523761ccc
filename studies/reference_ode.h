// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reference solutions in minimal coordinates, by a method that shares nothing with the steppers.

namespace picus::studies {

/// Angle and rate of a mechanism with one degree of freedom.
struct Motion {
  double angle = 0.0, rate = 0.0;
};

/// Integrates angle'' = acceleration(angle, rate) from `start` over `span` seconds with `steps`
/// steps of the classical Runge-Kutta method of fourth order.
template <class Acceleration>
Motion integrate(const Acceleration& acceleration, Motion start, double span, int steps) {
  const double h = span / steps;
  Motion m = start;
  for (int i = 0; i < steps; ++i) {
    const double v1 = m.rate, a1 = acceleration(m.angle, v1);
    const double v2 = m.rate + 0.5 * h * a1, a2 = acceleration(m.angle + 0.5 * h * v1, v2);
    const double v3 = m.rate + 0.5 * h * a2, a3 = acceleration(m.angle + 0.5 * h * v2, v3);
    const double v4 = m.rate + h * a3, a4 = acceleration(m.angle + h * v3, v4);
    m.angle += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    m.rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return m;
}

}  // namespace picus::studies
