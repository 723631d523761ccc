// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// A skate: its point does not move across its own direction.
struct KnifeEdge : Connection {
  static constexpr std::string_view kType = "knife_edge";
  static constexpr std::string_view kSummary =
      "a skate on the second body: no velocity across its edge (nonholonomic); x_axis is the edge";

  void state(JointEquations& e) const {
    e.roll("across", Push{e.frame_i().point, e.frame_i().axes.col(1), true});
  }
};

}  // namespace picus
