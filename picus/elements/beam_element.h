// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A geometrically exact beam element between two frames A and B: the beam between them is a helix,
// along which strains are constant. It depends on the relative pose of the frames alone, so rigid
// motions, whole turns included, strain nothing, and it does not lock.
//
//   d = (u, θ) = log(H_A⁻¹ H_B)       relative pose, H = (R, x); the helix is H_A exp(s d)
//   ε = d/L − ε₀,   σ = K ε + C ε̇     strains (axial, two shears, torsion, two bendings) and
//   W = L/2 εᵀ K ε                    section forces and moments, in the frame of the section
//   δd = T(d)⁻¹ (δη_B − Ad(H_B⁻¹ H_A) δη_A),   δη = (Rᵀ δx, δφ)
//
// Sources: Sonneville, Cardona, Brüls 2014 [SonnevilleCardonaBruls2014]; T⁻¹ by its finite series
// in ad(d), see inverse_tangent_series.

#include "picus/elements/rows.h"

namespace picus {

using Matrix6 = SmallMatrix<double, 6, 6>;

/// Coefficients of T⁻¹ = I + ad/2 + c₁ ad² + c₂ ad⁴, and their derivatives by x = |θ|².
struct InverseTangentSeries {
  double c1 = 0.0, c2 = 0.0, c1_by_x = 0.0, c2_by_x = 0.0;
  double v2 = 0.0;  ///< of V(θ)⁻¹ = I − θ̃/2 + v₂ θ̃²
};
/// For |θ| below 2π; x = |θ|².
InverseTangentSeries inverse_tangent_series(double x);

/// What an element is made of, and its length before it is strained.
struct BeamElement {
  double length = 0.0;
  Vector6 initial_strain = Vector6::Zero();  ///< d/L of the unstrained element
  Matrix6 stiffness = Matrix6::Zero();       ///< K
  Matrix6 damping = Matrix6::Zero();         ///< C
};

/// Two frames and the helix between them.
class BeamHelix {
 public:
  BeamHelix(const Pose<double>& a, const Pose<double>& b);

  const Vector6& displacement() const { return d_; }
  /// ∂d along the twelve velocities (ẋ in space, Ω in the frame) of A and B.
  const SmallMatrix<double, 6, 12>& rates() const { return rates_; }
  Vector6 strain(const BeamElement& element) const {
    return d_ / element.length - element.initial_strain;
  }
  /// The rate of the strain times the length.
  Vector6 rate(const Row<double>& velocity) const { return rates_ * velocity; }
  /// Section forces and moments.
  Vector6 stress(const BeamElement& element, const Row<double>& velocity) const;

  /// What the element does to its frames, along their velocities.
  Row<double> force(const BeamElement& element, const Row<double>& velocity) const;
  /// −∂force along positions (at B: translation in space, rotation in the frame) and velocities.
  Hessian stiffness(const BeamElement& element, const Row<double>& velocity) const;
  Hessian damping(const BeamElement& element) const;

 private:
  /// ∂(T⁻ᵀ σ)/∂d at constant σ.
  Matrix6 turned_stress_tangent(const Vector6& stress) const;
  /// ∂(rates · v)/∂(positions) at constant v.
  SmallMatrix<double, 6, 12> rate_tangent(const Row<double>& velocity) const;
  /// ∂(Pᵀ w)/∂(positions) at constant w, P = relative twist by velocities.
  void add_turned_wrench(const Vector6& wrench, Hessian& K) const;

  Matrix3 A_a_, A_b_, turn_;  ///< axes of A and B in space, of B in A
  Vector3 apart_, arm_;       ///< from A to B in space and in A
  Vector6 d_;
  InverseTangentSeries series_;
  Matrix6 ad_, inverse_tangent_;
  SmallMatrix<double, 6, 12> relative_, rates_;  ///< P; T⁻¹ P
};

}  // namespace picus
