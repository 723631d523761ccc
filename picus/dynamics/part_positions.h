// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Positions of parts on their manifolds: q ⊕ dq, and dq from two positions.

#include "picus/dynamics/placed_part.h"

namespace picus {

/// x with A x = b for a small symmetric positive definite A, by elimination.
template <int N>
SmallVector<double, N> solve_definite(SmallMatrix<double, N, N> A, SmallVector<double, N> b) {
  for (int k = 0; k < N; ++k) {
    for (int i = k + 1; i < N; ++i) {
      const double factor = A(i, k) / A(k, k);
      A.row(i) -= factor * A.row(k);
      b(i) -= factor * b(k);
    }
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int j = i + 1; j < N; ++j)
      b(i) -= A(i, j) * b(j);
    b(i) /= A(i, i);
  }
  return b;
}

/// dq with q ⊕ dq = moved, on the part's own manifold: Gauss–Newton, which has nothing left to
/// minimise and so converges quadratically.
template <class E>
auto difference_part(const SmallVector<double, EquationSizes<E>::kPositions>& q,
                     const SmallVector<double, EquationSizes<E>::kPositions>& moved) {
  constexpr int kV = EquationSizes<E>::kVelocities, kQ = EquationSizes<E>::kPositions;
  if constexpr (EquationSizes<E>::kFlat) {
    return SmallVector<double, kV>(moved - q);
  } else {
    constexpr int kMaxIterations = 20;
    using T = Dual<kV>;
    SmallVector<double, kV> dq = SmallVector<double, kV>::Zero();
    for (int n = 0; n < kMaxIterations; ++n) {
      SmallVector<T, kQ> from;
      SmallVector<T, kV> step;
      for (int i = 0; i < kQ; ++i)
        from(i) = T(q(i));
      for (int i = 0; i < kV; ++i)
        step(i) = T::variable(dq(i), i);
      const SmallVector<T, kQ> there = retract_part<E, T>(from, step);
      SmallMatrix<double, kQ, kV> J;
      SmallVector<double, kQ> miss;
      for (int i = 0; i < kQ; ++i) {
        miss(i) = moved(i) - there(i).value;
        for (int j = 0; j < kV; ++j)
          J(i, j) = there(i).d(j);
      }
      const SmallMatrix<double, kV, kV> normal = J.transpose() * J;
      const SmallVector<double, kV> right = J.transpose() * miss;
      const SmallVector<double, kV> change = solve_definite<kV>(normal, right);
      dq += change;
      if (change.norm() <= 1e-15 * (1.0 + dq.norm())) break;
    }
    return dq;
  }
}

/// The part's piece of result = q ⊕ dq.
template <class E>
void retract_placed(const Placed<E>& part, const Vector& q, const Vector& dq, Vector& result) {
  SmallVector<double, EquationSizes<E>::kPositions> local_q;
  SmallVector<double, EquationSizes<E>::kVelocities> local_dq;
  gather(q, part.positions, local_q);
  gather(dq, part.velocities, local_dq);
  const auto moved = retract_part<E, double>(local_q, local_dq);
  for (std::size_t i = 0; i < part.positions.size(); ++i)
    result(part.positions[i]) = moved(static_cast<int>(i));
}

/// The part's piece of dq with from ⊕ dq = to.
template <class E>
void difference_placed(const Placed<E>& part, const Vector& from, const Vector& to, Vector& dq) {
  SmallVector<double, EquationSizes<E>::kPositions> local_from, local_to;
  gather(from, part.positions, local_from);
  gather(to, part.positions, local_to);
  const auto difference = difference_part<E>(local_from, local_to);
  for (std::size_t i = 0; i < part.velocities.size(); ++i)
    dq(part.velocities[i]) = difference(static_cast<int>(i));
}

}  // namespace picus
