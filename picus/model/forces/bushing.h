// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "picus/model/connection.h"
#include "picus/model/force_equations.h"

namespace picus {

/// A rubber bushing: six springs and dampers along and about the axes of the first frame.
struct Bushing : Connection {
  static constexpr std::string_view kType = "bushing";
  static constexpr std::string_view kSummary =
      "springs and dampers along and about the three axes of the frame on the first body";

  Vector3 stiffness = Vector3::Zero(), damping = Vector3::Zero();
  Vector3 torsional_stiffness = Vector3::Zero(), torsional_damping = Vector3::Zero();
  std::optional<AxisCurves> stiffness_tables, damping_tables;
  std::optional<AxisCurves> torsional_stiffness_tables, torsional_damping_tables;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    Connection::for_each_field(self, visit);
    visit("stiffness", self.stiffness, "stiffness along x, y, z",
          FieldTraits{.unit = unit::kStiffness});
    visit("damping", self.damping, "damping along x, y, z", FieldTraits{.unit = unit::kDamping});
    visit("torsional_stiffness", self.torsional_stiffness, "torsional stiffness about x, y, z",
          FieldTraits{.unit = unit::kTorsionalStiffness});
    visit("torsional_damping", self.torsional_damping, "torsional damping about x, y, z",
          FieldTraits{.unit = unit::kTorsionalDamping});
    visit("stiffness_tables", self.stiffness_tables,
          "instead of stiffness: curves of the force (y) over the displacement (x)", FieldTraits{});
    visit("damping_tables", self.damping_tables,
          "instead of damping: curves of the force (y) over the speed (x)", FieldTraits{});
    visit("torsional_stiffness_tables", self.torsional_stiffness_tables,
          "instead of torsional_stiffness: curves of the torque (y) over the angle (x)",
          FieldTraits{});
    visit("torsional_damping_tables", self.torsional_damping_tables,
          "instead of torsional_damping: curves of the torque (y) over the angular velocity (x)",
          FieldTraits{});
  }

  void state(ForceEquations& e) const {
    static constexpr std::array forces{"fx", "fy", "fz"}, torques{"tx", "ty", "tz"};
    const auto add = [&](const std::string& name, const Direction& along, const Direction& measured,
                         const LinearLaw& law) {
      if (law.stiffness == 0.0 && law.damping == 0.0 && !law.spring && !law.damper) return;
      e.add({name, along, law, measured});
    };
    const auto curve = [](const std::optional<AxisCurves>& curves, int n) {
      return curves ? LinearLaw::curve((*curves)(n)) : nullptr;
    };
    for (int n = 0; n < 3; ++n) {
      if (e.is_planar() && std::abs(e.frame_j().axes(2, n)) > 0.5) continue;
      const Direction offset = e.geometry().offset(static_cast<JointEquations::Axis>(n));
      add(forces[static_cast<std::size_t>(n)], offset, offset,
          {stiffness(n), damping(n), 0.0, 0.0, false, curve(stiffness_tables, n),
           curve(damping_tables, n)});
    }
    for (int n = 0; n < 3; ++n) {
      const LinearLaw law{torsional_stiffness(n),
                          torsional_damping(n),
                          0.0,
                          0.0,
                          false,
                          curve(torsional_stiffness_tables, n),
                          curve(torsional_damping_tables, n)};
      const std::string name = torques[static_cast<std::size_t>(n)];
      if (e.is_planar()) {
        if (std::abs(e.frame_j().axes(2, n)) < 0.5) continue;
        add(name, e.geometry().turn(), e.geometry().turn(), law);
      } else {
        // the torque works along the spin; its angle is a component of the rotation vector
        add(name, e.geometry().spin(n), Twist{e.frame_i().axes, e.frame_j().axes, n}, law);
      }
    }
  }
};

}  // namespace picus
