// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/record.h"

#include <algorithm>
#include <map>
#include <utility>

#include "picus/mechanism/collision_batch.h"

namespace picus {
namespace {

const std::vector<std::string> kAxes{"x", "y", "z"};

void put(const Vector3& value, std::vector<double>& to) {
  to.insert(to.end(), {value(0), value(1), value(2)});
}

ContactStatus status_of(const Mechanism& mechanism, std::size_t contact, const Sample& sample) {
  const bool is_known = contact < sample.contacts.size();
  const ContactStatus of_step = is_known ? sample.contacts[contact] : ContactStatus{};
  const AssembledContact& assembled = mechanism.contacts()[contact];
  if (!assembled.law) return of_step;
  ContactStatus now = compliant_status(mechanism.bodies(), assembled, sample.state);
  now.total_impulse = of_step.total_impulse;
  return now;
}

std::string unit_of(const Dimension& unit) {
  return unit == unit::kAngle ? "rad" : unit == unit::kLength ? "m" : "";
}

// The direction in which a contact pushes its second body.
Vector3 normal_of(const Bodies& bodies, const AssembledContact& contact, const State& state) {
  return contact.normal ? *contact.normal
                        : gradient_of(bodies, contact.gap, state, contact.body_i, false);
}

}  // namespace

MechanismRecord::MechanismRecord(const Mechanism& mechanism) : mechanism_(mechanism) {
  want_bodies();
  want_elements();
  want_joints();
  want_constraints();
  want_coordinates();
  want_forces();
  want_contacts();
  want_collisions();
  want_frictions();
  want_run();
  want_audit();
}

void MechanismRecord::want(Quantity quantity, Read read) {
  quantities_.push_back(std::move(quantity));
  reads_.push_back(std::move(read));
}

std::span<const double> MechanismRecord::values(const Sample& sample) {
  values_.clear();
  for (const Read& read : reads_)
    read(sample, values_);
  return values_;
}

void MechanismRecord::want_bodies() {
  const Bodies& bodies = mechanism_.bodies();
  std::vector<int> all, turning;  // nodes of bars have no orientation
  for (int b = 1; b < bodies.size(); ++b) {
    all.push_back(b);
    if (bodies[b].kind != BodyKind::kAxialPoint) turning.push_back(b);
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
        read(b, bodies.pose(b, sample.state.position), bodies.twist(b, sample.state.velocity), to);
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
             to.push_back(LoneTermView(bodies, *term, sample.state).rate());
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

void MechanismRecord::want_contacts() {
  const std::vector<AssembledContact>& contacts = mechanism_.contacts();
  if (contacts.empty()) return;
  std::vector<std::string> names;
  names.reserve(contacts.size());
  for (const AssembledContact& contact : contacts)
    names.push_back(contact.name);
  const auto geometric = [&](double MotionValue::*part) {
    return [&bodies = mechanism_.bodies(), &contacts, part](const Sample& sample,
                                                            std::vector<double>& to) {
      for (const AssembledContact& contact : contacts)
        to.push_back(value_of(bodies, contact.gap, sample.state).*part);
    };
  };
  // compliant forces are known at any moment, those of rigid contacts by their impulses
  const auto dynamic = [&m = mechanism_](auto read) {
    return [&m, read](const Sample& sample, std::vector<double>& to) {
      for (std::size_t i = 0; i < m.contacts().size(); ++i)
        to.push_back(read(status_of(m, i, sample)));
    };
  };
  const auto unit = [&](const char* linear, const char* angular) {
    const auto angles = static_cast<std::size_t>(
        std::count_if(contacts.begin(), contacts.end(),
                      [](const AssembledContact& contact) { return contact.is_angle; }));
    return angles == 0 ? linear : angles == contacts.size() ? angular : "";
  };
  using Status = ContactStatus;
  want({"contacts",
        "gap",
        names,
        {},
        unit("m", "rad"),
        "gap, m or rad; negative when the bodies penetrate"},
       geometric(&MotionValue::value));
  want({"contacts", "gap_velocity", names, {}, unit("m/s", "rad/s"), "its rate"},
       geometric(&MotionValue::rate));
  want({"contacts", "impulse", names, {}, unit("N s", "N m s"), "normal impulse since the start"},
       dynamic([](const Status& status) { return status.total_impulse; }));
  want({"contacts",
        "force",
        names,
        {},
        unit("N", "N m"),
        "mean normal force since the sample before; at this time of compliant contacts and of "
        "methods that stop at events"},
       dynamic([](const Status& status) { return status.force; }));
  want({"contacts", "friction_1", names, {}, "N", "the same along the first sliding direction"},
       dynamic([](const Status& status) { return status.friction[0]; }));
  want({"contacts", "friction_2", names, {}, "N", "the same along the second one"},
       dynamic([](const Status& status) { return status.friction[1]; }));
  want({"contacts",
        "mode",
        names,
        {},
        "",
        "of the last step since the sample before that pushed: 0 none, 1 stick, 2 slip, 3 closed "
        "without friction"},
       dynamic([](const Status& status) { return static_cast<double>(status.mode); }));
  want_contact_places(names);
}

// Where contacts are and which way they push; what pictures need.
void MechanismRecord::want_contact_places(const std::vector<std::string>& names) {
  const auto each = [&m = mechanism_](auto read) {
    return [&m, read](const Sample& sample, std::vector<double>& to) {
      for (std::size_t i = 0; i < m.contacts().size(); ++i)
        put(read(m.contacts()[i], i, sample), to);
    };
  };
  const Mechanism& m = mechanism_;
  const Bodies& bodies = mechanism_.bodies();
  want({"contacts", "point", names, kAxes, "m", "where they touch, or would"},
       each([&bodies](const AssembledContact& contact, std::size_t, const Sample& sample) {
         const Pose<double> pose = bodies.pose(contact.body_i, sample.state.position);
         Vector3 place = pose.point(contact.point_i);
         if (contact.radius > 0.0)
           place -= contact.radius * normal_of(bodies, contact, sample.state);
         return place;
       }));
  want({"contacts", "normal", names, kAxes, "", "the direction in which it pushes its second body"},
       each([&bodies](const AssembledContact& contact, std::size_t, const Sample& sample) {
         return normal_of(bodies, contact, sample.state);
       }));
  want({"contacts", "reaction", names, kAxes, "N",
        "mean force of the contact on its second body, friction included, axes in space"},
       each([&m, &bodies](const AssembledContact& contact, std::size_t i, const Sample& sample) {
         Vector3 total = Vector3::Zero();
         const ContactStatus status = status_of(m, i, sample);
         if (status.mode == ContactMode::kOpen) return total;
         total = status.force * normal_of(bodies, contact, sample.state);
         for (std::size_t d = 0; d < contact.slip_rates.size() && d < 2; ++d)
           if (status.friction[d] != 0.0)
             total += status.friction[d] * gradient_of(bodies, contact.slip_rates[d], sample.state,
                                                       contact.body_i, true);
         return total;
       }));
}

void MechanismRecord::want_collisions() {
  std::vector<std::string> names;
  for (const CollisionBatch* group : mechanism_.collisions())
    names.push_back(group->group_name());
  if (names.empty()) return;
  const auto each = [count = names.size()](auto read) {
    return [count, read](const Sample& sample, std::vector<double>& to) {
      for (std::size_t i = 0; i < count; ++i)
        to.push_back(i < sample.collisions.size() ? read(sample.collisions[i]) : 0.0);
    };
  };
  using Status = CollisionStatus;
  want({"collisions", "contacts", names, {}, "", "contacts of the group that carry a force"},
       each([](const Status& status) { return static_cast<double>(status.contacts); }));
  want({"collisions", "force", names, {}, "N", "the largest normal force among them"},
       each([](const Status& status) { return status.force; }));
  want({"collisions", "penetration", names, {}, "m", "the deepest penetration"},
       each([](const Status& status) { return status.penetration; }));
  want_touches();
}

// The strongest contacts of every group, strongest first; what pictures need.
void MechanismRecord::want_touches() {
  std::vector<std::string> names;
  std::vector<std::size_t> counts;
  for (const CollisionBatch* batch : mechanism_.collisions()) {
    const std::size_t balls = batch->group().balls.size();
    const std::size_t pairs = balls * (balls - 1) / 2 + balls * batch->group().planes.size();
    counts.push_back(std::min(CollisionWatch::kMostTouches, pairs));
    for (std::size_t n = 1; n <= counts.back(); ++n)
      names.push_back(batch->group_name() + "." + std::to_string(n));
  }
  const auto each = [counts](auto write) {
    return [counts, write](const Sample& sample, std::vector<double>& to) {
      for (std::size_t group = 0; group < counts.size(); ++group)
        for (std::size_t n = 0; n < counts[group]; ++n)
          write(group < sample.collisions.size() && n < sample.collisions[group].touches.size()
                    ? sample.collisions[group].touches[n]
                    : Touch{},
                to);
    };
  };
  using Numbers = std::vector<double>;
  want({"touches", "point", names, kAxes, "m", "where the strongest contacts of collisions are"},
       each([](const Touch& touch, Numbers& to) { put(touch.point, to); }));
  want({"touches", "force", names, kAxes, "N", "force on their balls, friction included; 0: none"},
       each([](const Touch& touch, Numbers& to) { put(touch.force, to); }));
  want(
      {"touches", "mode", names, {}, "", "0 none, 1 stick, 2 slip, 3 closed without friction"},
      each([](const Touch& touch, Numbers& to) { to.push_back(static_cast<double>(touch.mode)); }));
}

void MechanismRecord::want_frictions() {
  const std::vector<AssembledFriction>& frictions = mechanism_.frictions();
  if (frictions.empty()) return;
  std::vector<std::string> names;
  names.reserve(frictions.size());
  for (const AssembledFriction& friction : frictions)
    names.push_back(friction.name);
  using Status = FrictionStatus;
  const auto one = [&](const char* name, const char* unit, const char* meaning, auto read) {
    want({"friction", name, names, {}, unit, meaning},
         [count = frictions.size(), read](const Sample& sample, std::vector<double>& to) {
           for (std::size_t i = 0; i < count; ++i)
             to.push_back(i < sample.frictions.size() ? read(sample.frictions[i]) : 0.0);
         });
  };
  const auto slip = [&](std::size_t d) {
    return [&bodies = mechanism_.bodies(), &frictions, d](const Sample& sample,
                                                          std::vector<double>& to) {
      for (const AssembledFriction& friction : frictions)
        to.push_back(d < friction.slips.size()
                         ? value_of(bodies, friction.slips[d], sample.state).value
                         : 0.0);
    };
  };
  want({"friction", "slip_1", names, {}, "", "sliding velocity, m/s or rad/s"}, slip(0));
  want({"friction", "slip_2", names, {}, "", "the same along the second direction"}, slip(1));
  one("force_1", "", "friction impulse of the step over its size, N or N m",
      [](const Status& s) { return s.force(0); });
  one("force_2", "", "the same along the second direction",
      [](const Status& s) { return s.force(1); });
  one("limit", "", "the largest it could have been, N or N m",
      [](const Status& s) { return s.limit; });
  one("dissipated", "J", "energy lost since the start",
      [](const Status& s) { return s.dissipated; });
  one("mode", "", "1 stick, 2 slip", [](const Status& s) { return static_cast<double>(s.mode); });
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
