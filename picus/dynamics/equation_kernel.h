// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Exact derivatives of the equations of one part, by dual numbers seeded along tangent directions
// so that quaternions never show. Names: δ, η seed positions and velocities; ε, τ move along the
// motion to differentiate in time.

#include "picus/dynamics/all_equations.h"

namespace picus {

template <class E>
struct EquationKernel : AllEquations<E> {
  using AllEquations<E>::constraint;
  using AllEquations<E>::nonholonomic;
  using Sizes = EquationSizes<E>;
  static constexpr int kV = Sizes::kVelocities;
  static constexpr int kC = Sizes::kConstraints;
  static constexpr int kN = Sizes::kNonholonomic;
  static constexpr int kX = Sizes::kControls;
  template <class T>
  using Args = Arguments<E, T>;
  template <class T>
  using Tangent = SmallVector<T, kV>;
  using Square = SmallMatrix<double, kV, kV>;

  /// Where the part is: its arguments and its piece of the chart.
  struct Point {
    Args<double> s;
    SmallVector<double, Sizes::kPositions> base;
    Tangent<double> increment;
  };

  /// All that g(t,q) may look at. Nested duals are large, so the constraints, which are
  /// differentiated most, carry nothing else around.
  template <class T>
  struct Configuration {
    using Scalar = T;
    T t{};
    SmallVector<T, Sizes::kPositions> q;

    template <class... X>
    static SmallVector<T, sizeof...(X)> vector(const X&... entries) {
      return Args<T>::vector(entries...);
    }
    template <int Rows, int Cols, class... X>
    static SmallMatrix<T, Rows, Cols> matrix(const X&... entries) {
      return Args<T>::template matrix<Rows, Cols>(entries...);
    }
  };

  /// Seeds `Count` of the derivatives of T, beginning at `first`.
  template <class T, int Count>
  static SmallVector<T, Count> seeds(int first) {
    using Inner = decltype(T::value);
    SmallVector<T, Count> result;
    for (int i = 0; i < Count; ++i)
      result(i) = T::variable(Inner(0.0), first + i);
    return result;
  }

  template <class T, class Inner, int Count>
  static SmallVector<T, Count> lift(const SmallVector<Inner, Count>& from) {
    SmallVector<T, Count> result;
    for (int i = 0; i < Count; ++i)
      result(i) = T(from(i));
    return result;
  }

  /// Arguments with q = base ⊕ (increment + δ), δ the first kV derivatives of T.
  template <class T>
  static Args<T> at_increment(const Point& p) {
    Args<T> args = p.s.template lifted<T>();
    const Tangent<T> moved = lift<T>(p.increment) + seeds<T, kV>(0);
    args.q = retract_part<E, T>(lift<T>(p.base), moved);
    return args;
  }

  /// The same with v + η, η the next kV derivatives.
  template <class T>
  static Args<T> at_increment_and_velocity(const Point& p) {
    Args<T> args = at_increment<T>(p);
    args.v = args.v + seeds<T, kV>(kV);
    return args;
  }

  /// Moves arguments along the motion by an infinitesimal time, the one derivative of Dual<1, T>.
  template <class T>
  static Args<Dual<1, T>> moving(const Args<T>& args) {
    using U = Dual<1, T>;
    const U epsilon = U::variable(T(0.0), 0);
    Args<U> result = args.template lifted<U>();
    Tangent<U> dq;
    for (int i = 0; i < kV; ++i) {
      dq(i) = result.v(i) * epsilon;
      result.v(i) = result.v(i) + result.a(i) * epsilon;
    }
    result.q = retract_part<E, U>(result.q, dq);
    result.t = result.t + epsilon;
    return result;
  }

  template <class Inner, int Count>
  static SmallVector<Inner, Count> rate_of(const SmallVector<Dual<1, Inner>, Count>& x) {
    SmallVector<Inner, Count> result;
    for (int i = 0; i < Count; ++i)
      result(i) = x(i).d(0);
    return result;
  }

