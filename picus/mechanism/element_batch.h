// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The elements of a flexible part, all of one kind (elements/element.h): gathered from the system,
// differentiated and scattered here, whatever they are.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "picus/elements/all_elements.h"
#include "picus/mechanism/flexible_part.h"
#include "picus/mechanism/pose_table.h"

namespace picus {

template <class Element>
class ElementBatch : public FlexiblePart {
  static_assert(
      kIsAmong<Element, AllElements> || requires { Element::kIsForTests; },
      "an element of the list, whose derivatives tests compare");

 public:
  static constexpr int kNodes = Element::kNodes, kEach = Element::kNodeVelocities;
  static constexpr int kColumns = kNodes * kEach;
  using Column = typename Element::Column;
  using Square = typename Element::Square;
  using Form = typename Element::Form;
  using AlongNode = SmallVector<double, kEach>;
  using NodeNumbers = std::array<int, static_cast<std::size_t>(kNodes)>;

  /// Nodes that are bodies; gravity is along the velocities of a node.
  ElementBatch(std::string name, std::vector<int> nodes, const Bodies& bodies,
               const AlongNode& gravity) requires(kEach > 1)
      : FlexiblePart(std::move(name), std::move(nodes)), bodies_(bodies), gravity_(gravity) {
    for (const int node : this->nodes()) {
      const auto& v = bodies[node].velocity;
      if constexpr (kEach == 6)
        places_.push_back(v);
      else
        places_.push_back({v[0], v[1], v[5]});
      positions_.push_back(node);
    }
    node_mass_.assign(places_.size(), 0.0);
  }
  /// Nodes that have a coordinate each.
  ElementBatch(std::string name, std::vector<int> nodes, const Bodies& bodies,
               const std::vector<Coordinate>& coordinates,
               const AlongNode& gravity) requires(kEach == 1)
      : FlexiblePart(std::move(name), std::move(nodes)), bodies_(bodies), gravity_(gravity) {
    for (const Coordinate& coordinate : coordinates) {
      places_.push_back({coordinate.velocity});
      positions_.push_back(coordinate.position);
    }
    node_mass_.assign(places_.size(), 0.0);
  }

  /// Adds an element between nodes of the part, numbered from 0 in their order.
  void add(Element element, const NodeNumbers& nodes) {
    Placed placed{std::move(element), {}, {}};
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const auto node = static_cast<std::size_t>(nodes[n]);
      placed.positions[n] = positions_[node];
      for (std::size_t k = 0; k < kEach; ++k)
        placed.velocities[kEach * n + k] = places_[node][k];
      node_mass_[node] += placed.element.mass_of_node(static_cast<int>(n));
    }
    elements_.push_back(std::move(placed));
  }

  double kinetic_energy(const State& s) const final {
    double energy = 0.0;
    for (const Placed& one : elements_)
      energy += one.element.kinetic_energy(gather(one, s.velocity));
    return energy;
  }
  double elastic_energy(const State& s) const final {
    double energy = 0.0;
    for_each_form(s, [&](std::size_t e, const Form& form) { energy += element(e).energy(form); });
    return energy;
  }
  double mass_of_node(std::size_t node) const final { return node_mass_[node]; }

  bool is_linear() const final { return Element::kIsLinear; }
  bool has_constant_mass() const final { return true; }
  void mass(const State& s, SparseMatrix& M) const final;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void foresee_stress(const State& s, const Vector& along, Vector& stress) const final;
  void add_stress_tangent(const State& s, const Vector& stress, SparseMatrix& K) const final;

 protected:
  std::size_t size() const { return elements_.size(); }
  const Element& element(std::size_t e) const { return elements_[e].element; }
  /// The entries of a vector of all velocities that are an element's.
  Column velocity_of(std::size_t e, const Vector& v) const { return gather(elements_[e], v); }
  /// The positions of an element whose nodes have coordinates.
  Column positions_of(std::size_t e, const Vector& q) const requires(kEach == 1) {
    Column column;
    for (std::size_t n = 0; n < elements_[e].positions.size(); ++n)
      column(static_cast<int>(n)) = q(elements_[e].positions[n]);
    return column;
  }
  /// Adds to a vector of all velocities.
  void scatter(std::size_t e, const Column& column, Vector& to) const {
    const auto& places = elements_[e].velocities;
    for (std::size_t k = 0; k < places.size(); ++k)
      to(places[k]) += column(static_cast<int>(k));
  }
  /// Where velocities of the nodes are in the system, node after node.
  int place(int velocity) const {
    const auto v = static_cast<std::size_t>(velocity);
    return places_[v / kEach][v % kEach];
  }
  /// Calls visit(number, form) for each element.
  template <class Visit>
  void for_each_form(const State& s, Visit&& visit) const;
  /// Columns along velocities become such along the increment of a chart.
  template <class Block>
  void to_chart(const TurnTable& turns, std::size_t e, Block& along) const;
  const Bodies& bodies() const { return bodies_; }

 private:
  struct Placed {
    Element element;
    NodeNumbers positions;  ///< bodies, or places in q
    std::array<int, static_cast<std::size_t>(kColumns)> velocities;
  };

  static Column gather(const Placed& one, const Vector& v) {
    Column column;
    for (std::size_t k = 0; k < one.velocities.size(); ++k)
      column(static_cast<int>(k)) = v(one.velocities[k]);
    return column;
  }

