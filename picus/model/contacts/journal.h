// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/contact_equations.h"
#include "picus/model/contacts/surface.h"

namespace picus {

/// A revolute joint with clearance.
struct Journal : Connection {
  static constexpr std::string_view kType = "journal";
  static constexpr std::string_view kSummary =
      "a revolute joint with clearance: a pin of the second body in a hole of the first";

  double radius = 0.0, clearance = 0.0;
  Surface surface;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    Connection::for_each_field(self, visit);
    visit("radius", self.radius, "radius of the pin", FieldTraits{.unit = unit::kLength});
    visit("clearance", self.clearance, "radius of the hole minus that of the pin",
          FieldTraits{.unit = unit::kLength, .required = true});
    Surface::for_each_field(self.surface, visit);
  }

  void state(ContactEquations& e) const {
    if (!(clearance > 0.0)) e.complain("clearance: expected a positive number");
    if (radius < 0.0) e.complain("radius: expected at least 0");
    if (e.is_planar() && !e.is_out_of_plane(JointEquations::kZ))
      e.complain("its axis must be normal to the plane of motion");
    const TwoCentres centres{e.frame_i().point, e.frame_j().point,
                             e.frame_j().axes.col(JointEquations::kZ)};
    ContactRow row{.name = "",
                   .weight = -1.0,
                   .measure = CentreDistance{centres},
                   .constant = -clearance,
                   .point_i = centres.centre_i,
                   .radius = radius};
    TwoCentres around = centres;  // the pin slides around its axis, a pseudovector
    around.axis_j *= e.geometry().handedness();
    row.slips.emplace_back(RoundSlip{around, radius, false});
    if (!e.is_planar()) row.slips.emplace_back(RoundSlip{centres, radius, true});
    e.add(std::move(row));
  }
};

}  // namespace picus
