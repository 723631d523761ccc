// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "picus/base/contact_mode.h"
#include "picus/base/fields.h"
#include "picus/math/block_matrix3.h"
#include "picus/math/types.h"

namespace picus {

enum class ContactKind {
  kContact,  ///< a unilateral contact with Coulomb friction
  kFriction  ///< friction alone, with a limit that does not depend on the solution
};

/// The law of one contact.
struct ImpulseLaw {
  ContactKind kind = ContactKind::kContact;
  /// kContact: coefficient of friction μ, 0 for none. kFriction: the largest ‖p_t‖ [N s].
  double coefficient = 0.0;
};

/// Find impulses p and velocities u = W p + b such that every contact obeys its law.
///
/// Contact i owns the rows 3i (normal), 3i+1 and 3i+2 (tangents). With K = {‖p_t‖ ≤ μ p_n} and its
/// dual cone K* a kContact obeys the law of Coulomb in the form of De Saxcé,
///
///     K* ∋ u + μ‖u_t‖ n  ⊥  p ∈ K,
///
/// that is: 0 ≤ u_n ⊥ p_n ≥ 0, and p_t opposes sliding with μ p_n or prevents it with less. A
/// kFriction obeys the second half alone with ‖p_t‖ ≤ limit; its normal row takes no part, p_n = 0.
///
/// W is symmetric and positive semidefinite. Restitution is already inside b. The third row and
/// column of a planar contact are zero, and so is its entry of b.
struct ContactProblem {
  BlockMatrix3 W;                ///< [1/kg]
  Vector b;                      ///< [m/s]
  std::vector<ImpulseLaw> laws;  ///< one per contact
  double speed = 0.0;            ///< [m/s] of which residuals are parts; 0: the largest in b

  int contacts() const { return static_cast<int>(laws.size()); }
  const ImpulseLaw& law(int contact) const { return laws[static_cast<std::size_t>(contact)]; }
  double residual_speed() const { return speed > 0.0 ? speed : max_abs(b); }
  /// Three entries of u = W p + b.
  Vector3 velocity(int contact, const Vector& p) const {
    return W.row_times(contact, p) + b.segment<3>(3 * contact);
  }
};

/// Whether all contacts are those of the plane.
inline bool is_planar(const ContactProblem& problem) {
  for (int i = 0; i < problem.contacts(); ++i)
    if (problem.W.diagonal(i)(2, 2) != 0.0) return false;
  return true;
}

/// The size ρ_i [kg] of the impulse that changes the velocity of a contact by one: the inverse of
/// the mean of the positive diagonal entries of W_ii; 1 when there are none.
double contact_inertia(const ContactProblem& problem, int contact);

/// How far p is from a solution; zero, up to the rounding of p, if and only if p solves the
/// problem. One measure for all solvers: the natural map of the law of De Saxcé, as a velocity,
/// relative to the largest given velocity (or to `speed`, for a part of a larger problem),
///
///     max_i ‖p_i − proj_K(p_i − ρ_i (u_i + μ_i‖u_ti‖ n))‖ / ρ_i / ‖b‖_∞,
///
/// with the disc ‖p_t‖ ≤ limit in place of K, and p_n itself, for kFriction. It does not depend on
/// the units of mass, length and time: 1e-8 is the hundred-millionth part of the largest velocity
/// for light and heavy bodies. NaN when anything is.
double contact_residual(const ContactProblem& problem, const Vector& p);

/// The same for one contact, as a velocity: without the division by ‖b‖_∞.
double contact_violation(const ContactProblem& problem, int contact, const Vector3& p,
                         const Vector3& u);

/// The mode of a contact at a solution.
ContactMode contact_mode(const ContactProblem& problem, int contact, const Vector& p);

}  // namespace picus
