// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Keys of joints with one coordinate: spring, damper, dry friction and stops. Each stands for a
// part of its own.

#include <optional>

#include "picus/model/connection.h"
#include "picus/model/contacts/by_formula.h"
#include "picus/model/contacts/dry_friction.h"

namespace picus {

/// Dry friction on the coordinate of a joint; see DryFriction.
struct JointFriction {
  static constexpr std::string_view kShorthand = "limit";
  std::optional<Formula> limit, normal_force, preload;
  std::optional<double> coefficient, radius, collar, length, slip_speed;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("limit", self.limit,
          "largest friction, a torque if the joint rotates, else a force: a number or formula",
          FieldTraits{});
    visit("coefficient", self.coefficient,
          "instead of limit: Coulomb's coefficient; the joint's own reaction presses, or "
          "normal_force",
          FieldTraits{});
    visit("normal_force", self.normal_force,
          "normal force in place of the reaction, a number or formula",
          FieldTraits{.unit = unit::kForce});
    visit("radius", self.radius,
          "radius at which friction acts in a joint that rotates; needs coefficient. In a "
          "prismatic joint: radius at which its torque about the axis is held",
          FieldTraits{.unit = unit::kLength});
    DryFriction::visit_bearing(self, visit);
    visit("slip_speed", self.slip_speed,
          "regularizes friction: sliding speed at which it is 0.71 of its limit", FieldTraits{});
  }

  DryFriction of(const Name& joint) const {
    DryFriction friction;
    friction.joint = joint;
    friction.limit = limit;
    friction.normal_force = normal_force;
    friction.coefficient = coefficient;
    friction.radius = radius;
    friction.preload = preload;
    friction.length = length;
    friction.collar = collar;
    friction.slip_speed = slip_speed;
    return friction;
  }
};

/// Stops of the coordinate of a joint; see Stop.
struct JointLimits {
  static constexpr std::string_view kShorthand = "range";
  std::vector<Formula> range;
  std::optional<Formula> lower, upper;
  double restitution = 0.0;
  std::optional<Compliance> compliance;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit(
        "range", self.range,
        "in place of lower and upper: both, [smallest, largest]; `limits: [smallest, largest]` is "
        "short for it",
        FieldTraits{});
    visit("lower", self.lower, "smallest value: a number or a formula of time", FieldTraits{});
    visit("upper", self.upper, "largest value: a number or a formula of time", FieldTraits{});
    visit("restitution", self.restitution,
          "e in [0, 1]: ratio of the velocities after and before an impact", FieldTraits{});
    visit("compliance", self.compliance,
          "a force law of penetration instead of impacts; restitution is then ignored",
          FieldTraits{});
  }

  Stop of(const Name& joint) const {
    Stop stop{.joint = joint, .lower = lower, .upper = upper, .surface = {}, .place = {}};
    if (range.size() == 2) {
      stop.lower = range[0];
      stop.upper = range[1];
    }
    stop.surface.restitution = restitution;
    stop.surface.compliance = compliance;
    return stop;
  }
};

/// A joint with one coordinate: an angle if it rotates, else a length.
template <bool kTurns>
struct SingleCoordinateJoint : Connection {
  double stiffness = 0.0, damping = 0.0;
  std::optional<double> rest;
  std::optional<JointFriction> friction;
  std::optional<JointLimits> limits;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    Connection::for_each_field(self, visit);
    visit("stiffness", self.stiffness, "stiffness of a spring on the coordinate",
          FieldTraits{.unit = kTurns ? unit::kTorsionalStiffness : unit::kStiffness});
    visit("damping", self.damping, "viscous damping of the coordinate",
          FieldTraits{.unit = kTurns ? unit::kTorsionalDamping : unit::kDamping});
    visit("rest", self.rest,
          "coordinate at which the spring is relaxed; default: the initial value",
          FieldTraits{.unit = kTurns ? unit::kAngle : unit::kLength});
    visit("friction", self.friction,
          "dry friction on the coordinate; a number or formula alone is its limit", FieldTraits{});
    visit("limits", self.limits, "limits of the coordinate; `[smallest, largest]` for short",
          FieldTraits{});
  }
};

}  // namespace picus
