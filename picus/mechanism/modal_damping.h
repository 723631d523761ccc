// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Damping of a part in its modes. A mode φ with φᵀ M φ = 1 that is damped by the ratio ζ at ω adds
// the force 2 ζ ω M φ (φᵀ M v). As M φ = K φ/ω², φᵀ M v is the power of the mode's section forces S
// at the strain rates of v, over ω²:
//
//   y = Σ_e S_e · (L ε̇)_e,     σ_e = Σ_modes (2 ζ/ω³) y S_e
//
// Strain rates do not see rigid motions, so neither does the damping, however far the part turns.

#include <vector>

#include "picus/math/types.h"

namespace picus {

class ModalDamping {
 public:
  /// Does nothing.
  ModalDamping() = default;
  /// In the lowest elastic modes of M v̇ + K q = 0 by these ratios; `rigid` modes come before them.
  /// `stress` gives S of the elements, one after the other, of a motion.
  template <class Stress>
  ModalDamping(const Matrix& M, const Matrix& K, const std::vector<double>& ratios, int rigid,
               const Stress& stress) {
    find_modes(M, K, ratios, rigid);
    for (int m = 0; m < shapes_.cols(); ++m) {
      const Vector one = stress(Vector(shapes_.col(m)));
      stresses_.conservativeResize(one.size(), shapes_.cols());
      stresses_.col(m) = one;
    }
    stress_.setZero(stresses_.rows());
  }

  bool is_empty() const { return factors_.size() == 0; }
  /// Of the damped modes [rad/s].
  const Vector& frequencies() const { return frequencies_; }

  /// Finds the stress at L ε̇ of the elements, one after the other.
  void load(const Vector& rates) {
    power_.noalias() = stresses_.transpose() * rates;
    power_.array() *= factors_.array();
    stress_.noalias() = stresses_ * power_;
  }
  const Vector& stress() const { return stress_; }

  /// Derivatives of Σ_e ratesᵀ σ_e by velocities and positions, from those of L ε̇.
  void clear_tangent(int unknowns) {
    by_velocity_.setZero(unknowns, factors_.size());
    by_place_.setZero(unknowns, factors_.size());
  }
  template <class Rates>
  void add_tangent(int first_unknown, int first_strain, const Rates& rates, const Rates& change) {
    const auto own = stresses_.middleRows<Rates::RowsAtCompileTime>(first_strain);
    by_velocity_.middleRows<Rates::ColsAtCompileTime>(first_unknown).noalias() +=
        rates.transpose() * own;
    by_place_.middleRows<Rates::ColsAtCompileTime>(first_unknown).noalias() +=
        change.transpose() * own;
  }
  void finish_tangent() {
    weighted_.noalias() = by_velocity_ * factors_.asDiagonal();
    along_v_.noalias() = weighted_ * by_velocity_.transpose();
    along_q_.noalias() = weighted_ * by_place_.transpose();
  }
  const Matrix& along_v() const { return along_v_; }
  const Matrix& along_q() const { return along_q_; }

 private:
  void find_modes(const Matrix& M, const Matrix& K, const std::vector<double>& ratios, int rigid);

  Vector factors_, frequencies_;  ///< 2 ζ/ω³; ω
  Matrix shapes_, stresses_;      ///< columns: φ and S
  Vector power_, stress_;
  Matrix by_velocity_, by_place_, weighted_, along_v_, along_q_;
};

}  // namespace picus
