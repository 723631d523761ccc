// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a joint with one coordinate may say of it: a spring and damper, dry friction, stops. Each is
// short for a part of its own.

#include <optional>

#include "picus/model/connection.h"
#include "picus/model/contacts/by_formula.h"
#include "picus/model/contacts/dry_friction.h"

namespace picus {

/// Dry friction of the coordinate of a joint, see DryFriction.
struct JointFriction {
  static constexpr std::string_view kShorthand = "limit";
  std::optional<Formula> limit, normal_force;
  std::optional<double> coefficient, radius, slip_speed;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("limit", self.limit,
          "largest friction, a torque where the joint turns, else a force: a number or formula",
          FieldTraits{});
    visit("coefficient", self.coefficient,
          "in place of limit: Coulomb's coefficient, with normal_force", FieldTraits{});
    visit("normal_force", self.normal_force, "what presses, a number or formula",
          FieldTraits{.unit = unit::kForce});
    visit("radius", self.radius, "where friction acts in a joint that turns, with coefficient",
          FieldTraits{.unit = unit::kLength});
    visit("slip_speed", self.slip_speed,
          "makes it smooth: sliding speed at which friction is 0.71 of its limit", FieldTraits{});
  }

  DryFriction of(const Name& joint) const {
    DryFriction friction;
    friction.joint = joint;
    friction.limit = limit;
    friction.normal_force = normal_force;
    friction.coefficient = coefficient;
    friction.radius = radius;
    friction.slip_speed = slip_speed;
    return friction;
  }
};

/// Stops of the coordinate of a joint, see Stop.
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
        "in place of lower and upper: both, [least, largest]; `limits: [least, largest]` is short "
        "for it",
        FieldTraits{});
    visit("lower", self.lower, "least value: a number or a formula of time", FieldTraits{});
    visit("upper", self.upper, "largest value: a number or a formula of time", FieldTraits{});
    visit("restitution", self.restitution, "e in [0, 1]: velocity after an impact over that before",
          FieldTraits{});
    visit("compliance", self.compliance,
          "a force of penetration in place of impacts; restitution is then not used",
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

/// A joint with one coordinate, an angle if it turns, else a length.
template <bool kTurns>
struct SingleCoordinateJoint : Connection {
  double stiffness = 0.0, damping = 0.0;
  std::optional<double> rest;
  std::optional<JointFriction> friction;
  std::optional<JointLimits> limits;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    Connection::for_each_field(self, visit);
    visit("stiffness", self.stiffness, "of a spring on its coordinate",
          FieldTraits{.unit = kTurns ? unit::kTorsionalStiffness : unit::kStiffness});
    visit("damping", self.damping, "viscous, of its coordinate",
          FieldTraits{.unit = kTurns ? unit::kTorsionalDamping : unit::kDamping});
    visit("rest", self.rest, "coordinate at which the spring is relaxed; default: the initial one",
          FieldTraits{.unit = kTurns ? unit::kAngle : unit::kLength});
    visit("friction", self.friction,
          "dry friction of its coordinate; a number or formula alone is its limit", FieldTraits{});
    visit("limits", self.limits, "stops of its coordinate; `[least, largest]` is short for them",
          FieldTraits{});
  }
};

}  // namespace picus
