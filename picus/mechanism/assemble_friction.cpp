// SPDX-License-Identifier: BSD-3-Clause
// Friction elements: slips of a joint or by formula, with limits that may read states.
#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {

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
  auto limit = limit_of(part, friction, record.is_angular);
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
  const bool by_pressure = friction.coefficient || friction.normal_force;
  if (friction.limit.has_value() == by_pressure)
    return fault("expected either limit, or coefficient and normal_force");
  if (by_pressure && !(friction.coefficient && friction.normal_force))
    return fault(friction.coefficient ? "coefficient needs normal_force"
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

}  // namespace picus
