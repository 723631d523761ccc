// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/connection.h"
#include "picus/model/force_equations.h"

namespace picus {

/// A rotational spring with a damper about an axis.
struct TorsionSpring : Connection, SpringCurves {
  static constexpr std::string_view kType = "torsion_spring";
  static constexpr std::string_view kSummary =
      "a rotational spring and damper about an axis, linear or by a formula";

  double stiffness = 0.0, damping = 0.0, preload = 0.0;
  std::optional<double> angle;
  std::optional<Formula> torque;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    Connection::for_each_field(self, visit);
    visit("stiffness", self.stiffness, "torsional stiffness",
          FieldTraits{.unit = unit::kTorsionalStiffness});
    visit("damping", self.damping, "viscous torsional damping",
          FieldTraits{.unit = unit::kTorsionalDamping});
    visit("stiffness_table", self.stiffness_table,
          "instead of stiffness: restoring torque (y) over the angle minus the free angle (x)",
          FieldTraits{});
    visit("damping_table", self.damping_table,
          "instead of damping: resisting torque (y) over the rate of the angle (x)", FieldTraits{});
    visit("angle", self.angle, "free angle; default: the initial angle",
          FieldTraits{.unit = unit::kAngle});
    visit("preload", self.preload, "constant torque on the second body, added",
          FieldTraits{.unit = unit::kTorque});
    visit("torque", self.torque,
          "torque on the second body as a formula of `angle`, `rate` and all other names, instead "
          "of the linear law",
          FieldTraits{});
  }

  void state(ForceEquations& e) const {
    const Direction turn = e.geometry().turn();
    if (torque) {
      e.add({"torque", turn,
             FormulaLaw{*torque,
                        unit::kTorque,
                        {{"angle", turn, false, unit::kAngle},
                         {"rate", turn, true, unit::kAngularVelocity}}}});
    } else {
      e.add({"torque", turn,
             LinearLaw{stiffness, damping, angle.value_or(0.0), preload, !angle,
                       LinearLaw::curve(stiffness_table), LinearLaw::curve(damping_table)}});
    }
  }
};

}  // namespace picus
