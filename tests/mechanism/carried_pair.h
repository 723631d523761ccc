// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A kind of frame that bends as well as turns, to prove that parts need no bodies: the interface of
// a floating frame with two modal coordinates ζ,
//
//   x_i = x + R (p + Φ ζ),   R_i = R cay(θ ζ)

#include <array>

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
      const Vec3<T> axis(T(c == 0 ? 1.0 : 0.0), T(c == 1 ? 1.0 : 0.0), T(c == 2 ? 1.0 : 0.0));
      const Vec3<T> column = rotate(base.A, turned(turn, axis));
      for (int k = 0; k < 3; ++k)
        pose.A(k, c) = column(k);
    }
    return pose;
  }

 private:
  // cay(φ̃) e = e + 2/(1 + cᵀc) (c×e + c×(c×e)), c = φ/2: few operations, as all are done with duals
  template <class T>
  static Vec3<T> turned(const Vec3<T>& phi, const Vec3<T>& e) {
    Vec3<T> c;
    for (int k = 0; k < 3; ++k)
      c(k) = 0.5 * phi(k);
    const T factor = 2.0 / (1.0 + c(0) * c(0) + c(1) * c(1) + c(2) * c(2));
    const Vec3<T> once = cross(c, e), twice = cross(c, once);
    Vec3<T> result;
    for (int k = 0; k < 3; ++k)
      result(k) = e(k) + factor * (once(k) + twice(k));
    return result;
  }
};

/// Adds frames of the names of two_spatial_bodies(), "a" alone or "a" and "b", each on a body of
/// its own with two modes that have mass and stiffness.
std::vector<FrameInCode> carried_pair(MechanismBuilder& builder, bool both);

}  // namespace picus::testing