  // --- constraint levels, in any scalar ------------------------------------------------------

  /// Where the part is an infinitesimal time later. Derivatives are put in place where ⊕ is the
  /// sum.
  template <class T>
  static Configuration<Dual<1, T>> moving_configuration(const Configuration<T>& from,
                                                        const Tangent<T>& v) {
    using U = Dual<1, T>;
    Configuration<U> result;
    result.t.value = from.t;
    result.t.grad[0] = T(1.0);
    if constexpr (requires { E::retract(result.q, lift<U>(v)); }) {
      Tangent<U> dq;
      for (int i = 0; i < kV; ++i)
        dq(i).grad[0] = v(i);
      result.q = retract_part<E, U>(lift<U>(from.q), dq);
    } else {
      for (int i = 0; i < kV; ++i) {
        result.q(i).value = from.q(i);
        result.q(i).grad[0] = v(i);
      }
    }
    return result;
  }

  template <class T>
  static SmallVector<T, kC> constraint_rate(const E& e, const Args<T>& args) {
    return rate_of<T, kC>(
        constraint(e, moving_configuration(Configuration<T>{args.t, args.q}, args.v)));
  }

  template <class T>
  static SmallVector<T, kC> constraint_acceleration(const E& e, const Args<T>& args) {
    using U = Dual<1, T>;
    Tangent<U> v;
    for (int i = 0; i < kV; ++i) {
      v(i).value = args.v(i);
      v(i).grad[0] = args.a(i);
    }
    const Configuration<U> later = moving_configuration(Configuration<T>{args.t, args.q}, args.v);
    return rate_of<T, kC>(rate_of<U, kC>(constraint(e, moving_configuration(later, v))));
  }

  template <class T>
  static SmallVector<T, kN> nonholonomic_rate(const E& e, const Args<T>& args) {
    return rate_of<T, kN>(nonholonomic(e, moving(args)));
  }

  // --- momentum ------------------------------------------------------------------------------

  /// Gᵀλ along the tangent directions at a place, in its scalar.
  template <class T>
  static Tangent<T> constraint_reaction(const E& e, const Configuration<T>& configuration,
                                        const SmallVector<double, kC>& lambda) requires(kC > 0) {
    using U = Dual<kV, T>;
    const Configuration<U> moved{U(configuration.t),
                                 retract_part<E, U>(lift<U>(configuration.q), seeds<U, kV>(0))};
    const SmallVector<U, kC> g = constraint(e, moved);
    Tangent<T> result;
    for (int i = 0; i < kV; ++i) {
      result(i) = lambda(0) * g(0).d(i);
      for (int c = 1; c < kC; ++c)
        result(i) = result(i) + lambda(c) * g(c).d(i);
    }
    return result;
  }

  /// k_vᵀψ.
  template <class T>
  static Tangent<T> nonholonomic_reaction(const E& e, const Args<T>& args) {
    using U = Dual<kV, T>;
    Args<U> moved = args.template lifted<U>();
    moved.v = moved.v + seeds<U, kV>(0);
    const SmallVector<U, kN> k = nonholonomic(e, moved);
    Tangent<T> result;
    for (int i = 0; i < kV; ++i) {
      T sum = args.psi(0) * k(0).d(i);
      for (int c = 1; c < kN; ++c)
        sum = sum + args.psi(c) * k(c).d(i);
      result(i) = sum;
    }
    return result;
  }

  enum class Forces { kAll, kReactionsOnly };

  static constexpr bool needs_reactions(Forces forces) {
    return !Sizes::kReactionsInForce || forces == Forces::kReactionsOnly;
  }

