// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/contact_equations.h"
#include "picus/model/contacts/surface.h"

namespace picus {

/// A point, disc or ball above a line or plane.
struct BallOnPlane {
  static constexpr std::string_view kType = "ball_on_plane";
  static constexpr std::string_view kSummary =
      "a point, disc or ball of the second body above a plane (a line in 2D) of the first";

  std::vector<Name> between;
  std::optional<double> radius;
  std::optional<Vector3> normal;
  std::optional<Formula> height;
  Surface surface;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between,
          "a body or marker on the plane, then the one at the centre of the ball",
          FieldTraits{.required = true});
    visit("radius", self.radius,
          "radius of the ball, 0 for a point; default: that of the body's shape if 'between' names "
          "the body and its shape is a sphere (in 2D also a cylinder), else 0",
          FieldTraits{.unit = unit::kLength});
    visit("normal", self.normal,
          "normal of the plane, towards the ball, in space at the start; default: z of the first "
          "frame, y in 2D",
          FieldTraits{});
    visit("height", self.height, "height of the plane above the first frame: a formula of time",
          FieldTraits{.unit = unit::kLength});
    Surface::for_each_field(self.surface, visit);
  }

  void state(ContactEquations& e) const {
    const double r = radius.value_or(0.0);
    if (r < 0.0) e.complain("radius: expected at least 0");
    const Vector3& centre = e.frame_i().point;
    e.add({.name = "",
           .measure = e.geometry().offset(JointEquations::kZ),
           .constant = r,
           .slips = e.slips_on_plane(centre, r, JointEquations::kZ),
           .point_i = centre,
           .radius = r});
  }
};

}  // namespace picus
