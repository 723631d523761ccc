// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Impulses of contacts within a step whose smooth part is linear in the new velocity:
//
//   v = v_free + A⁻¹ Jᵀ p        u = J v = W p + J v_free,   W = J A⁻¹ Jᵀ (Delassus)
//
// where A may be bordered by joints, and u obeys the laws of impact and friction.

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "picus/dynamics/system.h"
#include "picus/math/block_matrix.h"
#include "picus/solvers/contact_catalog.h"
#include "picus/solvers/poisson_impact.h"
#include "picus/solvers/sized_contact_solver.h"
#include "picus/steppers/common/contact_response.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// The velocities and directions of all contacts of a system at one place.
struct ContactMotion {
  Vector gap_rate, slip;  ///< equations g and k of the system at velocity level, all of them
  SparseMatrix gap_rows, slip_rows;  ///< their derivatives by v

  void evaluate_rates(const System& system, const State& s);
  void evaluate_directions(const System& system, const State& s);
};

/// The contacts in the steps of an ImpulseStepper. In each step:
///
///     active() and activate_friction()          which of them may act
///     solve(matrix, free, before, span)         once for each iterate of the smooth forces
///     add_response(x), add_reaction(f, …, y)    what the impulses found do to the motion
///
/// start() once for a system, and follow() whenever its list of contacts changes.
class ContactImpulses {
 public:
  explicit ContactImpulses(std::unique_ptr<ContactSolver> solver) : solver_(std::move(solver)) {}

  void start(const System& system);
  /// The list of contacts has changed: impulses that are remembered for warm starts follow theirs.
  void follow(const System& system, const ContactChange& change);

  /// Contacts that may act in the step under way, ascending.
  std::vector<int>& active() { return active_; }
  bool any() const { return !active_.empty(); }
  /// Lets all friction elements act, after the contacts, with their limits at `s` times `span`.
  void activate_friction(const System& system, const State& s, double span);
  /// Those of active() that are contacts.
  std::span<const int> active_contacts() const;
  /// The largest impulses of friction elements in the step under way.
  const Vector& friction_limit() const { return friction_limit_; }
  void set_friction_limit(const Vector& limit) { friction_limit_ = limit; }
  /// What they would be under these impulses of joints, where activate_friction() looked.
  void limits_under(const System& system, const Eigen::Ref<const Vector>& joints, double span,
                    Vector& limit);

  /// Finds the impulses for the free velocities `free` and the velocities `before` a step of `span`
  /// seconds. `matrix` begins with the block of velocities.
  ContactReport solve(const BlockMatrix& matrix, const ContactMotion& free,
                      const ContactMotion& before, double span);

  /// See ContactSolver.
  void set_search_effort(SearchEffort effort) { solver_->set_search_effort(effort); }

  /// Adds A⁻¹ Jᵀ p; `x` has the size of the matrix of solve(), which is as it was then.
  void add_response(Vector& x) const { response_.add(total(), x); }

  /// y += factor Jᵀ p; `y` begins with velocities.
  void add_reaction(double factor, const ContactMotion& motion, Vector& y) const;

  /// contact_residual() of the impulses found, for velocities at the end of the step that came out
  /// elsewhere than where the problem was stated. `speed` has the sizes |v| of the velocities that
  /// the motions are differences of: what their rounding leaves of a law is nothing.
  double residual(const ContactMotion& after, const ContactMotion& before, const Vector& speed);

  /// The equation of the contact that is farthest from its law, after solve().
  std::pair<Equation, int> worst() const;

  /// Impulses in the places of equations g and k; those of other equations are left alone.
  void put(Vector& constraint_impulse, Vector& nonholonomic_impulse) const;

  /// What contact i of active() does; after solve().
  ContactMode mode(int i) const { return contact_mode(problem(), i, impulse()); }
  /// What all contacts and friction elements do; those that may not act are open. Slips below
  /// `none` of the largest velocity of the problem are none.
  void modes(double none, std::vector<LawMode>& all) const;
  /// Whether the impulses change a velocity of a contact by more than forces over the step could:
  /// an impact.
  bool has_impact() const;

