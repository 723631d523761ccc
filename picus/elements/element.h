// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Elements: what lies between n nodes of a flexible part. An element states
//
//   static constexpr int kNodes, kNodeVelocities;   how many, and how many velocities each has:
//                                                   6 in space, 3 in the plane, 1: a coordinate
//   using Node;                                     Pose<double>, or double for a coordinate
//   using Form;                                     what it finds from its nodes, once for all
//   using Column, Square;                           numbers along the velocities of its nodes
//   static constexpr bool kIsLinear;                all its derivatives are constant
//
//   Form form(node, node, …) const;
//   double energy(form) const;
//   Column force(form, velocity) const;             internal, with damping and gyroscopic moments
//   Square stiffness(form, velocity) const;         −∂force along positions
//   Square damping(form, velocity) const;           −∂force along velocities
//   std::span<const int> damped() const;            its rows and columns that are not zero
//   Square mass() const;                            constant
//   double kinetic_energy(velocity) const;
//   double mass_of_node(int node) const;            whose weight acts there
//
// Velocities of a frame in space are ẋ and Ω in the frame; positions vary along them. ElementBatch
// (mechanism/element_batch.h) gathers, and scatters into the system. An element that states only
// its energy has the rest from DualElement.

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "picus/elements/pose.h"

namespace picus {

/// The derivatives of an element from formulas for any scalar, by duals: exact, but slower than
/// what is written out. A Law states kNodes, kNodeVelocities, kIsLinear, damped(), mass(),
/// kinetic_energy() and mass_of_node() as elements do, and with NodeOf<T>, which is T for a
/// coordinate and Pose<T> for a frame,
///
///   template <class T> T energy(const NodeOf<T>&, …) const;
///   template <class T> T dissipation(const std::array<T, n>& velocity) const;
///
/// The dissipation is half the power that damping takes; its derivative is the force. It is not
/// asked for where damped() is empty.
template <class Law>
struct DualElement : Law {
  static constexpr int kNodes = Law::kNodes, kEach = Law::kNodeVelocities;
  static constexpr int kColumns = kNodes * kEach;
  static_assert(kEach == 1 || kEach == 3 || kEach == 6, "a coordinate or a frame");
  template <class T>
  using NodeOf = std::conditional_t<kEach == 1, T, Pose<T>>;
  template <class T>
  using Nodes = std::array<NodeOf<T>, static_cast<std::size_t>(kNodes)>;
  template <class T>
  using Numbers = std::array<T, static_cast<std::size_t>(kColumns)>;
  using Node = NodeOf<double>;
  using Form = Nodes<double>;
  using Column = SmallVector<double, kColumns>;
  using Square = SmallMatrix<double, kColumns, kColumns>;

  template <class... Each>
  Form form(const Each&... nodes) const {
    return {nodes...};
  }
  double energy(const Form& form) const { return energy_of<double>(form); }

  Column force(const Form& form, const Column& velocity) const {
    using D = Dual<kColumns>;
    const D energy = energy_of<D>(varied<double>(form));
    Column force;
    for (int i = 0; i < kColumns; ++i)
      force(i) = -energy.d(i);
    if (this->damped().empty()) return force;
    const D lost = Law::template dissipation<D>(varied<double>(plain(velocity)));
    for (int i = 0; i < kColumns; ++i)
      force(i) -= lost.d(i);
    return force;
  }

  Square stiffness(const Form& form, const Column&) const {
    using D = Dual<kColumns>;
    return second_derivatives(energy_of<Dual<kColumns, D>>(varied<D>(varied<double>(form))));
  }
  Square damping(const Form&, const Column& velocity) const {
    using D = Dual<kColumns>;
    if (this->damped().empty()) return Square::Zero();
    return second_derivatives(
        Law::template dissipation<Dual<kColumns, D>>(varied<D>(varied<double>(plain(velocity)))));
  }

 private:
  template <class T>
  T energy_of(const Nodes<T>& nodes) const {
    return std::apply([this](const auto&... each) { return Law::template energy<T>(each...); },
                      nodes);
  }
  static Numbers<double> plain(const Column& velocity) {
    Numbers<double> result;
    std::copy(velocity.begin(), velocity.end(), result.begin());
    return result;
  }
  static Square second_derivatives(const Dual<kColumns, Dual<kColumns>>& value) {
    Square result;
    for (int i = 0; i < kColumns; ++i)
      for (int j = 0; j < kColumns; ++j)
        result(i, j) = value.d(i).d(j);
    return result;
  }
  // With their tangent directions as derivatives.
  template <class T, std::size_t N>
  static std::array<Dual<kColumns, T>, N> varied(const std::array<T, N>& numbers) {
    std::array<Dual<kColumns, T>, N> result;
    for (std::size_t i = 0; i < N; ++i)
      result[i] = Dual<kColumns, T>::variable(numbers[i], static_cast<int>(i));
    return result;
  }
  template <class T, std::size_t N>
  static std::array<Pose<Dual<kColumns, T>>, N> varied(const std::array<Pose<T>, N>& nodes) {
    std::array<Pose<Dual<kColumns, T>>, N> result;
    for (std::size_t i = 0; i < N; ++i)
      result[i] = kEach == 6 ? perturbed<kColumns>(nodes[i], kEach * static_cast<int>(i))
                             : perturbed_in_plane<kColumns>(nodes[i], kEach * static_cast<int>(i));
    return result;
  }
};

}  // namespace picus
