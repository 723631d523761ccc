// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// a ball joint: a common point
struct SphericalJoint : Connection {
  static constexpr std::string_view kType = "spherical";
  static constexpr std::string_view kSummary = "a ball joint: a common point";

  void state(JointEquations& e) const { e.hold_point(); }
};

}  // namespace picus
