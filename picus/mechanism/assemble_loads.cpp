// SPDX-License-Identifier: BSD-3-Clause
// Loads along beams: forces per length, which nodes take for half an element to either side.
#include <array>

#include <fmt/format.h>

#include "picus/mechanism/assembler.h"

namespace picus {

std::vector<double> Assembler::lengths_between(const std::vector<int>& nodes) const {
  const Bodies& bodies = builder_.bodies();
  const Vector& q = builder_.state().position;
  std::vector<double> lengths;
  for (std::size_t e = 0; e + 1 < nodes.size(); ++e) {
    const BeamHelix helix(bodies.pose(nodes[e], q), bodies.pose(nodes[e + 1], q));
    lengths.push_back(helix.displacement().head<3>().norm());
  }
  return lengths;
}

void Assembler::add_loads() {
  for (const Named<Beam>& part : model_.beams) {
    add_load(part, part.value.load, false);
    add_load(part, part.value.section_load, true);
  }
}

void Assembler::add_load(const Named<Beam>& part, const std::vector<Formula>& load,
                         bool in_section) {
  const FlexiblePart* beam = builder_.find_flexible(part.name);
  if (load.empty() || beam == nullptr) return;
  const std::size_t most = model_.dimension == 2 ? 2 : 3;
  if (load.size() < 2 || load.size() > most)
    return complain(part.place,
                    fmt::format("beam '{}' has {}: found {} number{}, expected {}", part.name,
                                in_section ? "section_load" : "load", load.size(),
                                load.size() == 1 ? "" : "s", most == 2 ? "2" : "2 or 3"));
  std::vector<Local> names;
  constexpr std::array places{"x", "y", "z"}, rates{"vx", "vy", "vz"};
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Separation along{Vector3::Zero(), Vector3::Zero(), Vector3::Unit(static_cast<int>(k))};
    names.push_back({places[k], along, false, unit::kLength});
    names.push_back({rates[k], along, true, unit::kSpeed});
  }
  const std::vector<double> lengths = lengths_between(beam->nodes());
  for (std::size_t i = 0; i < beam->nodes().size(); ++i) {
    const int node = beam->nodes()[i];
    const double length =
        0.5 * ((i > 0 ? lengths[i - 1] : 0.0) + (i < lengths.size() ? lengths[i] : 0.0));
    for (std::size_t k = 0; k < load.size(); ++k) {
      auto magnitude = formulate(
          load[k], {.unit = unit::kStiffness, .names = names, .body_i = node, .owner = "a load"});
      if (!magnitude) return;
      Term along =
          term_between(Push{Vector3::Zero(), Vector3::Unit(static_cast<int>(k)), in_section}, node,
                       Bodies::kGround);
      along.weight = length;
      builder_.add_force({std::move(along), std::move(*magnitude)});
    }
  }
}

}  // namespace picus
