// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// A Cardan joint: the axis is fixed in the first body, the x axis in the second; they cross at
/// right angles.
struct UniversalJoint : Connection {
  static constexpr std::string_view kType = "universal";
  static constexpr std::string_view kSummary =
      "a Cardan joint: a common point and a cross of two axes, the axis on the first body and the "
      "x "
      "axis on the second";

  void state(JointEquations& e) const {
    e.needs_space();
    e.hold_point();
    e.hold_perpendicular(e.kX, e.kZ, "cross");
  }
};

}  // namespace picus
