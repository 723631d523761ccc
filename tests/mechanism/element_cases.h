// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An example of every element of the list, and how its nodes move.

#include <vector>

#include "picus/elements/all_elements.h"

namespace picus::testing {

/// An element that has no case does not link.
template <class Element>
std::vector<Element> element_cases();

/// Moves nodes along velocities, and rigidly.
template <class Element>
struct NodeMotion {
  using Node = typename Element::Node;
  static constexpr int kEach = Element::kNodeVelocities;
  using Along = SmallVector<double, kEach>;

  static Node moved(const Node& node, const Along& by) {
    if constexpr (kEach == 1) {
      return node + by(0);
    } else {
      Pose<double> result = node;
      Vector3 turn = Vector3::Zero(), step = Vector3::Zero();
      if constexpr (kEach == 6) {
        step = by.template head<3>();
        turn = by.template tail<3>();
      } else {
        step.head<2>() = by.template head<2>();
        turn(2) = by(2);
      }
      result.r = node.r + step;
      result.A = node.A * rotation_matrix(quaternion_of(turn));
      result.angle = node.angle + turn(2);
      return result;
    }
  }
  /// A rigid motion of space, of the plane, or along the axis.
  static Node carried(const Node& node, const Vector3& step, const Vector3& turn) {
    if constexpr (kEach == 1) {
      return node + step(0);
    } else {
      Pose<double> by, result = node;
      by.r = step;
      by.A = rotation_matrix(quaternion_of(kEach == 6 ? turn : Vector3(0.0, 0.0, turn(2))));
      if (kEach == 3) by.r(2) = 0.0;
      result.r = by.point(node.r);
      result.A = by.A * node.A;
      result.angle = node.angle + (kEach == 3 ? turn(2) : 0.0);
      return result;
    }
  }
};

/// Nodes of an element and their velocities.
template <class Element>
struct ElementState {
  using Motion = NodeMotion<Element>;
  using Column = typename Element::Column;
  static constexpr int kNodes = Element::kNodes, kEach = Element::kNodeVelocities;
  static constexpr int kColumns = kNodes * kEach;

  std::array<typename Element::Node, static_cast<std::size_t>(kNodes)> nodes{};
  Column velocity = Column::Random();

  /// Nodes apart by about one, turned against each other by `turn` at most.
  explicit ElementState(double turn) {
    using Along = typename Motion::Along;
    Along first = 3.0 * Along::Random();
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      Along step = Along::Random();
      if constexpr (kEach > 1) step.template tail<kEach == 6 ? 3 : 1>() *= turn;
      nodes[n] = Motion::moved(n == 0 ? nodes[0] : nodes[n - 1], n == 0 ? first : step);
    }
  }
  ElementState at(int column, double h) const {
    ElementState there = *this;
    const auto node = static_cast<std::size_t>(column / kEach);
    there.nodes[node] =
        Motion::moved(nodes[node], typename Motion::Along(h * Motion::Along::Unit(column % kEach)));
    return there;
  }
  ElementState carried(const Vector3& step, const Vector3& turn) const {
    ElementState there = *this;
    for (auto& node : there.nodes)
      node = Motion::carried(node, step, turn);
    return there;
  }
  typename Element::Form form(const Element& element) const {
    return std::apply([&](const auto&... each) { return element.form(each...); }, nodes);
  }
};

}  // namespace picus::testing
