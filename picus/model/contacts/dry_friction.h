// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "picus/base/fields.h"
#include "picus/model/values.h"

namespace picus {

/// Friction that no contact presses: in a joint, a brake, a clutch, or under a given normal force.
struct DryFriction {
  static constexpr std::string_view kType = "friction";
  static constexpr std::string_view kSummary =
      "dry friction without a gap: in a joint or a brake, or under a given normal force";

  std::optional<Name> joint;
  std::vector<Formula> slip;
  std::optional<Formula> limit, normal_force;
  std::optional<double> coefficient, radius, slip_speed;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("joint", self.joint, "a joint, or joint.coordinate, that sticks and slips",
          FieldTraits{});
    visit("slip", self.slip,
          "instead of a joint: sliding velocities, one or two formulas that are linear in "
          "velocities (BODY.vx, …); lengths per time",
          FieldTraits{.unit = unit::kSpeed});
    visit("limit", self.limit,
          "largest friction, a force or (where a joint turns) a torque: a number or a formula of "
          "time, positions, velocities and states",
          FieldTraits{});
    visit("coefficient", self.coefficient,
          "instead of limit: Coulomb's coefficient, with normal_force", FieldTraits{});
    visit("normal_force", self.normal_force, "normal force, a number or a formula like limit",
          FieldTraits{.unit = unit::kForce});
    visit("radius", self.radius,
          "with coefficient in a joint that rotates: radius at which friction acts",
          FieldTraits{.unit = unit::kLength});
    visit(
        "slip_speed", self.slip_speed,
        "regularizes friction: sliding speed at which it is 0.71 of its limit; nothing sticks then",
        FieldTraits{});
  }
};

}  // namespace picus
