// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The beam element of beam_element.h between frames that move in one plane, written out: the helix
// is an arc. With c = R_Aᵀ (x_B − x_A) and φ = θ_B − θ_A
//
//   d = (u, φ),   u = γ c − (φ/2) J c,   γ = (φ/2) cot(φ/2),   J: a quarter turn

#include "picus/elements/beam_element.h"

namespace picus {

/// Axial strain, shear and bending.
using PlanarBeamElement = BeamElementOf<3>;
using Vector2 = SmallVector<double, 2>;

/// The same element with the strains that stay in the plane.
PlanarBeamElement in_plane(const BeamElement& element);

/// Two frames and the arc between them. Velocities are (ẋ, ẏ, θ̇) of A and B.
class PlanarBeamHelix {
 public:
  static constexpr int kStrains = 3, kColumns = 6;
  using Element = PlanarBeamElement;
  using Strain = SmallVector<double, 3>;
  using Velocity = SmallVector<double, 6>;
  using Rates = SmallMatrix<double, 3, 6>;

  PlanarBeamHelix(const Pose<double>& a, const Pose<double>& b);

  const Strain& displacement() const { return d_; }
  const Rates& rates() const { return rates_; }
  Strain strain(const Element& element) const {
    return d_ / element.length - element.initial_strain;
  }
  Strain rate(const Velocity& velocity) const { return rates_ * velocity; }
  Rates rate_tangent(const Velocity& velocity) const;
  Strain stress(const Element& element, const Velocity& velocity) const;

  Velocity force(const Strain& stress) const { return -rates_.transpose() * stress; }
  Matrix6 stiffness(const Element& element, const Velocity& velocity,
                    const Strain& further = Strain::Zero()) const;
  Matrix6 damping(const Element& element) const;
  Matrix6 geometric_stiffness(const Strain& stress) const;

 private:
  using Matrix2 = SmallMatrix<double, 2, 2>;

  Matrix2 back_;            ///< R_Aᵀ
  Vector2 arm_, by_angle_;  ///< c, ∂u/∂φ
  double slope_, bend_;     ///< γ′, γ″
  Strain d_;
  Matrix3 inner_;        ///< ∂d/∂(c, φ)
  Rates outer_, rates_;  ///< ∂(c, φ)/∂q; ∂d/∂q
};

}  // namespace picus
