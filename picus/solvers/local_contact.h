// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "picus/solvers/contact_cone.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

/// Solves the problem of a single contact exactly: u = W p + b with a 3×3 matrix W.
///
/// While the contact slides, u_t = −κ p_t with some κ ≥ 0, so that
///
///     W_nn p_n + W_nt p_t = −b_n,   W_tn p_n + (W_tt + κ I) p_t = −b_t.
///
/// For every κ this system is regular. At κ = 0 it is the sticking solution, and if that lies
/// outside the cone of friction, the solution for κ → ∞, which has p_t → 0, lies inside. The
/// sliding solution between them is the root of one function of one variable, and always exists.
/// For round bodies, where W_tn = 0 and W_tt is a multiple of the identity, it is the sticking
/// solution shortened to the cone; in the plane it is known in closed form, too.
class LocalContact {
 public:
  void prepare(const Matrix3& W, const ImpulseLaw& law);
  Vector3 solve(const Vector3& b) const { return is_round_ ? solve_round(b) : solve_any(b); }

 private:
  Vector3 solve_any(const Vector3& b) const;
  // Number by number: vectors would go through the memory in the innermost loop of all sweeps.
  Vector3 solve_round(const Vector3& b) const {
    if (b(0) >= 0.0) return Vector3::Zero();
    const double normal = -b(0) * normal_inertia_, limit = law_.coefficient * normal;
    const double x = -b(1) * tangential_inertia_, y = -b(2) * tangential_inertia_;
    const double square = x * x + y * y;
    const double part = square > limit * limit ? limit / std::sqrt(square) : 1.0;
    return {normal, part * x, part * y};
  }

  /// Friction with normal impulse eliminated: S p_t = −c while sticking, ‖p_t‖ ≤ limit − slope·p_t.
  struct Tangential {
    Vector2 c;      ///< in the eigenvectors of S, as all of these
    Vector2 slope;  ///< of the limit
    double limit;   ///< at p_t = 0
  };
  Vector2 solve_tangential(const Tangential& t) const;
  Vector2 slide(const Tangential& t) const;
  /// limit/‖p_t‖ − 1 at κ, nearly linear in κ, and its derivative.
  double excess(const Tangential& t, double kappa, double& derivative) const;
  Vector2 impulse(const Tangential& t, double kappa) const;

  ImpulseLaw law_;
  bool is_round_ = false;
  double normal_inertia_ = 0.0, tangential_inertia_ = 0.0;  ///< inverse of W, diagonal then
  double W_nn_ = 0.0;
  Vector2 W_tn_ = Vector2::Zero();
  Vector2 lambda_ = Vector2::Zero();  ///< eigenvalues of S = W_tt − W_tn W_nt / W_nn
  SmallMatrix<double, 2, 2> Q_ = SmallMatrix<double, 2, 2>::Identity();
};

}  // namespace picus