  const Bodies& bodies_;
  AlongNode gravity_;
  std::vector<int> positions_;  ///< of the nodes: bodies, or places in q
  std::vector<std::array<int, static_cast<std::size_t>(kEach)>> places_;
  std::vector<double> node_mass_;
  std::vector<Placed> elements_;
};

template <class Element>
template <class Visit>
void ElementBatch<Element>::for_each_form(const State& s, Visit&& visit) const {
  const auto go = [&](const auto& at) {
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const Placed& one = elements_[e];
      const auto form = [&]<std::size_t... N>(std::index_sequence<N...>) {
        return one.element.form(at(one.positions[N])...);
      };
      visit(e, form(std::make_index_sequence<static_cast<std::size_t>(kNodes)>{}));
    }
  };
  if constexpr (kEach > 1) {
    const PoseTable& poses = poses_at(bodies_, s.position);
    go([&](int body) -> const Pose<double>& { return poses[body]; });
  } else {
    go([&](int position) { return s.position(position); });
  }
}

template <class Element>
template <class Block>
void ElementBatch<Element>::to_chart(const TurnTable& turns, std::size_t e, Block& along) const {
  if constexpr (kEach == 6) {
    for (int n = 0; n < kNodes; ++n) {
      const int body = elements_[e].positions[static_cast<std::size_t>(n)];
      if (!turns.is_turned(body)) continue;
      auto columns = along.template middleCols<3>(6 * n + 3);
      columns = (columns * turns[body]).eval();
    }
  }
}

// Entries that are zero in every element are left out.
template <class Element>
void ElementBatch<Element>::mass(const State&, SparseMatrix& M) const {
  for (const Placed& one : elements_) {
    const Square mass = one.element.mass();
    for (int j = 0; j < kColumns; ++j)
      for (int i = 0; i < kColumns; ++i)
        if (mass(i, j) != 0.0)
          M.add(one.velocities[static_cast<std::size_t>(i)],
                one.velocities[static_cast<std::size_t>(j)], mass(i, j));
  }
}

template <class Element>
void ElementBatch<Element>::force(const State& s, Vector& F) const {
  for_each_form(s, [&](std::size_t e, const Form& form) {
    scatter(e, element(e).force(form, velocity_of(e, s.velocity)), F);
  });
  for (int k = 0; k < kEach; ++k) {
    if (gravity_(k) == 0.0) continue;
    for (std::size_t n = 0; n < places_.size(); ++n)
      F(places_[n][static_cast<std::size_t>(k)]) += node_mass_[n] * gravity_(k);
  }
}

template <class Element>
void ElementBatch<Element>::momentum_tangent(const State& s, const Chart& c, Forces forces,
                                             SparseMatrix& K, SparseMatrix& D) const {
  if (forces == Forces::kReactionsOnly) return;
  if (elements_.empty()) return;
  const TurnTable* turns = kEach == 6 ? &turns_at(bodies_, c) : nullptr;
  const auto damped_each = static_cast<int>(element(0).damped().size());
  K.begin_alike(kColumns * kColumns);
  D.begin_alike(std::max(1, damped_each * damped_each));
  for_each_form(s, [&](std::size_t e, const Form& form) {
    const auto& places = elements_[e].velocities;
    const Column velocity = velocity_of(e, s.velocity);
    Square along = element(e).stiffness(form, velocity);
    if constexpr (kEach == 6) to_chart(*turns, e, along);
    for (int j = 0; j < kColumns; ++j)
      for (int i = 0; i < kColumns; ++i)
        K.add(places[static_cast<std::size_t>(i)], places[static_cast<std::size_t>(j)],
              along(i, j));
    const std::span<const int> damped = element(e).damped();
    if (damped.empty()) return;
    along = element(e).damping(form, velocity);
    for (const int j : damped)
      for (const int i : damped)
        D.add(places[static_cast<std::size_t>(i)], places[static_cast<std::size_t>(j)],
              along(i, j));
  });
  K.end_alike();
  D.end_alike();
}

template <class Element>
void ElementBatch<Element>::foresee_stress(const State& s, const Vector& along,
                                           Vector& stress) const {
  stress.resize(0);
  if constexpr (requires { Element::kStrains; }) {
    constexpr int n = Element::kStrains;
    stress.resize(static_cast<Eigen::Index>(n * size()));
    for_each_form(s, [&](std::size_t e, const Form& form) {
      const Element& one = element(e);
      stress.segment<n>(n * static_cast<Eigen::Index>(e)) = one.section->elastic_stress(
          one.strain(form) + one.rate(form, velocity_of(e, along)) / one.length);
    });
  }
}

template <class Element>
void ElementBatch<Element>::add_stress_tangent(const State& s, const Vector& stress,
                                               SparseMatrix& K) const {
  if constexpr (requires { Element::kStrains; }) {
    constexpr int n = Element::kStrains;
    for_each_form(s, [&](std::size_t e, const Form& form) {
      const auto& places = elements_[e].velocities;
      const typename Element::Strain given = stress.segment<n>(n * static_cast<Eigen::Index>(e));
      const Square change = element(e).stiffness_of(
          form, typename Element::Strain(given - element(e).elastic_stress(form)));
      for (int j = 0; j < kColumns; ++j)
        for (int i = 0; i < kColumns; ++i)
          K.add(places[static_cast<std::size_t>(i)], places[static_cast<std::size_t>(j)],
                change(i, j));
    });
  }
}

}  // namespace picus
