// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The helix between two frames A and B, along which the strains of a beam are constant. It depends
// on the relative pose of the frames alone.
//
//   d = (u, θ) = log(H_A⁻¹ H_B)       relative pose, H = (R, x); the helix is H_A exp(s d)
//
// Source: Sonneville, Cardona, Brüls 2014 [SonnevilleCardonaBruls2014]. Written out, with
// c = R_Aᵀ (x_B − x_A) and angular velocities Ω in the frames,
//
//   u = V c,   θ̇ = Vᵀ Ω_B − V Ω_A,   V = I − θ̃/2 + v₂ θ̃²,   v₂ = (1 − (θ/2) cot(θ/2))/θ²
//
// so derivatives are a few 3 × 3 products. Those along A follow from those along c and B: a rigid
// motion of both frames changes no strain, and forces turn with it.

#include "picus/elements/rows.h"

namespace picus {

using Matrix6 = SmallMatrix<double, 6, 6>;

/// v₂ and its derivatives by x = |θ|².
struct HelixSeries {
  double v = 0.0, by_x = 0.0, by_xx = 0.0;
};
/// For |θ| below 2π; x = |θ|².
HelixSeries helix_series(double x);

/// Two frames and the helix between them. Velocities are ẋ in space and Ω in the frame, of A and B.
class BeamHelix {
 public:
  static constexpr int kStrains = 6;
  using Strain = Vector6;
  using Velocity = Row<double>;
  using Square = Hessian;
  using Rates = SmallMatrix<double, 6, 12>;
  class Tangent;

  BeamHelix() = default;
  BeamHelix(const Pose<double>& a, const Pose<double>& b);

  const Strain& displacement() const { return d_; }
  /// ḋ.
  Strain rate(const Velocity& velocity) const;
  /// The gradient of σ · d along the velocities.
  Velocity pull(const Strain& stress) const;

 private:
  Matrix3 axes_, turn_;  ///< of A in space, of B in A
  Vector3 arm_;          ///< c
  Strain d_;
  HelixSeries series_;
};

/// Derivatives of a helix along its velocities.
class BeamHelix::Tangent {
 public:
  explicit Tangent(const BeamHelix& helix);

  /// ∂d.
  Rates rates() const;
  /// Σ_ij C_ij ∂d_i ⊗ ∂d_j + σ · ∂²d, for symmetric C.
  Square stiffness(const Matrix6& C, const Strain& stress) const;
  /// σ · ∂²d.
  Square geometric_stiffness(const Strain& stress) const;
  /// ∂ḋ along positions, at constant velocities.
  Rates rate_tangent(const Velocity& velocity) const;

 private:
  /// Of a matrix along c, Ω_A and Ω_B; what is not here is symmetric.
  struct Blocks {
    Matrix3 cc, ca, cb, aa, ab, bb;
  };
  Blocks geometric(const Strain& stress) const;
  Square in_space(const Blocks& blocks) const;

  const BeamHelix& helix_;
  Matrix3 V_, bend_;           ///< V; ∂(V c)/∂θ
  Matrix3 along_a_, along_b_;  ///< ∂u along Ω_A and Ω_B
};

}  // namespace picus
