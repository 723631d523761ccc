// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// A massless rod between two points.
struct DistanceJoint {
  static constexpr std::string_view kType = "distance";
  static constexpr std::string_view kSummary = "a massless rod between two points";

  std::vector<Name> between;
  std::vector<Vector3> points;
  std::optional<double> length;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between, "two bodies or markers", FieldTraits{.required = true});
    visit("points", self.points,
          "the two ends, in space, with the bodies as placed by the file; not needed with markers",
          FieldTraits{.unit = unit::kLength});
    visit("length", self.length, "length of the rod; default: the initial distance",
          FieldTraits{.unit = unit::kLength});
  }

  void state(JointEquations& e) const {
    const Distance distance{e.frame_i().point, e.frame_j().point};
    if (length)
      e.hold("length", distance, *length);
    else
      e.hold_initial("length", distance);
  }
};

}  // namespace picus
