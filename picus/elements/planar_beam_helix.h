// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The helix of beam_helix.h between frames that move in one plane: an arc. With φ = θ_B − θ_A and J
// a quarter turn
//
//   d = (u, φ),   u = V c,   V = γ I − (φ/2) J,   γ = (φ/2) cot(φ/2)

#include "picus/elements/beam_helix.h"

namespace picus {

/// Two frames and the arc between them. Velocities are (ẋ, ẏ, θ̇) of A and B; strains are the axial
/// one, shear and bending.
class PlanarBeamHelix {
 public:
  static constexpr int kStrains = 3;
  using Strain = SmallVector<double, 3>;
  using Velocity = SmallVector<double, 6>;
  using Square = Matrix6;
  using Rates = SmallMatrix<double, 3, 6>;
  class Tangent;

  PlanarBeamHelix() = default;
  PlanarBeamHelix(const Pose<double>& a, const Pose<double>& b);

  const Strain& displacement() const { return d_; }
  /// ḋ.
  Strain rate(const Velocity& velocity) const;
  /// The gradient of σ · d along the velocities.
  Velocity pull(const Strain& stress) const;

 private:
  using Matrix2 = SmallMatrix<double, 2, 2>;

  Matrix2 axes_;                                   ///< of A in space
  Vector2 arm_, by_angle_;                         ///< c; ∂u/∂φ
  double gamma_ = 1.0, slope_ = 0.0, bend_ = 0.0;  ///< γ, γ′, γ″
  Strain d_;
};

/// Derivatives of an arc along its velocities.
class PlanarBeamHelix::Tangent {
 public:
  explicit Tangent(const PlanarBeamHelix& helix);

  /// ∂d.
  Rates rates() const;
  /// Σ_ij C_ij ∂d_i ⊗ ∂d_j + σ · ∂²d, for symmetric C.
  Square stiffness(const Matrix3& C, const Strain& stress) const;
  /// σ · ∂²d.
  Square geometric_stiffness(const Strain& stress) const;
  /// ∂ḋ along positions, at constant velocities.
  Rates rate_tangent(const Velocity& velocity) const;

 private:
  using Local = SmallMatrix<double, 4, 4>;  // along c, θ_A and θ_B
  Local geometric(const Strain& stress) const;
  Square in_space(const Local& K) const;
  Rates in_space(const SmallMatrix<double, 3, 4>& columns) const;

  const PlanarBeamHelix& helix_;
  SmallMatrix<double, 3, 4> rates_;
};

}  // namespace picus
