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
  }

  bool is_empty() const { return factors_.size() == 0; }
  int modes() const { return static_cast<int>(factors_.size()); }
  /// 2 ζ/ω³ of each.
  const Vector& factors() const { return factors_; }
  /// S of all elements, a column for each mode.
  const Matrix& stresses() const { return stresses_; }

  /// σ of the elements, one after the other, at L ε̇; `power` is room for a number per mode.
  void find_stress(const Eigen::Ref<const Vector>& rates, Eigen::Ref<Vector> power,
                   Eigen::Ref<Vector> stress) const {
    power.noalias() = stresses_.transpose() * rates;
    power.array() *= factors_.array();
    stress.noalias() = stresses_ * power;
  }

 private:
  void find_modes(const Matrix& M, const Matrix& K, const std::vector<double>& ratios, int rigid);

  Vector factors_;
  Matrix shapes_, stresses_;  ///< columns: φ and S
};

}  // namespace picus
