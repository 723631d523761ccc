// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The equations of a part, written once and templated on the scalar:
//
//   struct Pendulum {
//     static constexpr int kCoordinates = 3, kConstraints = 2;
//     double m = 1, J = 0.1, L = 1, g = 10;
//     auto mass(const auto&) const { return diagonal(m, m, J); }
//     auto force(const auto& s) const { return s.vector(0.0, -m * g, 0.0); }
//     auto constraint(const auto& s) const {
//       return s.vector(s.q(0) - L * cos(s.q(2)), s.q(1) - L * sin(s.q(2)));
//     }
//   };
//
// Every function takes the arguments `s` (below) and may use s.t, s.q, s.v, and where it makes
// sense s.a, s.lambda, s.psi, s.x, s.xdot. All of the functions are optional:
//
//   mass(s)          M(t,q); a matrix of plain numbers means a constant mass
//   force(s)         applied forces f(t,q,v,x); reactions are added by Picus, unless
//                    kReactionsInForce = true: then force(s) is the whole F(t,q,v,λ,ψ,x)
//   constraint(s)    g(t,q), kConstraints of them
//   nonholonomic(s)  k(t,q,v), kNonholonomic of them
//   gap(s)           gaps of kContacts contacts, a function of t and q like constraint(s)
//   slip(s)          their tangential velocities, kSlips of them in all, like nonholonomic(s)
//   law(i)           ContactLaw of contact i; the slips are shared out evenly
//   friction_limit(i, s)  largest friction of kFrictionElements elements without a gap; their
//                    kFrictionSlips slips are the last of slip(s), by default one for each
//   control(s)       d(ẋ,x,q,v,v̇,λ,t), kControls of them, the last kVariables algebraic
//   retract(q, dq)   static; for configurations on a manifold, with kPositions numbers in q
//   kLinear = true   a promise that saves work: all derivatives of the functions are constant
//
// Names for messages: kCoordinateNames, kConstraintNames (arrays of string_view).
//
// Units for error control: kAngles, an array with the numbers of the velocities that are angular;
// the others are lengths per second. Positions of a part on a manifold begin with its lengths, in
// the order of their velocities.

#include "picus/math/dual.h"

namespace picus {

/// A constant diagonal matrix.
template <class... X>
SmallMatrix<double, sizeof...(X), sizeof...(X)> diagonal(const X&... entries) {
  SmallVector<double, sizeof...(X)> d;
  int i = 0;
  ((d(i++) = entries), ...);
  return d.asDiagonal();
}

/// The sizes of the equations E.
template <class E>
struct EquationSizes {
  static constexpr int kVelocities = E::kCoordinates;
  static constexpr int kPositions = [] {
    if constexpr (requires { E::kPositions; })
      return E::kPositions;
    else
      return E::kCoordinates;
  }();
  static constexpr int kJoints = [] {
    if constexpr (requires { E::kConstraints; })
      return E::kConstraints;
    else
      return 0;
  }();
  static constexpr int kContacts = [] {
    if constexpr (requires { E::kContacts; })
      return E::kContacts;
    else
      return 0;
  }();
  static constexpr int kConstraints = kJoints + kContacts;  ///< constraint(s), then gap(s)
  static constexpr int kRollings = [] {
    if constexpr (requires { E::kNonholonomic; })
      return E::kNonholonomic;
    else
      return 0;
  }();
  static constexpr int kSlips = [] {
    if constexpr (requires { E::kSlips; })
      return E::kSlips;
    else
      return 0;
  }();
  static constexpr int kNonholonomic = kRollings + kSlips;  ///< nonholonomic(s), then slip(s)
  static constexpr int kFrictionElements = [] {
    if constexpr (requires { E::kFrictionElements; })
      return E::kFrictionElements;
    else
      return 0;
  }();
  static constexpr int kFrictionSlips = [] {
    if constexpr (requires { E::kFrictionSlips; })
      return E::kFrictionSlips;
    else
      return kFrictionElements;
  }();
  static constexpr int kControls = [] {
    if constexpr (requires { E::kControls; })
      return E::kControls;
    else
      return 0;
  }();
  static constexpr int kVariables = [] {
    if constexpr (requires { E::kVariables; })
      return E::kVariables;
    else
      return 0;
  }();
  static constexpr bool kReactionsInForce = [] {
    if constexpr (requires { E::kReactionsInForce; })
      return E::kReactionsInForce;
    else
      return false;
  }();
  static constexpr bool kLinear = [] {
    if constexpr (requires { E::kLinear; })
      return E::kLinear;
    else
      return false;
  }();
  static constexpr bool kFlat = !requires(const SmallVector<double, kPositions>& q,
                                          const SmallVector<double, kVelocities>& dq) {
    E::retract(q, dq);
  };
};

/// What the functions of the equations see.
template <class E, class T>
struct Arguments {
  using Scalar = T;
  using Sizes = EquationSizes<E>;

  T t{};                                       ///< time
  SmallVector<T, Sizes::kPositions> q;         ///< position
  SmallVector<T, Sizes::kVelocities> v;        ///< velocity
  SmallVector<T, Sizes::kVelocities> a;        ///< acceleration
  SmallVector<T, Sizes::kConstraints> lambda;  ///< multipliers of constraint(s) and gap(s)
  SmallVector<T, Sizes::kNonholonomic> psi;    ///< multipliers of nonholonomic(s) and slip(s)
  SmallVector<T, Sizes::kControls> x;          ///< controls
  SmallVector<T, Sizes::kControls> xdot;       ///< their rates

  /// A vector of this scalar type from numbers and expressions.
  template <class... X>
  static SmallVector<T, sizeof...(X)> vector(const X&... entries) {
    SmallVector<T, sizeof...(X)> result;
    int i = 0;
    ((result(i++) = T(entries)), ...);
    return result;
  }

  /// A matrix of this scalar type, row by row.
  template <int Rows, int Cols, class... X>
  static SmallMatrix<T, Rows, Cols> matrix(const X&... entries) {
    static_assert(sizeof...(X) == static_cast<std::size_t>(Rows) * Cols);
    SmallMatrix<T, Rows, Cols> result;
    int i = 0;
    ((result(i / Cols, i % Cols) = T(entries), ++i), ...);
    return result;
  }

  /// The same arguments as constants of a richer scalar.
  template <class U>
  Arguments<E, U> lifted() const {
    const auto lift = [](const auto& from, auto& to) {
      for (int i = 0; i < from.size(); ++i)
        to(i) = U(from(i));
    };
    Arguments<E, U> result;
    result.t = U(t);
    lift(q, result.q);
    lift(v, result.v);
    lift(a, result.a);
    lift(lambda, result.lambda);
    lift(psi, result.psi);
    lift(x, result.x);
    lift(xdot, result.xdot);
    return result;
  }
};

/// q ⊕ dq on the part's own manifold.
template <class E, class T>
auto retract_part(const SmallVector<T, EquationSizes<E>::kPositions>& q,
                  const SmallVector<T, EquationSizes<E>::kVelocities>& dq) {
  if constexpr (requires { E::retract(q, dq); }) {
    return SmallVector<T, EquationSizes<E>::kPositions>(E::retract(q, dq));
  } else {
    return SmallVector<T, EquationSizes<E>::kPositions>(q + dq);
  }
}

}  // namespace picus
