// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "picus/dynamics/independent_constraints.h"
#include "picus/solvers/contact_solver.h"
#include "picus/steppers/common/index_one.h"
#include "picus/steppers/common/reaction_limits.h"

namespace picus {

/// A contact without gap and gap rate, or a friction element.
struct TouchingLaw {
  int law = 0;          ///< as System::contact_law counts
  bool slides = false;  ///< has a slip; one at rest has no mode yet: it sticks, slips or opens
  Vector2 direction = Vector2::Zero();  ///< of the slip while it slides
  Vector2 slip_left = Vector2::Zero();  ///< of one that has just come to rest, see PhaseMode
};

/// What touches at this state, up to rounding.
std::vector<TouchingLaw> find_touches(const System& system, const State& state);

/// The accelerations and reactions that go with the laws of what touches; all other contacts have
/// no reaction. Solves u = W p + b in accelerations u and forces p of the contacts, W by unit
/// forces on the equations of motion.
///
/// Keeps its memory, so that the next problem of the same size needs no other.
class RestingContacts {
 public:
  RestingContacts();
  ~RestingContacts();
  /// The system must outlive this, or the next start.
  void start(const System& system);
  /// False when there are none; then the state is left alone. `friction` is the part of its limit
  /// that friction of what rests may use.
  bool solve(std::span<const TouchingLaw> touches, State& state, double friction = 1.0);
  /// Whether nothing that rested begins to slip in the solution.
  bool keeps_rest() const;

 private:
  struct Resting;
  void list(std::span<const TouchingLaw> touches, const State& state, double friction);
  bool solve_listed();
  /// The same where limits follow from the reactions found.
  bool solve_with_reactions();
  ContactSolver& solver(bool is_symmetric);
  /// Directions in which nothing but joints and motions decides, and no reaction does.
  void find_driven();
  /// The same for combinations of contacts.
  void follow_driven();
  /// The accelerations u of the contacts under reactions p; full_ becomes the state that has them.
  bool respond(const Vector& p, Vector& u);
  bool solve_motion();

  const System* system_ = nullptr;
  std::optional<IndependentConstraints> joints_;  ///< of the system; contacts are forces
  IndexOne equations_;
  State given_, full_, part_;
  ReactionLimits reaction_limits_;
  Vector limits_, gap_, slip_, p_, u_, mobility_;
  SparseMatrix M_, G_, k_v_;
  Matrix response_;
  std::vector<Eigen::Index> rows_;  ///< of directions that have a reaction
  std::vector<Resting> contacts_;
  ContactProblem problem_;
  /// Made when they are needed. Sliding contacts make W unsymmetric, which only the local solver
  /// does not mind.
  std::unique_ptr<ContactSolver> symmetric_, local_;
};

/// The accelerations and reactions of a consistent state (make_consistent) whose contacts may be
/// closed: for contacts without gap and gap rate
///
///     0 ≤ g̈ ⊥ λ ≥ 0,
///
/// and Coulomb's law, ψ = -μ λ k/‖k‖ where they slide and ‖ψ‖ ≤ μ λ or k̇ along -ψ where they do
/// not. Contacts that approach the ground are left to the impact of the first step.
///
/// False when no reactions were found, as in Painlevé's paradox: then the state is left alone.
bool solve_resting_contacts(const System& system, State& state);

}  // namespace picus
