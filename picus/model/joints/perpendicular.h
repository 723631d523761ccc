// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// An axis of one body stays at right angles to an axis of the other.
struct PerpendicularJoint : Connection {
  static constexpr std::string_view kType = "perpendicular";
  static constexpr std::string_view kSummary = "two axes stay at right angles";

  /// The second axis is the x axis of the frame on the second body.
  void state(JointEquations& e) const { e.hold_perpendicular(e.kX, e.kZ, "angle"); }
};

}  // namespace picus
