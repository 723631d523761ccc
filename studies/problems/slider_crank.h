// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A rigid slider-crank in the coordinates (x, y, θ) of crank, rod and slider with eight
// constraints. jay-negrut §8.3 takes its data from a reference that is not available; these are our
// own: crank 0.2 m and 1 kg, rod 0.5 m and 2 kg, slider 1 kg, uniform rods, gravity along -y.

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

struct SliderCrank {
  static constexpr int kCoordinates = 9, kConstraints = 8;
  static constexpr std::array kAngles{2, 5, 8};
  static constexpr std::array<std::string_view, 9> kCoordinateNames{
      "crank.x",   "crank.y",  "crank.angle", "rod.x",       "rod.y",
      "rod.angle", "slider.x", "slider.y",    "slider.angle"};
  static constexpr std::array<std::string_view, 8> kConstraintNames{
      "pin O.x", "pin O.y", "pin A.x", "pin A.y", "pin B.x", "pin B.y", "guide.y", "guide.angle"};

  double crank = 0.2, rod = 0.5;
  double m1 = 1.0, m2 = 2.0, m3 = 1.0, J3 = 0.01;
  double g = 9.81;

  auto mass(const auto&) const {
    return diagonal(m1, m1, m1 * crank * crank / 12.0, m2, m2, m2 * rod * rod / 12.0, m3, m3, J3);
  }
  auto force(const auto& s) const {
    return s.vector(0.0, -m1 * g, 0.0, 0.0, -m2 * g, 0.0, 0.0, -m3 * g, 0.0);
  }
  auto constraint(const auto& s) const {
    const double a = 0.5 * crank, b = 0.5 * rod;
    const auto &x1 = s.q(0), &y1 = s.q(1), &x2 = s.q(3), &y2 = s.q(4), &x3 = s.q(6), &y3 = s.q(7);
    const auto c1 = cos(s.q(2)), s1 = sin(s.q(2)), c2 = cos(s.q(5)), s2 = sin(s.q(5));
    return s.vector(x1 - a * c1, y1 - a * s1,                              // pin O
                    x1 + a * c1 - x2 + b * c2, y1 + a * s1 - y2 + b * s2,  // pin A
                    x2 + b * c2 - x3, y2 + b * s2 - y3,                    // pin B
                    y3, s.q(8));                                           // guide
  }

  /// Positions and velocities for a crank angle and rate.
  State at(double angle, double rate) const {
    const double a = 0.5 * crank, b = 0.5 * rod;
    const double t2 = -std::asin(crank * std::sin(angle) / rod);
    const double w2 = -crank * std::cos(angle) * rate / (rod * std::cos(t2));
    const double c1 = std::cos(angle), s1 = std::sin(angle), c2 = std::cos(t2), s2 = std::sin(t2);
    State s;
    s.position.resize(9);
    s.position << a * c1, a * s1, angle, crank * c1 + b * c2, crank * s1 + b * s2, t2,
        crank * c1 + rod * c2, 0.0, 0.0;
    s.velocity.resize(9);
    s.velocity << -a * s1 * rate, a * c1 * rate, rate, -crank * s1 * rate - b * s2 * w2,
        crank * c1 * rate + b * c2 * w2, w2, -crank * s1 * rate - rod * s2 * w2, 0.0, 0.0;
    return s;
  }
};

}  // namespace picus::problems
