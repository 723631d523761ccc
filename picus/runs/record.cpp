// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/record.h"

#include <algorithm>
#include <map>
#include <utility>

#include "picus/runs/record_values.h"

namespace picus {
namespace {

std::string unit_of(const Dimension& unit) {
  return unit == unit::kAngle ? "rad" : unit == unit::kLength ? "m" : "";
}

}  // namespace

MechanismRecord::MechanismRecord(const Mechanism& mechanism, const RecordChoice& choice)
    : mechanism_(mechanism) {
  want_bodies();
  want_angles();
  want_markers();
  want_elements();
  want_part_energies();
  want_joints();
  want_constraints();
  want_coordinates();
  want_forces();
  want_springs();
  want_motors();
  want_controls();
  want_contacts();
  want_collisions();
  want_frictions();
  want_outputs();
  want_run();
  want_audit();
  keep(choice);
}

void MechanismRecord::want(Quantity quantity, Read read) {
  quantities_.push_back(std::move(quantity));
  reads_.push_back(std::move(read));
}

std::span<const double> MechanismRecord::values(const Sample& sample) {
  values_.clear();
  mechanism_.evaluate_outputs(sample.state, outputs_);
  for (std::size_t q = 0; q < reads_.size(); ++q) {
    if (kept_[q].empty()) {
      reads_[q](sample, values_);
      continue;
    }
    all_.clear();
    reads_[q](sample, all_);
    for (const std::size_t number : kept_[q])
      values_.push_back(all_[number]);
  }
  return values_;
}

void MechanismRecord::want_bodies() {
  const Bodies& bodies = mechanism_.bodies();
  std::vector<int> all, turning;  // points of flexible parts have no orientation
  for (int b = 1; b < bodies.size(); ++b) {
    all.push_back(b);
    if (bodies[b].kind != BodyKind::kCarriedPoint) turning.push_back(b);
  }
  const auto names_of = [&](const std::vector<int>& which) {
    std::vector<std::string> names;
    names.reserve(which.size());
    for (const int b : which)
      names.push_back(bodies[b].name);
    return names;
  };
  const auto each = [&bodies](const std::vector<int>& which, auto read) {
    return [&bodies, which, read](const Sample& sample, std::vector<double>& to) {
      for (const int b : which)
        read(b, bodies.pose(b, sample.state.position),
             bodies.twist(b, sample.state.position, sample.state.velocity), to);
    };
  };
  using Twist6 = SmallVector<double, 6>;
  const Mechanism& m = mechanism_;
  if (all.empty()) return;
  want({"bodies", "position", names_of(all), kAxes, "m", "origin of the body's frame"},
       each(all, [&m](int b, const Pose<double>& pose, const Twist6&, std::vector<double>& to) {
         put(pose.point(m.origin(b)), to);
       }));
  if (!turning.empty())
    want({"bodies", "orientation", names_of(turning), {"w", "x", "y", "z"}, "", "unit quaternion"},
         each(turning, [](int, const Pose<double>& pose, const Twist6&, std::vector<double>& to) {
           const Quaternion p = quaternion_of(pose.A);
           to.insert(to.end(), {p(0), p(1), p(2), p(3)});
         }));
  want({"bodies", "velocity", names_of(all), kAxes, "m/s", "velocity of that origin"},
       each(all,
            [&m](int b, const Pose<double>& pose, const Twist6& twist, std::vector<double>& to) {
              const Vector3 omega = pose.A * twist.tail<3>();
              put(twist.head<3>() + cross(omega, pose.direction(m.origin(b))), to);
            }));
  if (turning.empty()) return;
  want({"bodies", "angular_velocity", names_of(turning), kAxes, "rad/s",
        "angular velocity, axes in space"},
       each(turning, [](int, const Pose<double>& pose, const Twist6& twist,
                        std::vector<double>& to) { put(pose.A * twist.tail<3>(), to); }));
}

void MechanismRecord::want_angles() {
  const Bodies& bodies = mechanism_.bodies();
  std::vector<std::string> names;
  std::vector<int> planar;
  for (int b = 1; b < bodies.size(); ++b) {
    if (bodies[b].kind != BodyKind::kPlanar) continue;
    planar.push_back(b);
    names.push_back(bodies[b].name);
  }
  if (planar.empty()) return;
  want({"bodies",
        "angle",
        names,
        {},
        "rad",
        "rotation about z of a planar body, full turns counted"},
       [&bodies, planar](const Sample& sample, std::vector<double>& to) {
         for (const int b : planar)
           to.push_back(bodies.pose(b, sample.state.position).angle);
       });
}

void MechanismRecord::want_markers() {
  const std::vector<AssembledMarker>& markers = mechanism_.markers();
  if (markers.empty()) return;
  std::vector<std::string> names;
  std::vector<Term> terms;
  for (const AssembledMarker& marker : markers) {
    names.push_back(marker.name);
    for (int axis = 0; axis < 3; ++axis)
      terms.push_back(
          {.body_i = marker.body,
           .direction = Separation{marker.point, Vector3::Zero(), Vector3::Unit(axis)}});
  }
  const auto each = [&bodies = mechanism_.bodies(), terms](auto read) {
    return [&bodies, terms, read](const Sample& sample, std::vector<double>& to) {
      for (const Term& term : terms)
        to.push_back(read(bodies, term, sample.state));
    };
  };
  want({"markers", "position", names, kAxes, "m", "position of the marker, axes in space"},
       each([](const Bodies& bodies, const Term& term, const State& s) {
         return term.weight * measure(bodies, term, s.position);
       }));
  want({"markers", "velocity", names, kAxes, "m/s", "its velocity"}, each(rate_of));
  // a state that was never solved has no accelerations
  want({"markers", "acceleration", names, kAxes, "m/s^2",
        "its acceleration; with integrators that step across impacts the mean over the step"},
       each([](const Bodies& bodies, const Term& term, const State& s) {
         return s.acceleration.size() == s.velocity.size() ? acceleration_of(bodies, term, s) : 0.0;
       }));
}

// Of whole flexible parts.
void MechanismRecord::want_part_energies() {
  std::vector<std::string> names;
  for (const FlexiblePart* part : mechanism_.flexible())
    names.push_back(part->name());
  if (names.empty()) return;
  const auto each = [&m = mechanism_](double (FlexiblePart::*energy)(const State&) const) {
    return [&m, energy](const Sample& sample, std::vector<double>& to) {
      for (const FlexiblePart* part : m.flexible())
        to.push_back((part->*energy)(sample.state));
    };
  };
  want({"elements", "strain_energy", names, {}, "J", "strain energy of the flexible part"},
       each(&FlexiblePart::elastic_energy));
  want({"elements", "kinetic_energy", names, {}, "J", "its kinetic energy"},
       each(&FlexiblePart::kinetic_energy));
}

void MechanismRecord::want_elements() {
  // what parts have in common is one quantity
  std::vector<std::vector<PartQuantity>> groups;
  for (const FlexiblePart* part : mechanism_.flexible()) {
    for (PartQuantity& quantity : part->quantities()) {
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
        return group.front().name == quantity.name;
      });
      if (same == groups.end())
        groups.push_back({std::move(quantity)});
      else
        same->push_back(std::move(quantity));
    }
  }
  for (const std::vector<PartQuantity>& group : groups) {
    const PartQuantity& first = group.front();
    std::vector<std::string> names;
    for (const PartQuantity& quantity : group)
      names.insert(names.end(), quantity.items.begin(), quantity.items.end());
    want({"elements", first.name, names, first.components, first.unit, first.meaning},
         [group](const Sample& sample, std::vector<double>& to) {
           for (const PartQuantity& quantity : group)
             quantity.values(sample.state, to);
         });
  }
}

