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

/// What an element with N strains is made of, and its length before it is strained.
template <int N>
struct BeamElementOf {
  double length = 0.0;
  SmallVector<double, N> initial_strain = SmallVector<double, N>::Zero();   ///< d/L, unstrained
  SmallMatrix<double, N, N> stiffness = SmallMatrix<double, N, N>::Zero();  ///< K
  SmallMatrix<double, N, N> damping = SmallMatrix<double, N, N>::Zero();    ///< C
  double slack = 1.0;  ///< of the axial stiffness where the element is shorter than unstrained

  /// K at a strain.
  SmallMatrix<double, N, N> stiffness_at(const SmallVector<double, N>& strain) const {
    SmallMatrix<double, N, N> K = stiffness;
    if (strain(0) < 0.0) K(0, 0) *= slack;
    return K;
  }
  SmallVector<double, N> elastic_stress(const SmallVector<double, N>& strain) const {
    SmallVector<double, N> stress = stiffness * strain;
    if (strain(0) < 0.0) stress(0) -= (1.0 - slack) * stiffness(0, 0) * strain(0);
    return stress;
  }
  double energy(const SmallVector<double, N>& strain) const {
    return 0.5 * length * strain.dot(elastic_stress(strain));
  }
};
using BeamElement = BeamElementOf<6>;

/// Two frames and the helix between them.
class BeamHelix {
 public:
  static constexpr int kStrains = 6, kColumns = 12;
  using Element = BeamElement;
  using Strain = Vector6;
  using Velocity = Row<double>;

  BeamHelix(const Pose<double>& a, const Pose<double>& b);

  const Vector6& displacement() const { return d_; }
  /// ∂d along the twelve velocities (ẋ in space, Ω in the frame) of A and B.
  const SmallMatrix<double, 6, 12>& rates() const { return rates_; }
  Vector6 strain(const BeamElement& element) const {
    return d_ / element.length - element.initial_strain;
  }
  /// The rate of the strain times the length.
  Vector6 rate(const Row<double>& velocity) const { return rates_ * velocity; }
  /// ∂(rate)/∂(positions) at constant velocities.
  SmallMatrix<double, 6, 12> rate_tangent(const Row<double>& velocity) const;
  /// Section forces and moments.
  Vector6 stress(const BeamElement& element, const Row<double>& velocity) const;

  /// What section forces do to the frames, along their velocities.
  Row<double> force(const Vector6& stress) const;
  Row<double> force(const BeamElement& element, const Row<double>& velocity) const {
    return force(stress(element, velocity));
  }
  /// −∂force along positions (at B: translation in space, rotation in the frame) and velocities;
  /// `further` is stress that does not change.
  Hessian stiffness(const BeamElement& element, const Row<double>& velocity,
                    const Vector6& further = Vector6::Zero()) const;
  Hessian damping(const BeamElement& element) const;
  /// The part of the stiffness that is due to stress.
  Hessian geometric_stiffness(const Vector6& stress) const;

 private:
  /// ∂(T⁻ᵀ σ)/∂d at constant σ.
  Matrix6 turned_stress_tangent(const Vector6& stress) const;
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
