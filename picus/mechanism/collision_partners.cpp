// SPDX-License-Identifier: BSD-3-Clause
// Who takes part in a contact of a CollisionBatch: names, laws, bodies.
#include <algorithm>

#include <fmt/format.h>

#include "picus/mechanism/collision_batch.h"

namespace picus {

std::pair<std::string, std::string> CollisionBatch::names_of(int contact) const {
  const auto name = [this](const CollisionBall& ball) {
    return ball.line < 0 ? bodies_[ball.body].name
                         : group().lines[static_cast<std::size_t>(ball.line)].name;
  };
  const auto line = [this](int number) {
    return group().lines[static_cast<std::size_t>(number)].name;
  };
  if (is_of_shapes(contact)) return {bodies_[body_i(contact)].name, bodies_[body_j(contact)].name};
  if (contact < of_balls())
    return {name(search_.ball(pair(contact).ball)), bodies_[body_j(contact)].name};
  const CloseLine& c = line_pair(contact);
  if (c.plane >= 0) return {line(c.line_i), bodies_[plane_of(c).body].name};
  return {c.ball >= 0 ? name(search_.ball(c.ball)) : line(c.line_i), line(c.line)};
}

std::string CollisionBatch::name_of_contact(int contact) const {
  const auto [i, j] = names_of(contact);
  return fmt::format("between {} and {}", i, j);
}

const ContactLaw& CollisionBatch::law_of(int contact) const {
  if (contact >= of_pairs()) {
    const CloseLine& c = line_pair(contact);
    return c.plane >= 0 ? plane_of(c).law : group().law;
  }
  if (is_of_shapes(contact)) {
    const int other = features(contact).other;
    return shapes_.is_plane(other) ? shapes_.plane(other).law : group().law;
  }
  return search_.is_plane(pair(contact)) ? search_.plane(pair(contact)).law : group().law;
}

double CollisionBatch::friction_of(int contact) const {
  return law_of(contact).friction;
}

double CollisionBatch::radius_of(int contact) const {
  if (contact < of_balls()) return search_.ball(pair(contact).ball).radius;
  if (is_of_shapes(contact)) return shapes_.size(features(contact));
  const CloseLine& c = line_pair(contact);
  return c.ball >= 0 ? search_.ball(c.ball).radius
                     : group().lines[static_cast<std::size_t>(c.line_i)].radius;
}

std::uint64_t CollisionBatch::partners_of(int contact) const {
  constexpr int kPartner = 28;  // bits
  const auto number = [](int i, int j) {
    return (static_cast<std::uint64_t>(i) << kPartner) ^ static_cast<std::uint64_t>(j);
  };
  if (contact < of_balls()) return number(pair(contact).ball, pair(contact).other);
  if (is_of_shapes(contact)) {
    // of the partners, and of the features between them: a contact of each pair of these
    const CloseFeatures& c = features(contact);
    std::uint64_t mixed = number(c.solid, c.other) * 0x9e3779b97f4a7c15u + c.contact.id;
    mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9u;
    return (mixed ^ (mixed >> 29)) >> 8;
  }
  // lines are numbered after balls and planes
  const auto first = static_cast<int>(group().balls.size() + group().planes.size());
  const CloseLine& c = line_pair(contact);
  if (c.plane >= 0)
    return number(first + c.line_i, static_cast<int>(group().balls.size()) + c.plane);
  return number(c.ball >= 0 ? c.ball : first + c.line_i, first + c.line);
}

void CollisionBatch::contact_laws(int joints, std::vector<ContactLaw>& laws) const {
  for (int i = 0; i < contacts(); ++i) {
    ContactLaw law = law_of(i);
    law.slips = slips_each();
    law.first_slip = slip_of(i);
    laws[static_cast<std::size_t>(first_gap_ - joints + i)] = law;
  }
}

int CollisionBatch::body_i(int contact) const {
  return is_of_shapes(contact) ? shapes_.body(features(contact).solid)
                               : search_.ball(pair(contact).ball).body;
}

int CollisionBatch::body_j(int contact) const {
  if (is_of_shapes(contact)) return shapes_.body(features(contact).other);
  const CloseBall& c = pair(contact);
  return search_.is_plane(c) ? search_.plane(c).body : search_.ball(c.other).body;
}

Places CollisionBatch::places(int contact) const {
  Places places;
  std::copy_n(bodies_[body_i(contact)].velocity.begin(), 6, places.begin());
  std::copy_n(bodies_[body_j(contact)].velocity.begin(), 6, places.begin() + 6);
  return places;
}

}  // namespace picus
