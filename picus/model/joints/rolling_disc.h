// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

#include "picus/model/connection.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// A thin disc that rolls on a plane without slipping.
struct RollingDisc {
  static constexpr std::string_view kType = "rolling_disc";
  static constexpr std::string_view kSummary =
      "a thin disc or wheel rolling on a plane without slipping (nonholonomic)";

  std::vector<Name> between;
  double radius = 0.0;
  Vector3 axle = Vector3::UnitZ();
  std::optional<Vector3> center;
  std::optional<Vector3> normal;
  Vector3 point = Vector3::Zero();
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between, "the body that carries the plane, then the disc",
          FieldTraits{.required = true});
    visit("radius", self.radius, "radius of the disc",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("axle", self.axle, "axis of the disc, in the frame of its body", FieldTraits{});
    visit("center", self.center,
          "centre of the disc, in the frame of its body; default: its origin",
          FieldTraits{.unit = unit::kLength});
    visit("normal", self.normal,
          "normal of the plane, in the frame of its body; default z, for a planar disc y",
          FieldTraits{});
    visit("point", self.point, "a point of the plane, in the frame of its body",
          FieldTraits{.unit = unit::kLength});
  }

  void state(JointEquations& e) const {
    // frames: I at the centre of the disc with z along the axle, J on the plane with z its normal
    const DiscOnPlane disc{e.frame_i().point, e.frame_i().axes.col(2), radius, e.frame_j().point,
                           e.frame_j().axes.col(2)};
    e.hold("contact", DiscHeight{disc});
    static constexpr std::array names{"slip x", "slip y"};
    for (int axis = 0; axis < 2; ++axis) {
      // a planar disc cannot slip out of its plane
      if (e.is_planar() && std::abs(e.frame_j().axes(2, axis)) > 0.5) continue;
      e.roll(names[static_cast<std::size_t>(axis)], DiscSlip{disc, e.frame_j().axes.col(axis)});
    }
  }
};

}  // namespace picus
