// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// the bodies move as one
struct FixedJoint : Connection {
  static constexpr std::string_view kType = "fixed";
  static constexpr std::string_view kSummary = "the bodies move as one";

  void state(JointEquations& e) const {
    e.hold_point();
    e.hold_orientation();
  }
};

}  // namespace picus
