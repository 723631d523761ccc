// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// axes stay parallel
struct ParallelJoint : Connection {
  static constexpr std::string_view kType = "parallel";
  static constexpr std::string_view kSummary = "axes stay parallel";

  void state(JointEquations& e) const {
    e.hold_parallel();
    e.free_angle();
  }
};

}  // namespace picus