  /// Restitutions e act as eˣ from now on, studer-leine-glocker §8.2; start() sets x to 1.
  void raise_restitution(double exponent);
  /// The restitution of one contact is e from now on, whatever its law says.
  void set_restitution(int contact, double e) {
    const auto j = static_cast<std::size_t>(contact);
    (is_poisson(j) ? expansion_ : restitution_)[j] = e;
  }

 private:
  struct Row {
    bool is_slip;
    int index;  ///< equation of the system
  };
  Row row(int i, int direction) const;
  bool is_friction(int i) const { return active_[static_cast<std::size_t>(i)] >= sizes_.contacts; }
  /// Of the rows 3i, 3i + 1, 3i + 2: friction elements have no normal one.
  int first_direction(int i) const { return is_friction(i) ? 1 : 0; }
  int directions(int i) const { return 1 + law(i).slips; }
  const ContactLaw& law(int i) const {
    return laws_[static_cast<std::size_t>(active_[static_cast<std::size_t>(i)])];
  }
  /// The largest change of a velocity of an active contact by forces.
  double change_by_forces(const ContactMotion& free, const ContactMotion& before) const;
  /// A problem and its solution.
  struct Work {
    ContactProblem problem;
    Vector impulse;
    Vector terms;  ///< the sizes of what velocities of contacts are sums of
    Vector total;  ///< with what Poisson's law has given beside the impulse of the problem
  };
  const ContactProblem& problem() const { return works_[work_]->problem; }
  const Vector& impulse() const { return works_[work_]->impulse; }
  const Vector& total() const { return has_poisson_ ? works_[work_]->total : impulse(); }
  bool is_poisson(std::size_t contact) const { return laws_[contact].is_poisson; }

  void read_laws(const System& system);
  /// A velocity as the law sees it: after + e before.
  double law_velocity(int i, int direction, const ContactMotion& after,
                      const ContactMotion& before) const;
  /// The guess is what is remembered times `growth`.
  void state_problem(const ContactMotion& free, const ContactMotion& before, double growth);
  void respond(const BlockMatrix& matrix, const ContactMotion& motion);
  void guess_driven_friction();
  ContactReport solve_by_poisson(const ContactMotion& before);
  /// Visits the entries of J as row of the problem, velocity and value; after respond().
  template <class Visit>
  void for_each_direction(const ContactMotion& motion, Visit&& visit) const;

  std::unique_ptr<ContactSolver> solver_;
  SystemSizes sizes_;
  std::vector<ContactLaw> laws_;
  std::vector<int> active_;  ///< contacts, then friction elements
  Vector friction_limit_;
  State limits_from_;                ///< where limits that read reactions are seen
  double exponent_ = 1.0;            ///< of restitutions
  std::vector<double> restitution_;  ///< of laws_, raised to it; Newton's
  std::vector<double> expansion_;    ///< the same of Poisson's law
  bool has_poisson_ = false;
  PoissonImpact poisson_;
  Vector before_;                                  ///< in the rows of the problem, for it
  std::vector<double> parts_;                      ///< its e, for each active contact
  std::vector<int> place_of_gap_, place_of_slip_;  ///< equation → row of the problem, or -1
  /// By active contacts, the last for all more; made when they are met first.
  std::array<std::unique_ptr<Work>, kKeptContacts + 2> works_;
  std::size_t work_ = 0;  ///< the one under way
  ContactResponse response_;
  double by_forces_ = 0.0;          ///< what they did to velocities of contacts, see has_impact()
  std::vector<double> remembered_;  ///< three per contact of the system, for warm starts
  double remembered_span_ = 0.0;    ///< of the step they were found in [s]; 0 before the first
  std::vector<double> forgotten_;
};

}  // namespace picus
