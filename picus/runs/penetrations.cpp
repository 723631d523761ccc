// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/penetrations.h"

#include <fmt/format.h>

#include "picus/mechanism/collision_batch.h"

namespace picus {
namespace {

// Balls that lie within each other by more than this part of a radius at the start fly apart.
constexpr double kOverlap = 1e-3;
// A gap below minus this, relative to the extent, is not due to the digits of a start position.
constexpr double kInside = 1e-4;

void look_for_overlaps(const Mechanism& mechanism, const State& state,
                       std::vector<std::string>& found) {
  for (const auto& group : mechanism.collisions()) {
    CollisionBatch batch(mechanism.bodies(), group);
    batch.find(state, 0.0);
    Vector gap = Vector::Zero(batch.contacts());
    batch.constraint(state, Batch::Level::kPosition, gap);
    int overlaps = 0, worst = -1;
    for (int i = 0; i < batch.contacts(); ++i) {
      if (gap(i) >= -kOverlap * batch.radius_of(i)) continue;
      ++overlaps;
      if (worst < 0 || gap(i) < gap(worst)) worst = i;
    }
    if (overlaps == 0) continue;
    const auto [i, j] = batch.names_of(worst);
    found.push_back(
        fmt::format("collisions '{}': {} overlap at the start ({} pair{}), '{}' and '{}' most, "
                    "by {:.3g} m; place them apart",
                    batch.group_name(),
                    batch.group().lines.empty() && batch.group().shapes.empty() ? "balls" : "parts",
                    overlaps, overlaps == 1 ? "" : "s", i, j, -gap(worst)));
  }
}

}  // namespace

std::vector<std::string> penetrations_of(const Mechanism& mechanism, const State& state) {
  std::vector<std::string> found;
  look_for_overlaps(mechanism, state, found);
  const double extent = mechanism.system().extent(state);
  for (const AssembledContact& contact : mechanism.contacts()) {
    if (contact.law) continue;  // they may rest so
    const double gap = value_of(mechanism.bodies(), contact.gap, state).value;
    const double size = contact.is_angle || extent <= 0.0 ? 1.0 : extent;
    if (gap >= -kInside * size) continue;
    found.push_back(
        fmt::format("contact '{}' starts with a gap of {:.3g} {}: the bodies overlap. Some methods "
                    "leave the overlap, others push the bodies apart",
                    contact.name, gap, contact.is_angle ? "rad" : "m"));
  }
  return found;
}

}  // namespace picus