void MechanismRecord::want_joints() {
  std::vector<std::string> names;
  std::vector<const AssembledJoint*> joints;
  for (const AssembledJoint& joint : mechanism_.joints()) {
    joints.push_back(&joint);
    names.push_back(joint.name);
  }
  if (names.empty()) return;
  const auto each = [&m = mechanism_, joints](Vector3 Reaction::*part) {
    return [&m, joints, part](const Sample& sample, std::vector<double>& to) {
      for (const AssembledJoint* joint : joints)
        put(m.reaction(*joint, sample.state).*part, to);
    };
  };
  want({"joints", "force", names, kAxes, "N",
        "force of the joint on its second body, at the joint's point, axes in space"},
       each(&Reaction::force));
  want({"joints", "torque", names, kAxes, "N m", "its torque about that point"},
       each(&Reaction::torque));
}

void MechanismRecord::want_constraints() {
  std::vector<std::string> names;
  std::vector<int> rows;
  for (const AssembledConstraint& constraint : mechanism_.formula_constraints()) {
    names.push_back(constraint.name);
    rows.push_back(constraint.row);
  }
  if (names.empty()) return;
  want({"constraints",
        "multiplier",
        names,
        {},
        "N",
        "reaction of the equation; it acts along the gradient of the formula"},
       [rows](const Sample& sample, std::vector<double>& to) {
         for (const int row : rows)
           to.push_back(sample.state.multiplier(row));
       });
}

