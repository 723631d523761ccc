// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// A nut on a spindle: slides by the pitch with every turn.
struct ScrewJoint : Connection {
  static constexpr std::string_view kType = "screw";
  static constexpr std::string_view kSummary =
      "a nut on a spindle: advances by the pitch every turn";

  double pitch = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    Connection::for_each_field(self, visit);
    visit("pitch", self.pitch, "advance along the axis per turn",
          FieldTraits{.unit = unit::kLength, .required = true});
  }

  void state(JointEquations& e) const {
    e.needs_space();
    e.hold_offset(e.kX, "x");
    e.hold_offset(e.kY, "y");
    e.hold_parallel();
    e.free_angle();
    e.free_offset(e.kZ);
    e.couple("thread", 1.0, e.offset(e.kZ), -pitch / (2.0 * std::numbers::pi), e.turn());
  }
};

}  // namespace picus
