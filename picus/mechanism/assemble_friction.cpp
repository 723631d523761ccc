// SPDX-License-Identifier: BSD-3-Clause
// Friction elements: slips of a joint or by formula, with limits that may read states.
#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

// One that states how a joint presses itself.
std::string_view key_of_bearing(const DryFriction& friction) {
  if (friction.preload) return "preload";
  if (friction.length) return "length";
  return friction.collar ? "collar" : "";
}

}  // namespace

void Assembler::add_contact(const Named<Contact>& part, const DryFriction&) {
  frictions_.push_back(&part);
}

// After all contacts, whose slips come before theirs, and after the controls that limits read.
void Assembler::add_frictions() {
  for (const Named<Contact>* part : frictions_)
    add_friction(*part, std::get<DryFriction>(part->value));
}

void Assembler::add_friction(const Named<Contact>& part, const DryFriction& friction) {
  ContactGeometry geometry;
  Dimension coordinate = unit::kLength;
  if (!slips_of(part, friction, geometry, coordinate)) return;
  AssembledFriction record{.name = part.name, .is_angular = coordinate == unit::kAngle};
  auto limit = friction.reads_reaction() ? preload_of(part, friction, record)
                                         : limit_of(part, friction, record.is_angular);
  if (!limit) return;
  record.limit = std::move(*limit);
  for (std::size_t d = 0; d < geometry.slips.size(); ++d)
    record.slips.push_back({.terms = geometry.terms, .function = geometry.slip_function(d)});
  if (friction.slip_speed) {
    record.slip_speed =
        *friction.slip_speed *
        context_.scale(record.is_angular ? unit::kAngularVelocity : unit::kSpeed, part.place);
    for (ForceComponent& component : smooth_friction(geometry, record.limit, record.slip_speed))
      builder_.add_force(std::move(component));
  } else {
    for (std::size_t d = 0; d < geometry.slips.size(); ++d)
      record.slips[d].row = add_slip(part.name, geometry, geometry.slips[d]);
  }
  builder_.add_friction(std::move(record));
}

bool Assembler::slips_of(const Named<Contact>& part, const DryFriction& friction,
                         ContactGeometry& geometry, Dimension& coordinate) {
  const auto fault = [&](const std::string& what) {
    complain(part.place, fmt::format("friction '{}': {}", part.name, what));
    return false;
  };
  if (friction.joint && !friction.slip.empty())
    return fault("found both joint and slip, expected one of them");
  if (friction.slip_speed && !(*friction.slip_speed > 0.0))
    return fault(
        fmt::format("slip_speed: found {:g}, expected a positive number", *friction.slip_speed));
  if (friction.joint) {
    const AssembledJoint::Coordinate* found = find_coordinate(*friction.joint);
    if (found == nullptr) return false;
    coordinate = found->unit;
    geometry.terms = {found->term};
    geometry.slips.push_back({.weights = {1.0}});
    return true;
  }
  if (friction.slip.empty() || friction.slip.size() > 2)
    return fault(friction.slip.empty() ? "expected joint, or slip with one or two formulas"
                                       : fmt::format("slip: found {} formulas, expected one or two",
                                                     friction.slip.size()));
  for (const Formula& slip : friction.slip) {
    ContactGeometry::Equation equation;
    equation.function =
        function_of(slip, {.unit = unit::kSpeed, .part = part.name}, true, geometry);
    if (!equation.function) return false;
    geometry.slips.push_back(std::move(equation));
  }
  if (geometry.terms.empty()) return fault("slip: found no velocities");
  return true;
}

