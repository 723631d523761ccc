// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/joint_equations.h"
#include "picus/model/joint_keys.h"

namespace picus {

/// a hinge: a common point and a common axis
struct RevoluteJoint : SingleCoordinateJoint<true> {
  static constexpr std::string_view kType = "revolute";
  static constexpr std::string_view kSummary = "a hinge: a common point and a common axis";

  void state(JointEquations& e) const {
    e.turns_about_axis();
    e.hold_point();
    e.hold_parallel();
    e.free_angle();
  }
};

}  // namespace picus
