// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// slides along the axis and turns about it
struct CylindricalJoint : Connection {
  static constexpr std::string_view kType = "cylindrical";
  static constexpr std::string_view kSummary = "slides along the axis and turns about it";

  void state(JointEquations& e) const {
    e.slides_along_axis();
    e.hold_offset(e.kX, "x");
    e.hold_offset(e.kY, "y");
    e.hold_parallel();
    e.free_angle();
    e.free_offset(e.kZ);
  }
};

}  // namespace picus
