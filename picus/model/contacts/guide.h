// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/contact_equations.h"
#include "picus/model/contacts/surface.h"

namespace picus {

/// A prismatic joint with clearance.
struct Guide : Connection {
  static constexpr std::string_view kType = "guide";
  static constexpr std::string_view kSummary =
      "a prismatic joint with clearance: a block of the second body in a slot of the first";
  static constexpr bool kSlides = true;  ///< the axis is x unless stated

  double length = 0.0, height = 0.0, clearance = 0.0;
  Surface surface;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    Connection::for_each_field(self, visit);
    visit("length", self.length, "length of the block along the axis",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("height", self.height,
          "height of the block across the axis; in space, in both directions",
          FieldTraits{.unit = unit::kLength, .required = true});
    visit("clearance", self.clearance, "clearance between block and slot, on each side",
          FieldTraits{.unit = unit::kLength, .required = true});
    Surface::for_each_field(self.surface, visit);
  }

  /// Corners of the block against the walls, each against those on its own side.
  void state(ContactEquations& e) const {
    if (!(length > 0.0 && height > 0.0)) e.complain("length and height: expected positive numbers");
    if (clearance < 0.0) e.complain("clearance: expected at least 0");
    if (e.is_planar() && e.is_out_of_plane(JointEquations::kZ))
      e.complain("its axis must be in the plane of motion");
    for (const int across : {JointEquations::kX, JointEquations::kY})
      if (!e.is_out_of_plane(across)) add_walls(e, across);
  }

 private:
  /// Both walls across one axis. In the plane the corners have no other side.
  void add_walls(ContactEquations& e, int across) const {
    const int other = 1 - across;
    const std::vector<double> edges =
        e.is_out_of_plane(other) ? std::vector{0.0} : std::vector{-1.0, 1.0};
    for (const double end : {-1.0, 1.0})
      for (const double side : {-1.0, 1.0})
        for (const double edge : edges)
          add_corner(e, across, other, end, side, edge);
  }
  void add_corner(ContactEquations& e, int across, int other, double end, double side,
                  double edge) const {
    const Matrix3& axes = e.frame_i().axes;
    const Vector3 corner =
        e.frame_i().point + 0.5 * (end * length * axes.col(JointEquations::kZ) +
                                   height * (side * axes.col(across) + edge * axes.col(other)));
    std::string name = std::string(end < 0.0 ? "rear" : "front") + (across == 0 ? " x" : " y") +
                       (side < 0.0 ? "-" : "+");
    if (edge != 0.0) name += edge < 0.0 ? " low" : " high";
    e.add({.name = name,
           .weight = -side,
           .measure = Offset{corner, e.frame_j().point, e.frame_j().axes.col(across)},
           .constant = -(0.5 * height + clearance),
           .slips = e.slips_on_plane(corner, 0.0, across),
           .point_i = corner});
  }
};

}  // namespace picus
