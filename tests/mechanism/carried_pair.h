// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A kind of frame that bends as well as turns, to prove that parts need no bodies: the interface of
// a floating frame with two modal coordinates ζ,
//
//   x_i = x + R (p + Φ ζ),   R_i = R exp(θ ζ)

#include <array>
#include <cmath>

#include "picus/mechanism/assemble.h"
#include "picus/mechanism/dual_frame.h"

namespace picus::testing {

struct Interface {
  static constexpr int kCoordinates = 2;
  Vector3 p;
  std::array<Vector3, 2> phi, theta;

  template <class T>
  Pose<T> pose(const Pose<T>& base, const std::array<T, 2>& x) const {
    Vec3<T> arm, turn;
    for (int k = 0; k < 3; ++k) {
      arm(k) = p(k) + phi[0](k) * x[0] + phi[1](k) * x[1];
      turn(k) = theta[0](k) * x[0] + theta[1](k) * x[1];
    }
    Pose<T> pose;
    const Vec3<T> out = rotate(base.A, arm);
    for (int k = 0; k < 3; ++k)
      pose.r(k) = base.r(k) + out(k);
    for (int c = 0; c < 3; ++c) {
      Vec3<T> column = turned(
          turn, Vec3<T>(T(c == 0 ? 1.0 : 0.0), T(c == 1 ? 1.0 : 0.0), T(c == 2 ? 1.0 : 0.0)));
      column = rotate(base.A, column);
      for (int k = 0; k < 3; ++k)
        pose.A(k, c) = column(k);
    }
    return pose;
  }

 private:
  // exp(φ̃) e by its series: angles here are below one
  template <class T>
  static Vec3<T> turned(const Vec3<T>& phi, const Vec3<T>& e) {
    Vec3<T> sum = e, power = e;
    for (int n = 1; n <= 16; ++n) {
      const Vec3<T> next = cross(phi, power);
      for (int k = 0; k < 3; ++k) {
        power(k) = (1.0 / n) * next(k);
        sum(k) = sum(k) + power(k);
      }
    }
    return sum;
  }
};

/// Adds frames of the names of two_spatial_bodies(), "a" alone or "a" and "b", each on a body of
/// its own with two modes that have mass and stiffness.
std::vector<FrameInCode> carried_pair(MechanismBuilder& builder, bool both);

}  // namespace picus::testing
