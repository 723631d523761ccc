// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/resting_contacts.h"

#include <vector>

#include "picus/dynamics/consistent_state.h"
#include "picus/solvers/contact_catalog.h"
#include "picus/solvers/contact_cone.h"

namespace picus {
namespace {

// Gaps, gap rates and slips below this, relative to 1 + positions or velocities, are zero.
constexpr double kAtRest = 1e-9;

struct Resting {
  int gap;  ///< equation, -1 for a friction element
  ContactLaw law;
  double limit = 0.0;  ///< of a friction element
  bool slides = false;
  Vector2 against = Vector2::Zero();  ///< direction of friction while it slides

  /// Reactions that are unknown; one that slides has its friction along with the normal one.
  int directions() const { return slides || law.friction == 0.0 ? 1 : 1 + law.slips; }
  bool is_element() const { return gap < 0; }
  int first_direction() const { return is_element() ? 1 : 0; }
  ImpulseLaw impulse_law() const {
    if (is_element()) return {ContactKind::kFriction, limit};
    return {ContactKind::kContact, directions() > 1 ? law.friction : 0.0};
  }
};

// u = W p + b in accelerations and forces, by unit forces on the equations of motion.
class RestingContacts {
 public:
  RestingContacts(const System& system, const State& state) : system_(system), free_(state) {
    find();
  }

  bool any() const { return !contacts_.empty(); }

  bool solve(State& state) {
    const int count = static_cast<int>(contacts_.size());
    bool symmetric = true;
    Vector p = Vector::Zero(3 * count), u;
    if (!respond(p, state, problem_.b)) return false;
    problem_.W.begin(count);
    for (int i = 0; i < count; ++i) {
      const Resting& contact = at(i);
      symmetric = symmetric && (!contact.slides || contact.is_element());
      problem_.laws.push_back(contact.impulse_law());
      for (int d = contact.first_direction(); d < contact.directions(); ++d) {
        p.setZero();
        p(3 * i + d) = 1.0;
        if (!respond(p, state, u)) return false;
        for (int row = 0; row < 3 * count; ++row)
          problem_.W.add(row, 3 * i + d, u(row) - problem_.b(row));
      }
    }
    problem_.W.end();
    p.setZero();
    // sliding contacts make W unsymmetric, which only the local solver does not mind
    const auto solver =
        make_contact_solver(symmetric ? "semismooth_newton" : "nonsmooth_gauss_seidel",
                            {{"tolerance", "1e-10"}, {"max_iterations", "1000"}});
    return solver->solve(problem_, p).ok() && respond(p, state, u);
  }

 private:
  const Resting& at(int i) const { return contacts_[static_cast<std::size_t>(i)]; }

  void find() {
    const SystemSizes n = system_.sizes();
    Vector gap, rate, slip;
    system_.constraint(free_, gap);
    system_.constraint_velocity(free_, rate);
    system_.nonholonomic(free_, slip);
    const double near = kAtRest * (1.0 + max_abs(free_.position));
    const double slow = kAtRest * (1.0 + max_abs(free_.velocity));
    for (int j = 0; j < n.contacts; ++j) {
      const int row = n.joints() + j;
      if (gap(row) > near || std::abs(rate(row)) > slow) continue;
      add({.gap = row, .law = system_.contact_law(j)}, slip, slow);
    }
    Vector limits;
    system_.friction_limits(free_, limits);
    for (int j = 0; j < n.friction_elements; ++j) {
      Resting element{.gap = -1, .law = system_.contact_law(n.contacts + j)};
      element.law.friction = 1.0;
      element.limit = std::max(0.0, limits(j));
      add(element, slip, slow);
    }
  }

  void add(Resting contact, const Vector& slip, double slow) {
    for (int i = 0; i < contact.law.slips; ++i)
      contact.against(i) = -slip(contact.law.first_slip + i);
    contact.slides = contact.law.friction > 0.0 && contact.against.norm() > slow;
    if (contact.slides) contact.against.normalize();
    contacts_.push_back(contact);
  }

  // The accelerations u of the contacts under reactions p; `state` has them all.
  bool respond(const Vector& p, State& state, Vector& u) {
    state = free_;
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
      const Resting& contact = at(i);
      if (!contact.is_element()) state.multiplier(contact.gap) = p(3 * i);
      const double normal = contact.is_element() ? contact.limit : p(3 * i);
      for (int k = 0; k < contact.law.slips; ++k)
        state.nonholonomic_multiplier(contact.law.first_slip + k) =
            contact.slides             ? contact.law.friction * normal * contact.against(k)
            : contact.directions() > 1 ? p(3 * i + 1 + k)
                                       : 0.0;
    }
    ConsistencyOptions options;
    options.keep_contact_reactions = true;
    if (!solve_accelerations(system_, state, options).ok()) {
      state = free_;
      return false;
    }
    Vector gap, slip;
    system_.constraint_acceleration(state, gap);
    system_.nonholonomic_rate(state, slip);
    u.setZero(p.size());
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
      if (!at(i).is_element()) u(3 * i) = gap(at(i).gap);
      for (int d = 1; d < at(i).directions(); ++d)
        u(3 * i + d) = slip(at(i).law.first_slip + d - 1);
    }
    return true;
  }

  const System& system_;
  const State free_;
  std::vector<Resting> contacts_;
  ContactProblem problem_;
};

}  // namespace

bool solve_resting_contacts(const System& system, State& state) {
  if (system.sizes().laws() == 0 || !system.has_linear_reactions()) return true;
  const State given = state;
  RestingContacts contacts(system, state);
  if (!contacts.any() || contacts.solve(state)) return true;
  state = given;
  return false;
}

}  // namespace picus
