// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/resting_contacts.h"

#include <cmath>
#include <vector>

#include "picus/dynamics/consistent_state.h"
#include "picus/math/decompositions.h"

namespace picus {
namespace {

// Gaps, gap rates and slips below this, relative to 1 + positions or velocities, are zero.
constexpr double kAtRest = 1e-9;
// Of the problem in accelerations and forces.
constexpr double kReactionTolerance = 1e-10;
constexpr int kReactionIterations = 1000;
// Of limits that reactions add to.
constexpr double kReactionLimitTolerance = 1e-9;
// Part of the mobility of free bodies below which a contact cannot be moved by its reaction.
constexpr double kImmovable = 1e-11;
// The same of combinations of contacts, of which each can be moved by itself.
constexpr double kFixed = 1e-9;
// Of 1 + accelerations: the rate of a slip that begins is larger.
constexpr double kSteady = 1e-8;

std::size_t row_at(Eigen::Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

struct RestingContacts::Resting {
  int gap;  ///< equation, -1 for a friction element
  ContactLaw law;
  double limit = 0.0;  ///< of a friction element
  int element = -1;
  double share = 1.0;  ///< of its limit that it may use
  bool slides = false;
  Vector2 against = Vector2::Zero();  ///< direction of friction while it slides
  bool is_driven = false;             ///< along a slip

  /// Reactions that are unknown; one that slides has its friction along with the normal one.
  int directions() const { return slides || law.friction == 0.0 ? 1 : 1 + law.slips; }
  bool is_element() const { return gap < 0; }
  int first_direction() const { return is_element() ? 1 : 0; }
  ImpulseLaw impulse_law() const {
    if (is_element()) return {ContactKind::kFriction, limit};
    return {ContactKind::kContact, directions() > 1 ? law.friction : 0.0};
  }
};

RestingContacts::RestingContacts() : reaction_limits_(kReactionLimitTolerance) {}

RestingContacts::~RestingContacts() = default;

void RestingContacts::start(const System& system) {
  const SystemSizes n = system.sizes();
  system_ = &system;
  joints_.emplace(system, first_rows(n.joints()), first_rows(n.rollings()));
  equations_.start(*joints_);
}

void RestingContacts::list(std::span<const TouchingLaw> touches, const State& state,
                           double friction) {
  const SystemSizes n = system_->sizes();
  contacts_.clear();
  if (n.friction_elements > 0) system_->friction_limits(state, limits_);
  for (const TouchingLaw& touch : touches) {
    Resting contact{.gap = n.joints() + touch.law, .law = system_->contact_law(touch.law)};
    if (touch.law >= n.contacts) {
      contact.gap = -1;
      contact.law.friction = 1.0;
      contact.element = touch.law - n.contacts;
      contact.limit = std::max(0.0, limits_(contact.element));
    }
    contact.slides = touch.slides && contact.law.friction > 0.0;
    contact.against = -touch.direction;
    if (!touch.slides) {
      contact.share = friction;
      (contact.is_element() ? contact.limit : contact.law.friction) *= friction;
    }
    contacts_.push_back(contact);
  }
}

bool RestingContacts::solve(std::span<const TouchingLaw> touches, State& state, double friction) {
  if (touches.empty()) return true;
  list(touches, state, friction);
  given_ = state;
  size_state(*system_, given_);
  given_.multiplier.tail(system_->sizes().contacts).setZero();
  given_.nonholonomic_multiplier.tail(system_->sizes().slips).setZero();
  full_ = given_;
  equations_.begin_step();
  if (!(system_->limits_read_reactions() ? solve_with_reactions() : solve_listed())) return false;
  state = full_;
  return true;
}

bool RestingContacts::keeps_rest() const {
  const double steady = kSteady * (1.0 + max_abs(full_.acceleration));
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Resting& contact = contacts_[i];
    const auto first = 3 * static_cast<Eigen::Index>(i) + 1;
    if (!contact.is_driven && u_.segment(first, contact.directions() - 1).norm() > steady)
      return false;
  }
  return true;
}

bool RestingContacts::solve_with_reactions() {
  limits_ = limits_.cwiseMax(0.0);
  reaction_limits_.start(limits_);
  for (;;) {
    if (!solve_listed()) return false;
    system_->friction_limits(full_, limits_);
    limits_ = limits_.cwiseMax(0.0);
    if (reaction_limits_.take(limits_)) return true;
    if (reaction_limits_.is_spent()) return false;
    for (Resting& contact : contacts_)
      if (contact.is_element())
        contact.limit = contact.share * reaction_limits_.now()(contact.element);
  }
}

bool RestingContacts::solve_listed() {
  const int count = static_cast<int>(contacts_.size());
  bool symmetric = true;
  p_.setZero(3 * count);
  if (!respond(p_, problem_.b)) return false;
  problem_.laws.clear();
  response_.setZero(3 * count, 3 * count);
  for (int i = 0; i < count; ++i) {
    const Resting& contact = contacts_[static_cast<std::size_t>(i)];
    symmetric = symmetric && (!contact.slides || contact.is_element());
    problem_.laws.push_back(contact.impulse_law());
    for (int d = contact.first_direction(); d < contact.directions(); ++d) {
      p_.setZero();
      p_(3 * i + d) = 1.0;
      if (!respond(p_, u_)) return false;
      response_.col(3 * i + d) = u_ - problem_.b;
    }
  }
  find_driven();
  if (symmetric && system_->has_forcing()) follow_driven();
  problem_.W.begin(count);
  for (int col = 0; col < 3 * count; ++col)
    for (int row = 0; row < 3 * count; ++row)
      if (response_(row, col) != 0.0) problem_.W.add(row, col, response_(row, col));
  problem_.W.end();
  p_.setZero();
  return solver(symmetric).solve(problem_, p_).ok() && respond(p_, u_);
}

// What is left of the response there is rounding. Without a reaction of its own such a contact
// stays as it is until its rate says otherwise.
void RestingContacts::find_driven() {
  const int count = static_cast<int>(contacts_.size());
  const SystemSizes n = system_->sizes();
  system_->mass_matrix(full_, M_);
  u_.setZero(n.velocities);
  M_.for_each([&](int row, int col, double value) {
    if (row == col) u_(row) = value;
  });
  mobility_.setZero(n.constraints + n.nonholonomic);
  const auto add = [&](const SparseMatrix& rows, int first) {
    rows.for_each([&](int row, int col, double value) {
      if (u_(col) > 0.0) mobility_(first + row) += value * value / u_(col);
    });
  };
  if (n.contacts > 0) {
    system_->constraint_jacobian(full_, G_);
    add(G_, 0);
  }
  if (n.slips > 0) {
    system_->nonholonomic_jacobian(full_, k_v_);
    add(k_v_, n.constraints);
  }
  for (int i = 0; i < count; ++i) {
    Resting& contact = contacts_[static_cast<std::size_t>(i)];
    for (int d = contact.first_direction(); d < contact.directions(); ++d) {
      const double free =
          mobility_(d == 0 ? contact.gap : n.constraints + contact.law.first_slip + d - 1);
      const int at = 3 * i + d;
      if (std::abs(response_(at, at)) > kImmovable * free) continue;
      response_.row(at).setZero();
      response_.col(at).setZero();
      response_(at, at) = free;
      contact.is_driven = contact.is_driven || d > 0;
      problem_.b(at) = 0.0;
    }
  }
}

// Motions may also determine a slip together with gaps that close: that of the corner of a box
// which is pinned to a driven cart. What no reactions can change of the accelerations, the null
// space of W, is not for friction to prevent, and is left out of the rates of slips.
void RestingContacts::follow_driven() {
  rows_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    for (int d = contacts_[i].first_direction(); d < contacts_[i].directions(); ++d)
      rows_.push_back(3 * static_cast<Eigen::Index>(i) + d);
  const auto count = static_cast<Eigen::Index>(rows_.size());
  if (count < 2) return;
  Matrix W(count, count);
  for (Eigen::Index r = 0; r < count; ++r)
    for (Eigen::Index c = 0; c < count; ++c)
      W(r, c) = response_(rows_[row_at(r)], rows_[row_at(c)]);
  const Vector scale = W.diagonal().cwiseMax(0.0).cwiseSqrt();
  if (scale.minCoeff() <= 0.0) return;
  W.array() /= (scale * scale.transpose()).array();
  const SymmetricModes modes = symmetric_modes(W);
  Eigen::Index fixed = 0;
  while (fixed < count && modes.values(fixed) <= kFixed)
    ++fixed;
  if (fixed == 0) return;
  Matrix slips = modes.vectors.leftCols(fixed);
  Vector rate(count);
  for (Eigen::Index r = 0; r < count; ++r) {
    rate(r) = problem_.b(rows_[row_at(r)]) / scale(r);
    if (rows_[row_at(r)] % 3 == 0) slips.row(r).setZero();
  }
  // the least change of slips that leaves nothing of it
  const SymmetricModes parts = symmetric_modes(Matrix(slips.transpose() * slips));
  const Vector left =
      parts.vectors.transpose() * (modes.vectors.leftCols(fixed).transpose() * rate);
  Vector change = Vector::Zero(count);
  for (Eigen::Index k = 0; k < fixed; ++k)
    if (parts.values(k) > kFixed)
      change += slips * parts.vectors.col(k) * (left(k) / parts.values(k));
  change.array() *= scale.array();
  const double steady = kSteady * (1.0 + max_abs(full_.acceleration));
  if (max_abs(change) <= steady) return;  // rounding
  for (Eigen::Index r = 0; r < count; ++r) {
    problem_.b(rows_[row_at(r)]) -= change(r);
    if (std::abs(change(r)) > steady) contacts_[row_at(rows_[row_at(r)] / 3)].is_driven = true;
  }
}

ContactSolver& RestingContacts::solver(bool is_symmetric) {
  if (is_symmetric && !symmetric_)
    symmetric_ = make_semismooth_newton(
        {.tolerance = kReactionTolerance, .max_iterations = kReactionIterations});
  if (!is_symmetric && !local_)
    local_ = make_nonsmooth_gauss_seidel(
        {.tolerance = kReactionTolerance, .max_iterations = kReactionIterations});
  return is_symmetric ? *symmetric_ : *local_;
}

bool RestingContacts::respond(const Vector& p, Vector& u) {
  const int count = static_cast<int>(contacts_.size());
  for (int i = 0; i < count; ++i) {
    const Resting& contact = contacts_[static_cast<std::size_t>(i)];
    if (!contact.is_element()) full_.multiplier(contact.gap) = p(3 * i);
    const double normal = contact.is_element() ? contact.limit : p(3 * i);
    for (int k = 0; k < contact.law.slips; ++k)
      full_.nonholonomic_multiplier(contact.law.first_slip + k) =
          contact.slides             ? contact.law.friction * normal * contact.against(k)
          : contact.directions() > 1 ? p(3 * i + 1 + k)
                                     : 0.0;
  }
  if (!solve_motion()) return false;
  system_->constraint_acceleration(full_, gap_);
  system_->nonholonomic_rate(full_, slip_);
  u.setZero(p.size());
  for (int i = 0; i < count; ++i) {
    const Resting& contact = contacts_[static_cast<std::size_t>(i)];
    if (!contact.is_element()) u(3 * i) = gap_(contact.gap);
    for (int d = 1; d < contact.directions(); ++d)
      u(3 * i + d) = slip_(contact.law.first_slip + d - 1);
  }
  return true;
}

// Joints that follow from others need the slower way.
bool RestingContacts::solve_motion() {
  joints_->hold(full_);
  joints_->reduce(full_, part_);
  StepReport report;
  if (equations_.solve(*joints_, part_, report)) {
    joints_->expand(part_, full_);
    return true;
  }
  ConsistencyOptions options;
  options.keep_contact_reactions = true;
  return solve_accelerations(*system_, full_, options).ok();
}

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

bool solve_resting_contacts(const System& system, State& state) {
  if (system.sizes().laws() == 0 || !system.has_linear_reactions()) return true;
  RestingContacts contacts;
  contacts.start(system);
  return contacts.solve(find_touches(system, state), state);
}

}  // namespace picus
