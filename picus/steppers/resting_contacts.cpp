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
  RestingContacts(const System& system, std::span<const TouchingLaw> touches, const State& state)
      : system_(system), free_(state) {
    const SystemSizes n = system.sizes();
    if (n.friction_elements > 0) system.friction_limits(state, limits_);
    for (const TouchingLaw& touch : touches) {
      Resting contact{.gap = n.joints() + touch.law, .law = system.contact_law(touch.law)};
      if (touch.law >= n.contacts) {
        contact.gap = -1;
        contact.law.friction = 1.0;
        contact.limit = std::max(0.0, limits_(touch.law - n.contacts));
      }
      contact.slides = touch.slides && contact.law.friction > 0.0;
      contact.against = -touch.direction;
      contacts_.push_back(contact);
    }
  }

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
  Vector limits_;
  std::vector<Resting> contacts_;
  ContactProblem problem_;
};

}  // namespace

std::vector<TouchingLaw> find_touches(const System& system, const State& state) {
  const SystemSizes n = system.sizes();
  std::vector<TouchingLaw> touches;
  Vector gap, rate, slip;
  system.constraint(state, gap);
  system.constraint_velocity(state, rate);
  system.nonholonomic(state, slip);
  const double near = kAtRest * (1.0 + max_abs(state.position));
  const double slow = kAtRest * (1.0 + max_abs(state.velocity));
  for (int j = 0; j < n.laws(); ++j) {
    const int row = n.joints() + j;
    if (j < n.contacts && (gap(row) > near || std::abs(rate(row)) > slow)) continue;
    const ContactLaw law = system.contact_law(j);
    TouchingLaw touch{.law = j};
    for (int i = 0; i < law.slips; ++i)
      touch.direction(i) = slip(law.first_slip + i);
    touch.slides = touch.direction.norm() > slow;
    if (touch.slides) touch.direction.normalize();
    touches.push_back(touch);
  }
  return touches;
}

bool solve_reactions(const System& system, std::span<const TouchingLaw> touches, State& state) {
  if (touches.empty()) return true;
  const State given = state;
  if (RestingContacts(system, touches, state).solve(state)) return true;
  state = given;
  return false;
}

bool solve_resting_contacts(const System& system, State& state) {
  if (system.sizes().laws() == 0 || !system.has_linear_reactions()) return true;
  return solve_reactions(system, find_touches(system, state), state);
}

}  // namespace picus
