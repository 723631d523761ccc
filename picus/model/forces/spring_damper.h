// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/force_equations.h"

namespace picus {

/// A spring with a damper along the line between two points.
struct SpringDamper : SpringCurves {
  static constexpr std::string_view kType = "spring_damper";
  static constexpr std::string_view kSummary =
      "a spring and damper along the line between two points, linear or by a formula";

  std::vector<Name> between;
  std::vector<Vector3> points;
  double stiffness = 0.0, damping = 0.0, preload = 0.0;
  std::optional<double> length;
  std::optional<Formula> force;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("between", self.between, "two bodies or markers", FieldTraits{.required = true});
    visit("points", self.points,
          "the two ends, in space, with the bodies as placed by the file; not needed with markers",
          FieldTraits{.unit = unit::kLength});
    visit("stiffness", self.stiffness, "spring stiffness", FieldTraits{.unit = unit::kStiffness});
    visit("damping", self.damping, "viscous damping", FieldTraits{.unit = unit::kDamping});
    visit("stiffness_table", self.stiffness_table,
          "instead of stiffness: restoring force (y) over the length minus the free length (x)",
          FieldTraits{});
    visit("damping_table", self.damping_table,
          "instead of damping: resisting force (y) over the rate of the length (x)", FieldTraits{});
    visit("length", self.length, "free length; default: the initial distance",
          FieldTraits{.unit = unit::kLength});
    visit("preload", self.preload, "constant force, added; positive pushes the ends apart",
          FieldTraits{.unit = unit::kForce});
    visit("force", self.force,
          "force as a formula of `length`, `rate` and all other names, instead of the linear law; "
          "positive pushes the ends apart",
          FieldTraits{});
  }

  void state(ForceEquations& e) const {
    const Distance distance{e.frame_i().point, e.frame_j().point};
    if (force) {
      e.add({"force", distance,
             FormulaLaw{*force,
                        unit::kForce,
                        {{"length", distance, false, unit::kLength},
                         {"rate", distance, true, unit::kSpeed}}}});
    } else {
      e.add({"force", distance,
             LinearLaw{stiffness, damping, length.value_or(0.0), preload, !length,
                       LinearLaw::curve(stiffness_table), LinearLaw::curve(damping_table)}});
    }
  }
};

}  // namespace picus
