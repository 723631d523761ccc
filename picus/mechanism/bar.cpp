// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/bar.h"

namespace picus {

AssembledBar::AssembledBar(std::string name, std::vector<int> nodes, const Coordinate& first,
                           const BarData& data)
    : FlexiblePart(std::move(name), std::move(nodes)),
      data_(data),
      first_position_(first.position),
      first_velocity_(first.velocity) {}

double AssembledBar::force(int e, const State& s) const {
  const int q = first_position_ + e, v = first_velocity_ + e;
  return data_.stiffness * (s.position(q + 1) - s.position(q)) +
         data_.damping * (s.velocity(v + 1) - s.velocity(v));
}

double AssembledBar::mass_of_node(std::size_t node) const {
  const bool is_end = node == 0 || node + 1 == nodes().size();
  return (is_end ? 0.5 : 1.0) * data_.element_mass;
}

double AssembledBar::kinetic_energy(const State& s) const {
  double energy = 0.0;
  for (int e = 0; e < data_.elements; ++e) {
    const double a = s.velocity(first_velocity_ + e), b = s.velocity(first_velocity_ + e + 1);
    energy += data_.has_consistent_mass ? data_.element_mass / 6.0 * (a * a + a * b + b * b)
                                        : data_.element_mass / 4.0 * (a * a + b * b);
  }
  return energy;
}

double AssembledBar::elastic_energy(const State& s) const {
  double energy = 0.0;
  for (int e = 0; e < data_.elements; ++e) {
    const int q = first_position_ + e;
    const double stretch = s.position(q + 1) - s.position(q);
    energy += 0.5 * data_.stiffness * stretch * stretch;
  }
  return energy;
}

std::vector<PartQuantity> AssembledBar::quantities() const {
  PartQuantity force{.name = "axial_force",
                     .unit = "N",
                     .meaning = "force in the element, positive when it pulls"};
  for (int e = 1; e <= data_.elements; ++e)
    force.items.push_back(name() + "." + std::to_string(e));
  force.values = [this](const State& s, std::vector<double>& to) {
    for (int e = 0; e < data_.elements; ++e)
      to.push_back(this->force(e, s));
  };
  return {std::move(force)};
}

PartRestraint AssembledBar::restraint() const {
  return {"across the axis of a bar", "bars move along their axes only"};
}

PartLine AssembledBar::line() const {
  return {.kind = "bar", .nodes = nodes(), .area = data_.area, .modulus = data_.modulus};
}

void AssembledBar::add_tridiagonal(double end, double off, SparseMatrix& A) const {
  const int first = first_velocity_, last = first + data_.elements;
  for (int i = first; i <= last; ++i) {
    if (i > first) A.add(i - 1, i, off);
    A.add(i, i, i == first || i == last ? end : 2.0 * end);
    if (i < last) A.add(i + 1, i, off);
  }
}

void AssembledBar::mass(const State&, SparseMatrix& M) const {
  if (data_.has_consistent_mass)
    return add_tridiagonal(data_.element_mass / 3.0, data_.element_mass / 6.0, M);
  for (int node = 0; node <= data_.elements; ++node)
    M.add(first_velocity_ + node, first_velocity_ + node,
          mass_of_node(static_cast<std::size_t>(node)));
}

void AssembledBar::force(const State& s, Vector& F) const {
  double before = 0.0;  // pull of the element before the node
  for (int node = 0; node <= data_.elements; ++node) {
    const double ahead = node < data_.elements ? force(node, s) : 0.0;
    F(first_velocity_ + node) +=
        ahead - before + mass_of_node(static_cast<std::size_t>(node)) * data_.gravity;
    before = ahead;
  }
}

void AssembledBar::momentum_tangent(const State&, const Chart&, Forces forces, SparseMatrix& K,
                                    SparseMatrix& D) const {
  if (forces == Forces::kReactionsOnly) return;
  add_tridiagonal(data_.stiffness, -data_.stiffness, K);
  if (data_.damping > 0.0) add_tridiagonal(data_.damping, -data_.damping, D);
}

}  // namespace picus
