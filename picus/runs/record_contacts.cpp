// SPDX-License-Identifier: BSD-3-Clause
// What a run records of contacts, collisions and friction.
#include <algorithm>

#include "picus/runs/record.h"
#include "picus/runs/record_values.h"

namespace picus {
namespace {

// Those of ContactMode; closed: without friction.
const std::vector<std::string> kContactModes{"open", "stick", "slip", "closed"};

ContactStatus status_of(const Mechanism& mechanism, std::size_t contact, const Sample& sample) {
  const bool is_known = contact < sample.contacts.size();
  const ContactStatus of_step = is_known ? sample.contacts[contact] : ContactStatus{};
  const AssembledContact& assembled = mechanism.contacts()[contact];
  if (!assembled.law) return of_step;
  ContactStatus now = compliant_status(mechanism.bodies(), assembled, sample.state);
  now.total_impulse = of_step.total_impulse;
  return now;
}

// The direction in which a contact pushes its second body.
Vector3 normal_of(const Bodies& bodies, const AssembledContact& contact, const State& state) {
  return contact.normal ? *contact.normal
                        : gradient_of(bodies, contact.gap, state, contact.body_i, false);
}

}  // namespace

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
        "of the last step since the sample before that pushed",
        kContactModes},
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
  for (const auto& group : mechanism_.collisions())
    names.push_back(group->name);
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
  for (const auto& group : mechanism_.collisions()) {
    const std::size_t balls = group->balls.size();
    const std::size_t pairs = balls * (balls - 1) / 2 + balls * group->planes.size();
    counts.push_back(group->shapes.empty() ? std::min(CollisionWatch::kMostTouches, pairs)
                                           : CollisionWatch::kMostTouches);
    for (std::size_t n = 1; n <= counts.back(); ++n)
      names.push_back(group->name + "." + std::to_string(n));
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
  want({"touches", "force", names, kAxes, "N",
        "force on the first partner, friction included; 0: none"},
       each([](const Touch& touch, Numbers& to) { put(touch.force, to); }));
  want(
      {"touches", "mode", names, {}, "", "what they do", kContactModes},
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
  one("mode", "", "what it does", [](const Status& s) { return static_cast<double>(s.mode); });
  quantities_.back().states = {"none", "stick", "slip"};
}

}  // namespace picus
