// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/contact_equations.h"
#include "picus/model/contacts/surface.h"

namespace picus {

/// Two discs or balls, beside each other or one within the other.
struct BallOnBall {
  static constexpr std::string_view kType = "ball_on_ball";
  static constexpr std::string_view kSummary =
      "two discs or balls that touch from outside, or one inside the other";

  std::vector<Name> between;
  double radius = 0.0, other_radius = 0.0;
  bool inside = false;
  Surface surface;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between, "bodies or markers at the centres",
          FieldTraits{.required = true});
    visit("radius", self.radius, "radius of the second ball, 0 for a point",
          FieldTraits{.unit = unit::kLength});
    visit("other_radius", self.other_radius, "radius of the first ball",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("inside", self.inside, "true: the second ball moves inside the first, which is hollow",
          FieldTraits{});
    Surface::for_each_field(self.surface, visit);
  }

  void state(ContactEquations& e) const {
    if (radius < 0.0 || other_radius < 0.0)
      e.complain("radius and other_radius: expected at least 0");
    if (inside && other_radius <= radius)
      e.complain("the inner ball must be the smaller: radius < other_radius");
    const TwoCentres centres{e.frame_i().point, e.frame_j().point,
                             Vector3(0.0, 0.0, e.is_planar() ? e.geometry().handedness() : 0.0)};
    const double reach = inside ? radius : -radius;
    ContactRow row{.name = "",
                   .weight = inside ? -1.0 : 1.0,
                   .measure = CentreDistance{centres},
                   .constant = inside ? radius - other_radius : radius + other_radius,
                   .point_i = centres.centre_i,
                   .radius = radius};
    row.slips.emplace_back(RoundSlip{centres, reach, false});
    if (!e.is_planar()) row.slips.emplace_back(RoundSlip{centres, reach, true});
    e.add(std::move(row));
  }
};

}  // namespace picus