void MechanismRecord::want_coordinates() {
  // joints with a coordinate of the same name share a quantity
  std::map<std::string, std::pair<std::vector<std::string>, std::vector<const Term*>>> by_name;
  std::map<std::string, std::string> units;
  for (const AssembledJoint& joint : mechanism_.joints()) {
    for (const AssembledJoint::Coordinate& coordinate : joint.coordinates) {
      by_name[coordinate.name].first.push_back(joint.name);
      by_name[coordinate.name].second.push_back(&coordinate.term);
      units[coordinate.name] = unit_of(coordinate.unit);
    }
  }
  for (const auto& entry : by_name) {
    const std::string& name = entry.first;
    const std::vector<const Term*> terms = entry.second.second;
    want({"joints", name, entry.second.first, {}, units[name], "free coordinate of the joint"},
         [&bodies = mechanism_.bodies(), terms](const Sample& sample, std::vector<double>& to) {
           for (const Term* term : terms)
             to.push_back(measure(bodies, *term, sample.state.position));
         });
    want({"joints", name + "_rate", entry.second.first, {}, units[name] + "/s", "its rate"},
         [&bodies = mechanism_.bodies(), terms](const Sample& sample, std::vector<double>& to) {
           for (const Term* term : terms)
             to.push_back(rate_of(bodies, *term, sample.state));
         });
  }
}

void MechanismRecord::want_forces() {
  std::map<std::string, std::pair<std::vector<std::string>, std::vector<const Formulation*>>>
      by_name;
  std::map<std::string, std::string> units;
  for (const AssembledForce& force : mechanism_.forces()) {
    for (const AssembledForce::Component& component : force.components) {
      by_name[component.name].first.push_back(force.name);
      by_name[component.name].second.push_back(&component.magnitude);
      units[component.name] = component.unit;
    }
  }
  for (const auto& entry : by_name) {
    const std::vector<const Formulation*> magnitudes = entry.second.second;
    want(
        {"forces",
         entry.first,
         entry.second.first,
         {},
         units[entry.first],
         "this component of the force"},
        [&bodies = mechanism_.bodies(), magnitudes](const Sample& sample, std::vector<double>& to) {
          for (const Formulation* magnitude : magnitudes)
            to.push_back(magnitude->evaluate(bodies, sample.state));
        });
  }
}

void MechanismRecord::want_springs() {
  struct Group {
    std::vector<std::string> names;
    std::vector<const Term*> terms;
    std::string unit;
  };
  std::map<std::string, Group> by_name;
  for (const AssembledForce& force : mechanism_.forces()) {
    for (const AssembledForce::Measure& measure : force.measures) {
      Group& group = by_name[measure.name];
      group.names.push_back(force.name);
      group.terms.push_back(&measure.term);
      group.unit = measure.unit;
    }
  }
  for (const auto& entry : by_name) {
    const std::vector<const Term*> terms = entry.second.terms;
    want({"forces",
          entry.first,
          entry.second.names,
          {},
          entry.second.unit,
          entry.first == "length"  ? "distance of the ends of the spring"
          : entry.first == "angle" ? "angle of the torsion spring"
                                   : "deflection of the bushing along or about this axis"},
         [&bodies = mechanism_.bodies(), terms](const Sample& sample, std::vector<double>& to) {
           for (const Term* term : terms)
             to.push_back(measure(bodies, *term, sample.state.position));
         });
  }
}