std::optional<Formulation> Assembler::limit_of(const Named<Contact>& part,
                                               const DryFriction& friction, bool is_angular) {
  const auto fault = [&](const std::string& what) {
    complain(part.place, fmt::format("friction '{}': {}", part.name, what));
    return std::nullopt;
  };
  if (const std::string_view key = key_of_bearing(friction); !key.empty())
    return fault(
        fmt::format("{} applies only with coefficient in a joint that its own reaction presses, "
                    "without limit and normal_force",
                    key));
  const bool by_pressure = friction.coefficient || friction.normal_force;
  if (friction.limit.has_value() == by_pressure)
    return fault("expected either limit, or coefficient and normal_force");
  if (by_pressure && !(friction.coefficient && friction.normal_force))
    return fault(friction.coefficient ? "coefficient needs normal_force, or a joint whose reaction "
                                        "presses"
                                      : "normal_force needs coefficient");
  if (friction.coefficient && !(*friction.coefficient >= 0.0))
    return fault(
        fmt::format("coefficient: found {:g}, expected at least 0", *friction.coefficient));
  if (friction.radius.has_value() != (by_pressure && is_angular))
    return fault(friction.radius
                     ? "radius applies only with coefficient in a joint that rotates"
                     : "expected radius: the joint rotates, so its friction is a torque");
  if (friction.radius && !(*friction.radius > 0.0))
    return fault(fmt::format("radius: found {:g}, expected a positive number", *friction.radius));
  const Formula& formula = by_pressure ? *friction.normal_force : *friction.limit;
  auto law =
      formulate(formula, {.unit = is_angular && !by_pressure ? unit::kTorque : unit::kForce});
  if (!law) return std::nullopt;
  const double factor = by_pressure ? *friction.coefficient * friction.radius.value_or(1.0) : 1.0;
  if (law->signals.empty() && law->value({}) < 0.0)
    return fault(fmt::format("{}: found {:g}, expected at least 0",
                             by_pressure ? "normal_force" : "limit", law->value({})));
  return limited(std::move(*law), factor);
}

// Friction of a joint from its own reaction: its bearing goes to the record, and what it has
// without a reaction is the limit.
std::optional<Formulation> Assembler::preload_of(const Named<Contact>& part,
                                                 const DryFriction& friction,
                                                 AssembledFriction& record) {
  const AssembledJoint* joint = builder_.find_joint(joint_in(friction.joint->text));
  if (joint == nullptr || !is_bearing(part, friction, *joint)) return std::nullopt;
  const double mu = *friction.coefficient;
  BearingShape shape{.across = mu, .length = friction.length.value_or(0.0)};
  if (record.is_angular) {
    shape.across = mu * friction.radius.value_or(0.0);
    shape.along = mu * friction.collar.value_or(0.0);
  } else if (friction.radius) {
    shape.about = mu / *friction.radius;
  }
  record.bearing = builder_.bearing_of(*joint, shape);
  const Formula none{.text = "0", .place = part.place};
  auto law = formulate(friction.preload.value_or(none),
                       {.unit = record.is_angular ? unit::kTorque : unit::kForce});
  if (!law) return std::nullopt;
  if (law->signals.empty() && law->value({}) < 0.0) {
    complain(part.place, fmt::format("friction '{}': preload: found {:g}, expected at least 0",
                                     part.name, law->value({})));
    return std::nullopt;
  }
  return limited(std::move(*law), 1.0);
}

bool Assembler::is_bearing(const Named<Contact>& part, const DryFriction& friction,
                           const AssembledJoint& joint) {
  const auto fault = [&](const std::string& what) {
    complain(part.place, fmt::format("friction '{}': {}", part.name, what));
    return false;
  };
  const bool is_revolute = joint.type == RevoluteJoint::kType;
  const bool is_prismatic = joint.type == PrismaticJoint::kType;
  if (!is_revolute && !is_prismatic && joint.type != InlineJoint::kType)
    return fault(
        fmt::format("the reaction of joint '{}', which is {}, gives no friction; expected a "
                    "revolute, prismatic or inline joint, or normal_force",
                    joint.name, joint.type));
  if (friction.slip_speed)
    return fault(
        "slip_speed needs limit or normal_force: friction from the reaction of the joint "
        "is not regularized");
  if (!(*friction.coefficient >= 0.0))
    return fault(
        fmt::format("coefficient: found {:g}, expected at least 0", *friction.coefficient));
  for (const auto& [key, value, applies] :
       {std::tuple{"radius", friction.radius, is_revolute || is_prismatic},
        {"length", friction.length, is_revolute || is_prismatic},
        {"collar", friction.collar, is_revolute}}) {
    if (value && !applies)
      return fault(fmt::format("{} does not apply to a joint that is {}", key, joint.type));
    if (value && !(*value > 0.0))
      return fault(fmt::format("{}: found {:g}, expected a positive number", key, *value));
  }
  if (is_revolute && !friction.radius && !friction.collar)
    return fault("expected radius: the joint rotates, so its friction is a torque");
  return true;
}

}  // namespace picus
