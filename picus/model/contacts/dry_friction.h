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
  std::optional<Formula> limit, normal_force, preload;
  std::optional<double> coefficient, radius, collar, length, slip_speed;
  Place place;

  /// Whether the joint's own reaction presses.
  bool reads_reaction() const { return joint && coefficient && !normal_force && !limit; }

  /// What only joints have that their own reaction presses.
  template <class Self, class Visit>
  static void visit_bearing(Self& self, Visit& visit) {
    visit("preload", self.preload,
          "of a joint that its own reaction presses: friction without a reaction, added to that of "
          "the reaction, a torque if the joint rotates, else a force: a number or formula",
          FieldTraits{});
    visit("length", self.length,
          "of a joint that its own reaction presses: distance between two supports along the axis, "
          "on the second body, which take the moments across it",
          FieldTraits{.unit = unit::kLength});
    visit(
        "collar", self.collar,
        "of a revolute joint that its own reaction presses: radius at which friction of the force "
        "along the axis acts",
        FieldTraits{.unit = unit::kLength});
  }

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
          "instead of limit: Coulomb's coefficient, with normal_force; without it the reaction of "
          "the joint presses",
          FieldTraits{});
    visit("normal_force", self.normal_force, "normal force, a number or a formula like limit",
          FieldTraits{.unit = unit::kForce});
    visit("radius", self.radius,
          "with coefficient in a joint that rotates: radius at which friction acts; in a prismatic "
          "joint that its reaction presses: radius at which its torque about the axis is held",
          FieldTraits{.unit = unit::kLength});
    visit_bearing(self, visit);
    visit(
        "slip_speed", self.slip_speed,
        "regularizes friction: sliding speed at which it is 0.71 of its limit; nothing sticks then",
        FieldTraits{});
  }
};

}  // namespace picus