void MechanismRecord::want_motors() {
  std::vector<std::string> names;
  std::vector<const AssembledForce*> motors;
  for (const AssembledForce& force : mechanism_.forces()) {
    if (!force.driven) continue;
    names.push_back(force.name);
    motors.push_back(&force);
  }
  if (motors.empty()) return;
  want({"forces", "power", names, {}, "W", "power that the motor delivers"},
       [&bodies = mechanism_.bodies(), motors](const Sample& sample, std::vector<double>& to) {
         for (const AssembledForce* motor : motors)
           to.push_back(motor->components.front().magnitude.evaluate(bodies, sample.state) *
                        rate_of(bodies, *motor->driven, sample.state));
       });
}

void MechanismRecord::want_controls() {
  std::vector<std::string> controls;
  std::vector<int> places;
  for (const AssembledControl& control : mechanism_.controls()) {
    controls.push_back(control.name);
    places.push_back(control.index);
  }
  if (controls.empty()) return;
  want({"controls", "value", controls, {}, "", "states, variables and force states"},
       [places](const Sample& sample, std::vector<double>& to) {
         for (const int place : places)
           to.push_back(sample.state.control(place));
       });
}

void MechanismRecord::want_outputs() {
  const std::vector<AssembledOutput>& outputs = mechanism_.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i)
    want({"outputs", outputs[i].name, {}, {}, outputs[i].unit, outputs[i].meaning},
         [this, i](const Sample&, std::vector<double>& to) { to.push_back(outputs_[i]); });
}

void MechanismRecord::want_run() {
  const auto one = [&](const char* group, const char* name, const char* unit, const char* meaning,
                       auto read) {
    want({group, name, {}, {}, unit, meaning},
         [read](const Sample& sample, std::vector<double>& to) { to.push_back(read(sample)); });
  };
  const Mechanism& m = mechanism_;
  one("energy", "kinetic", "J", "kinetic energy",
      [&m](const Sample& sample) { return m.kinetic_energy(sample.state); });
  one("energy", "potential", "J", "energy of gravity and springs",
      [&m](const Sample& sample) { return m.potential_energy(sample.state); });
  one("energy", "total", "J", "their sum", [&m](const Sample& sample) {
    return m.kinetic_energy(sample.state) + m.potential_energy(sample.state);
  });
  one("solver", "step", "s", "size of the step that led here",
      [](const Sample& sample) { return sample.h; });
  one("solver", "shortest_step", "s", "shortest step since the sample before",
      [](const Sample& sample) { return sample.shortest; });
  one("solver", "longest_step", "s", "longest step since the sample before",
      [](const Sample& sample) { return sample.longest; });
  one("solver", "order", "", "order of the method that took it",
      [](const Sample& sample) { return static_cast<double>(sample.order); });
  one("solver", "iterations", "", "Newton iterations of that step",
      [](const Sample& sample) { return static_cast<double>(sample.report.newton_iterations); });
  one("solver", "error", "", "its estimated local error over the tolerance",
      [](const Sample& sample) { return sample.report.error; });
  one("solver", "constraint_position", "", "largest violation of a joint, m or rad",
      [this](const Sample& sample) {
        mechanism_.system().constraint(sample.state, scratch_);
        return max_abs(scratch_.head(mechanism_.system().sizes().joints()));
      });
  one("solver", "constraint_velocity", "", "largest rate of violation, m/s or rad/s",
      [this](const Sample& sample) {
        mechanism_.system().constraint_velocity(sample.state, scratch_);
        return max_abs(scratch_.head(mechanism_.system().sizes().joints()));
      });
}

void MechanismRecord::want_audit() {
  const auto one = [&](const char* name, AuditGroup group, const char* meaning) {
    want({"audit", name, {}, {}, "", meaning},
         [at = static_cast<std::size_t>(group)](const Sample& sample, std::vector<double>& to) {
           to.push_back(sample.audit[at]);
         });
  };
  const SystemSizes n = mechanism_.system().sizes();
  const bool has_collisions = !mechanism_.collisions().empty();
  if (n.joints() + n.rollings() > 0)
    one("joints", AuditGroup::kJoints, "worst violation of a joint over its bound");
  if (n.contacts > 0 || has_collisions)
    one("contacts", AuditGroup::kContacts, "the same of a contact: penetration, pull, restitution");
  if (n.slips > 0 || has_collisions)
    one("friction", AuditGroup::kFriction, "the same of friction: limit, opposition to slip");
  one("energy", AuditGroup::kEnergy, "the same of the balance of energy");
  one("clock", AuditGroup::kClock, "the same of the clock against the motion");
}

}  // namespace picus
