// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Poisson's law of restitution with Coulomb friction, in two phases as Pfeiffer and Glocker state
// it [PfeifferGlocker1996, §8]: compression ends an approach without restitution,
//
//   u_C = W p_C + u_0          0 ≤ u_n ⊥ p_n ≥ 0, and friction
//
// and expansion gives back the part e of the normal impulse, or more where that would not keep the
// contact from closing,
//
//   u_E = W (p_C + p_E) + b    0 ≤ u_n ⊥ p_n − e p_Cn ≥ 0, and friction ‖p_t‖ ≤ μ p_n.
//
// u_0 are the velocities before, b those that forces make of them over the step. At rest p_C = 0,
// and nothing is given back. Without friction a single contact has ġ⁺ = −e ġ⁻ as by Newton's law.
// In contrast to that law it gives no energy to the motion, whatever e ≤ 1 and μ are.

#include <span>
#include <vector>

#include "picus/solvers/contact_solver.h"

namespace picus {

class PoissonImpact {
 public:
  /// A contact of the problem that obeys another law.
  static constexpr double kOther = -1.0;

  /// `problem` has b as above, with the restitution of contacts that obey another law in it, and
  /// `before` is u_0. `parts` are the e of the contacts, or kOther. On exit the problem is that of
  /// the expansion and `p` solves it; the impulses of both phases are p + given().
  ContactReport solve(ContactSolver& solver, const Vector& before, std::span<const double> parts,
                      ContactProblem& problem, Vector& p);
  const Vector& given() const { return given_; }

 private:
  ContactReport compress(ContactSolver& solver, const Vector& before, ContactProblem& problem,
                         const Vector& guess);
  /// States the expansion with the contacts that part and those that are held.
  void state_expansion(ContactProblem& problem);
  /// Moves contacts that do not agree with their state to the other; false when all agree. One at
  /// a time where that is asked for.
  bool revise(const ContactProblem& problem, const Vector& p, bool one_by_one);

  std::vector<ImpulseLaw> laws_;  ///< as given
  std::vector<double> bound_;     ///< e p_Cn, or 0
  std::vector<char> parts_;       ///< whether the contact separates, with p_n at its bound
  Vector compression_, given_, after_forces_;
};

}  // namespace picus
