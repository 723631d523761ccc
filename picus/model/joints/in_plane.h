// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// a point in a plane normal to the axis
struct InPlaneJoint : Connection {
  static constexpr std::string_view kType = "in_plane";
  static constexpr std::string_view kSummary = "a point in a plane normal to the axis";

  void state(JointEquations& e) const {
    e.hold_offset(e.kZ, "z");
    e.free_offset(e.kX, "x");
    e.free_offset(e.kY, "y");
  }
};

}  // namespace picus
