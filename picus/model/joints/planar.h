// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// a face sliding on a face normal to the axis
struct PlanarJoint : Connection {
  static constexpr std::string_view kType = "planar";
  static constexpr std::string_view kSummary =
      "a face that slides on a face, both normal to the axis";

  void state(JointEquations& e) const {
    e.hold_offset(e.kZ, "z");
    e.hold_parallel();
    e.free_offset(e.kX, "x");
    e.free_offset(e.kY, "y");
    e.free_angle();
  }
};

}  // namespace picus
