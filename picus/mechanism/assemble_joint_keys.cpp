// SPDX-License-Identifier: BSD-3-Clause
// Springs, friction and stops stated as keys of joints; each becomes a part of the joint's name.
#include <fmt/format.h>

#include "picus/base/text.h"
#include "picus/mechanism/assembler.h"

namespace picus {

void Assembler::add_contacts_of_joints() {
  const auto add = [&](const Named<Joint>& part, const auto& contact) {
    of_joints_.push_back({part.name, part.place, contact, part.placement});
    add_contact(of_joints_.back(), contact);
  };
  for (const Named<Joint>& part : model_.joints) {
    const Name name{part.name, part.place};
    std::visit(
        [&](const auto& joint) {
          if constexpr (requires { joint.limits; }) {
            if (joint.limits && is_range(part, *joint.limits)) add(part, joint.limits->of(name));
            if (joint.friction) add(part, joint.friction->of(name));
          }
        },
        part.value);
  }
}

// Two numbers in place of lower and upper, or none.
bool Assembler::is_range(const Named<Joint>& part, const JointLimits& limits) {
  if (limits.range.empty()) return true;
  const SourcePlace place = limits.range.front().place;
  if (limits.range.size() != 2) {
    complain(place,
             fmt::format("joint '{}': limits: found {}, expected 2, [least, largest]; a "
                         "single one is `{{lower: …}}` or `{{upper: …}}`",
                         part.name, counted(static_cast<long>(limits.range.size()), "number")));
    return false;
  }
  if (!limits.lower && !limits.upper) return true;
  complain(place, fmt::format("joint '{}': limits: found range and {}, expected one of them",
                              part.name, limits.lower ? "lower" : "upper"));
  return false;
}

void Assembler::add_springs_of_joints() {
  for (const Named<Joint>& part : model_.joints) {
    std::visit(
        [&](const auto& joint) {
          if constexpr (requires { joint.rest; }) {
            if (joint.rest && joint.stiffness == 0.0)
              warn(context_.place_of(fmt::format("joints.{}.rest", part.name)),
                   fmt::format("joint '{}': rest has no effect without stiffness", part.name));
            if (joint.stiffness == 0.0 && joint.damping == 0.0) return;
            add_spring_of(part, {.stiffness = joint.stiffness,
                                 .damping = joint.damping,
                                 .free = joint.rest.value_or(0.0),
                                 .free_is_initial = !joint.rest});
          }
        },
        part.value);
  }
}

void Assembler::add_spring_of(const Named<Joint>& part, const LinearLaw& law) {
  const AssembledJoint* joint = builder_.find_joint(part.name);
  if (joint == nullptr) return;  // it has an error of its own
  const auto expect_not_negative = [&](const char* key, double value, const char* effect) {
    if (value < 0.0)
      warn(context_.place_of(fmt::format("joints.{}.{}", part.name, key)),
           fmt::format("joint '{}': {}: found {:g}; a negative value {}", part.name, key, value,
                       effect));
  };
  expect_not_negative("stiffness", law.stiffness, "pushes away from the rest position");
  expect_not_negative("damping", law.damping, "feeds energy into the motion");
  const AssembledJoint::Coordinate& coordinate = joint->coordinates.front();
  const bool is_angle = coordinate.unit == unit::kAngle;
  AssembledForce record{.name = part.name,
                        .type = "joint",
                        .body_i = joint->body_i,
                        .body_j = joint->body_j,
                        .frame_i = joint->frame_i,
                        .frame_j = joint->frame_j};
  auto magnitude = linear(law, {coordinate.term, coordinate.term, is_angle}, record);
  if (!magnitude) return;
  record.components.push_back({is_angle ? "torque" : "force", *magnitude, is_angle ? "N m" : "N"});
  builder_.add_force({coordinate.term, std::move(*magnitude)});
  builder_.add_force_record(std::move(record));
}

}  // namespace picus