  /// M v̇ − F, with or without the applied forces.
  static Tangent<double> momentum_residual(const E& e, const Args<double>& args, Forces forces) {
    Tangent<double> r = Tangent<double>::Zero();
    if constexpr (requires { e.mass(args); }) r = e.mass(args) * args.a;
    if constexpr (requires { e.force(args); }) {
      if (forces == Forces::kAll) r -= e.force(args);
    }
    if (needs_reactions(forces)) {
      if constexpr (kC > 0)
        r -= constraint_reaction(e, Configuration<double>{args.t, args.q}, args.lambda);
      if constexpr (kN > 0) r -= nonholonomic_reaction(e, args);
    }
    return r;
  }

  static void momentum_tangent(const E& e, const Point& p, Forces forces, Square& K, Square& D) {
    K.setZero();
    D.setZero();
    add_force_tangent(e, p, forces, K, D);
    if constexpr (kC > 0) {
      if (!needs_reactions(forces)) return;
      // Gᵀλ does not see velocities: half the derivatives are enough
      using T = Dual<kV>;
      const Tangent<T> moved = lift<T>(p.increment) + seeds<T, kV>(0);
      const Configuration<T> configuration{T(p.s.t), retract_part<E, T>(lift<T>(p.base), moved)};
      const Tangent<T> reaction = constraint_reaction(e, configuration, p.s.lambda);
      for (int i = 0; i < kV; ++i)
        for (int j = 0; j < kV; ++j)
          K(i, j) -= reaction(i).d(j);
    }
  }

  /// What depends on positions and velocities at once: mass, applied forces, rolling reactions.
  static void add_force_tangent(const E& e, const Point& p, Forces forces, Square& K, Square& D) {
    using T = Dual<2 * kV>;
    constexpr bool kForce = requires(const E& part, const Args<T>& s) {
      part.force(s);
    };
    constexpr bool kVariableMass = [] {
      if constexpr (requires(const E& part, const Args<T>& s) { part.mass(s); })
        return std::is_same_v<typename std::decay_t<decltype(std::declval<const E&>().mass(
                                  std::declval<const Args<T>&>()))>::Scalar,
                              T>;
      else
        return false;
    }();
    if constexpr (kForce || kVariableMass || kN > 0) {
      const Args<T> args = at_increment_and_velocity<T>(p);
      Tangent<T> r;  // begins at zero
      if constexpr (kVariableMass) r = e.mass(args) * args.a;
      if constexpr (kForce) {
        if (forces == Forces::kAll) r = r - e.force(args);
      }
      if constexpr (kN > 0) {
        if (needs_reactions(forces)) r = r - nonholonomic_reaction(e, args);
      }
      for (int i = 0; i < kV; ++i) {
        for (int j = 0; j < kV; ++j) {
          K(i, j) += r(i).d(j);
          D(i, j) += r(i).d(kV + j);
        }
      }
    }
  }

  /// ∂F/∂(λ,ψ), for forces that are nonlinear in them.
  static SmallMatrix<double, kV, kC + kN> multiplier_tangent(const E& e, const Point& p) {
    using T = Dual<kC + kN>;
    Args<T> args = p.s.template lifted<T>();
    if constexpr (kC > 0) args.lambda = args.lambda + seeds<T, kC>(0);
    if constexpr (kN > 0) args.psi = args.psi + seeds<T, kN>(kC);
    const Tangent<T> F = e.force(args);
    SmallMatrix<double, kV, kC + kN> result;
    for (int i = 0; i < kV; ++i)
      for (int j = 0; j < kC + kN; ++j)
        result(i, j) = F(i).d(j);
    return result;
  }

  // --- first derivatives of vectors ----------------------------------------------------------

  /// Columns first … first + Cols of the derivatives.
  template <int Cols, int Rows, int N>
  static SmallMatrix<double, Rows, Cols> columns(const SmallVector<Dual<N>, Rows>& x, int first) {
    SmallMatrix<double, Rows, Cols> result;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Cols; ++j)
        result(i, j) = x(i).d(first + j);
    return result;
  }
};

}  // namespace picus
