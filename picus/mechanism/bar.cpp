// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/bar.h"

namespace picus {

AssembledBar::AssembledBar(std::string name, std::vector<int> nodes, const Bodies& bodies,
                           const std::vector<Coordinate>& coordinates, const BarData& data)
    : ElementBatch(std::move(name), std::move(nodes), bodies, coordinates,
                   AlongNode::Constant(data.gravity)),
      length_(data.length),
      area_(data.area),
      modulus_(data.modulus) {
  for (int e = 0; e < data.elements; ++e)
    add(data.element, {e, e + 1});
}

double AssembledBar::pull(std::size_t e, const State& s) const {
  return element(e).pull(positions_of(e, s.position), velocity_of(e, s.velocity));
}

std::vector<PartQuantity> AssembledBar::quantities() const {
  PartQuantity force{.name = "axial_force",
                     .unit = "N",
                     .meaning = "force in the element, positive when it pulls"};
  for (std::size_t e = 1; e <= size(); ++e)
    force.items.push_back(name() + "." + std::to_string(e));
  force.values = [this](const State& s, std::vector<double>& to) {
    for (std::size_t e = 0; e < size(); ++e)
      to.push_back(pull(e, s));
  };
  return {std::move(force)};
}

PartRestraint AssembledBar::restraint() const {
  return {"across the axis of a bar", "bars move along their axes only"};
}

PartLine AssembledBar::line() const {
  return {.kind = "bar", .nodes = nodes(), .area = area_, .modulus = modulus_};
}

}  // namespace picus
