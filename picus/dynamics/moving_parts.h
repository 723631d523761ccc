// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of one kind on their manifolds: how they move, and how increments of a chart grow.

#include <vector>

#include <Eigen/LU>

#include "picus/dynamics/batch.h"
#include "picus/dynamics/part_positions.h"

namespace picus {

template <class E>
class MovingParts : public Batch {
  using Kernel = EquationKernel<E>;
  using Sizes = EquationSizes<E>;
  static constexpr int kV = Kernel::kV;
  using Local = SmallVector<double, kV>;
  using Square = typename Kernel::Square;

 public:
  void add(Placed<E> part) { parts_.push_back(std::move(part)); }
  bool is_flat() const final { return Sizes::kFlat; }

  void retract(const Vector& q, const Vector& dq, Vector& result) const final {
    for (const Placed<E>& part : parts_)
      retract_placed(part, q, dq, result);
  }

  void difference(const Vector& from, const Vector& to, Vector& dq) const final {
    for (const Placed<E>& part : parts_)
      difference_placed(part, from, to, dq);
  }

  void increment_rate(const Chart& c, const Vector& v, Vector& rate) const final {
    if constexpr (!Sizes::kFlat) {
      for (const Placed<E>& part : parts_) {
        Local local_v;
        gather(v, part.velocities, local_v);
        const auto local = increment_rate_of(chart_of(part, c), local_v);
        for (std::size_t i = 0; i < kV; ++i)
          rate(part.velocities[i]) = local(static_cast<int>(i));
      }
    }
  }

  void increment_rate_tangent(const Chart& c, const Vector& v, SparseMatrix& along_increment,
                              SparseMatrix& along_velocity) const final {
    if constexpr (!Sizes::kFlat) {
      Square by_increment, by_velocity;
      for (const Placed<E>& part : parts_) {
        Local local_v;
        gather(v, part.velocities, local_v);
        differentiate_rate(chart_of(part, c), local_v, by_increment, by_velocity);
        for (int i = 0; i < kV; ++i) {
          if (!part.is_first_to_move[static_cast<std::size_t>(i)]) continue;
          const int row = part.velocities[static_cast<std::size_t>(i)];
          for (int j = 0; j < kV; ++j) {
            const int col = part.velocities[static_cast<std::size_t>(j)];
            along_increment.add(row, col, by_increment(i, j));
            along_velocity.add(row, col, by_velocity(i, j) - (i == j ? 1.0 : 0.0));
          }
        }
      }
    }
  }

 protected:
  std::vector<Placed<E>> parts_;

 private:
  /// A piece of a chart.
  struct LocalChart {
    SmallVector<double, Sizes::kPositions> base;
    Local increment;
  };

  /// B with dq = B dφ at base ⊕ φ, and C with dq = C ε at q ⊕ ε: q̇ = B φ̇ = C v.
  struct PositionRates {
    SmallMatrix<double, Sizes::kPositions, kV> of_increment, of_velocity;

    /// φ̇ of a q̇ along the manifold.
    template <int Cols>
    SmallMatrix<double, kV, Cols> solve(
        const SmallMatrix<double, Sizes::kPositions, Cols>& position_rate) const {
      const Square normal = of_increment.transpose() * of_increment;
      return normal.inverse() * (of_increment.transpose() * position_rate);
    }
  };
  static PositionRates position_rates(const LocalChart& c) {
    using T = Dual<kV>;
    const SmallVector<T, kV> moved =
        Kernel::template lift<T>(c.increment) + Kernel::template seeds<T, kV>(0);
    const SmallVector<T, Sizes::kPositions> along =
        retract_part<E, T>(Kernel::template lift<T>(c.base), moved);
    const auto q = retract_part<E, double>(c.base, c.increment);
    const SmallVector<T, Sizes::kPositions> beside =
        retract_part<E, T>(Kernel::template lift<T>(q), Kernel::template seeds<T, kV>(0));
    return {Kernel::template columns<kV>(along, 0), Kernel::template columns<kV>(beside, 0)};
  }

  static Local increment_rate_of(const LocalChart& c, const Local& v) {
    const PositionRates rates = position_rates(c);
    return rates.template solve<1>(rates.of_velocity * v);
  }

  /// From the derivatives of B(φ) φ̇ - C(q(φ)) v = 0.
  static void differentiate_rate(const LocalChart& c, const Local& v, Square& along_increment,
                                 Square& along_velocity) {
    using T = Dual<kV>;
    using U = Dual<1, T>;
    const PositionRates rates = position_rates(c);
    const Local rate = rates.template solve<1>(rates.of_velocity * v);
    const SmallVector<T, kV> moved =
        Kernel::template lift<T>(c.increment) + Kernel::template seeds<T, kV>(0);
    SmallVector<U, kV> ahead = Kernel::template lift<U>(moved), beside;
    for (int i = 0; i < kV; ++i) {
      ahead(i).grad[0] = T(rate(i));
      beside(i).grad[0] = T(v(i));
    }
    const SmallVector<T, Sizes::kPositions> q =
        retract_part<E, T>(Kernel::template lift<T>(c.base), moved);
    const SmallVector<U, Sizes::kPositions> one =
        retract_part<E, U>(Kernel::template lift<U>(c.base), ahead);
    const SmallVector<U, Sizes::kPositions> other =
        retract_part<E, U>(Kernel::template lift<U>(q), beside);
    SmallMatrix<double, Sizes::kPositions, kV> difference;
    for (int i = 0; i < Sizes::kPositions; ++i)
      for (int j = 0; j < kV; ++j)
        difference(i, j) = other(i).d(0).d(j) - one(i).d(0).d(j);
    along_increment = rates.template solve<kV>(difference);
    along_velocity = rates.template solve<kV>(rates.of_velocity);
  }

  static LocalChart chart_of(const Placed<E>& part, const Chart& c) {
    LocalChart chart;
    gather(c.base, part.positions, chart.base);
    gather(c.increment, part.velocities, chart.increment);
    return chart;
  }
};

}  // namespace picus
