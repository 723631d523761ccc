// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The woodpecker toy with linearised kinematics [Glocker1995], the example of
// studer-leine-glocker §10.4; parameters of [GlockerStuder2005].

#include <array>

#include "picus/dynamics/equation_system.h"

namespace picus::problems {

/// Coordinates: the height y of the sleeve, the angles φM and φS of sleeve and bird. Contacts: the
/// beak, the lower and the upper edge of the sleeve, all against the pole.
struct Woodpecker {
  static constexpr int kCoordinates = 3, kContacts = 3, kSlips = 3;
  static constexpr bool kLinear = true;
  static constexpr std::array kAngles{1, 2};
  static constexpr std::array<std::string_view, 3> kCoordinateNames{"y", "phi_M", "phi_S"};
  enum Contact { kBeak, kLower, kUpper };

  double r0 = 0.0025, rM = 0.0031;  ///< radii of the pole and of the hole in the sleeve
  double hM = 0.0058, lM = 0.010;   ///< of the sleeve: half its length, arm to the spring
  double lG = 0.015, hS = 0.02,
         lS = 0.0201;                      ///< of the bird: arm from the spring, beak up and back
  double mM = 0.0003, JM = 5e-9;           ///< sleeve
  double mS = 0.0045, JS = 7e-7;           ///< bird
  double c = 0.0056, g = 9.81;             ///< stiffness of the spring, gravity
  double mu = 0.3;                         ///< friction of all contacts
  std::array<double, 3> e{0.5, 0.0, 0.0};  ///< restitution of beak, lower and upper edge

  auto mass(const auto&) const {
    SmallMatrix<double, 3, 3> M;
    M << mM + mS, mS * lM, mS * lG,                //
        mS * lM, JM + mS * lM * lM, mS * lM * lG,  //
        mS * lG, mS * lM * lG, JS + mS * lG * lG;
    return M;
  }
  auto force(const auto& s) const {
    const auto torque = c * (s.q(2) - s.q(1));
    return s.vector(-(mM + mS) * g, torque - mS * lM * g, -torque - mS * lG * g);
  }
  auto gap(const auto& s) const {
    return s.vector(lM + lG - lS - r0 - hS * s.q(2), rM - r0 + hM * s.q(1), rM - r0 - hM * s.q(1));
  }
  auto slip(const auto& s) const {
    const auto edge = s.v(0) + rM * s.v(1);
    return s.vector(s.v(0) + lM * s.v(1) + (lG - lS) * s.v(2), edge, edge);
  }
  ContactLaw law(int contact) const {
    return {.restitution = e[static_cast<std::size_t>(contact)], .friction = mu};
  }

  State at(const std::array<double, 3>& q, const std::array<double, 3>& v) const {
    State s;
    s.position = Vector::Map(q.data(), 3);
    s.velocity = Vector::Map(v.data(), 3);
    return s;
  }
  /// The published initial state: it slides down on its lower edge.
  State start() const { return at({0.0, -0.1036, -0.2788}, {-0.3411, 0.0, -7.4583}); }

  double energy(const State& s) const {
    const Vector &q = s.position, &v = s.velocity;
    const double bird = v(0) + lM * v(1) + lG * v(2), turn = q(1) - q(2);
    return 0.5 * (mM * v(0) * v(0) + JM * v(1) * v(1) + mS * bird * bird + JS * v(2) * v(2)) +
           g * (mM * q(0) + mS * (q(0) + lM * q(1) + lG * q(2))) + 0.5 * c * turn * turn;
  }
};

}  // namespace picus::problems
