// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/joint_equations.h"
#include "picus/model/joint_keys.h"

namespace picus {

/// a slider: moves along the axis and does not turn
struct PrismaticJoint : SingleCoordinateJoint<false> {
  static constexpr std::string_view kType = "prismatic";
  static constexpr std::string_view kSummary = "a slider: moves along the axis and does not turn";

  static constexpr bool kSlides = true;  ///< the axis is x unless stated

  void state(JointEquations& e) const {
    e.slides_along_axis();
    e.hold_offset(e.kX, "x");
    e.hold_offset(e.kY, "y");
    e.hold_orientation();
    e.free_offset(e.kZ);
  }
};

}  // namespace picus
