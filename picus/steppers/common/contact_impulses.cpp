// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/contact_impulses.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

// Times what forces do to velocities of contacts in a step: more is the work of an impact. At rest
// impulses do just as much, and friction may add to that.
constexpr double kImpactOverForces = 3.0;
// Velocities that others drive, below this part of 1 + the largest one, are rounding.
constexpr double kRoundingSpeed = 1e-13;
// Of sums of velocities, relative to their terms.
constexpr double kSumRounding = 16.0 * std::numeric_limits<double>::epsilon();

}  // namespace

void ContactMotion::evaluate_rates(const System& system, const State& s) {
  system.constraint_velocity(s, gap_rate);
  if (system.sizes().nonholonomic > 0) system.nonholonomic(s, slip);
}

void ContactMotion::evaluate_directions(const System& system, const State& s) {
  system.constraint_jacobian(s, gap_rows);
  if (system.sizes().nonholonomic > 0) system.nonholonomic_jacobian(s, slip_rows);
}

void ContactImpulses::start(const System& system) {
  read_laws(system);
  remembered_.assign(3 * laws_.size(), 0.0);
  remembered_span_ = 0.0;
}

void ContactImpulses::follow(const System& system, const ContactChange& change) {
  read_laws(system);
  forgotten_.swap(remembered_);
  remembered_.assign(3 * laws_.size(), 0.0);
  for (std::size_t i = 0; i < change.contacts.size(); ++i)
    if (change.contacts[i] >= 0)
      std::copy_n(forgotten_.begin() + 3 * change.contacts[i], 3,
                  remembered_.begin() + static_cast<std::ptrdiff_t>(3 * i));
  std::copy_n(forgotten_.end() - 3 * sizes_.friction_elements, 3 * sizes_.friction_elements,
              remembered_.end() - 3 * sizes_.friction_elements);
}

void ContactImpulses::read_laws(const System& system) {
  sizes_ = system.sizes();
  laws_.clear();
  for (int j = 0; j < sizes_.laws(); ++j)
    laws_.push_back(system.contact_law(j));
  exponent_ = 1.0;
  restitution_.clear();
  expansion_.clear();
  has_poisson_ = false;
  for (const ContactLaw& each : laws_) {
    restitution_.push_back(each.is_poisson ? 0.0 : each.restitution);
    expansion_.push_back(each.is_poisson ? each.restitution : PoissonImpact::kOther);
    has_poisson_ = has_poisson_ || each.is_poisson;
  }
  active_.clear();
  active_.reserve(laws_.size());
  friction_limit_ = Vector::Zero(sizes_.friction_elements);
}

void ContactImpulses::activate_friction(const System& system, const State& s, double span) {
  if (sizes_.friction_elements == 0) return;
  system.friction_limits(s, friction_limit_);
  friction_limit_ = span * friction_limit_.cwiseMax(0.0);
  for (int j = sizes_.contacts; j < sizes_.laws(); ++j)
    active_.push_back(j);
  if (system.limits_read_reactions()) {
    limits_from_ = s;
    size_state(system, limits_from_);
  }
}

void ContactImpulses::limits_under(const System& system, const Eigen::Ref<const Vector>& joints,
                                   double span, Vector& limit) {
  limits_from_.multiplier.head(sizes_.joints()) = joints / span;
  system.friction_limits(limits_from_, limit);
  limit = span * limit.cwiseMax(0.0);
}

std::span<const int> ContactImpulses::active_contacts() const {
  const auto end = std::lower_bound(active_.begin(), active_.end(), sizes_.contacts);
  return std::span(active_).first(static_cast<std::size_t>(end - active_.begin()));
}

ContactImpulses::Row ContactImpulses::row(int i, int direction) const {
  if (direction == 0) return {false, sizes_.joints() + active_[static_cast<std::size_t>(i)]};
  return {true, law(i).first_slip + direction - 1};
}

ContactReport ContactImpulses::solve(const BlockMatrix& matrix, const ContactMotion& free,
                                     const ContactMotion& before, double span) {
  // few contacts are found from any guess
  const bool is_scaled =
      active_.size() > static_cast<std::size_t>(kKeptContacts) && remembered_span_ > 0.0;
  state_problem(free, before, is_scaled ? span / remembered_span_ : 1.0);
  remembered_span_ = span;
  respond(matrix, free);
  Vector& impulse = works_[work_]->impulse;
  const ContactReport report =
      has_poisson_ ? solve_by_poisson(before) : solver_->solve(problem(), impulse);
  for (std::size_t i = 0; i < active_.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      remembered_[3 * static_cast<std::size_t>(active_[i]) + d] =
          total()(static_cast<int>(3 * i + d));
  by_forces_ = change_by_forces(free, before);
  return report;
}

ContactReport ContactImpulses::solve_by_poisson(const ContactMotion& before) {
  const int count = static_cast<int>(active_.size());
  before_.setZero(3 * count);
  parts_.clear();
  for (int i = 0; i < count; ++i) {
    parts_.push_back(expansion_[static_cast<std::size_t>(active_[static_cast<std::size_t>(i)])]);
    for (int d = first_direction(i); d < directions(i); ++d) {
      const auto [is_slip, index] = row(i, d);
      before_(3 * i + d) = (is_slip ? before.slip : before.gap_rate)(index);
    }
  }
  Work& work = *works_[work_];
  const ContactReport report =
      poisson_.solve(*solver_, before_, parts_, work.problem, work.impulse);
  work.total = work.impulse + poisson_.given();
  return report;
}

double ContactImpulses::change_by_forces(const ContactMotion& free,
                                         const ContactMotion& before) const {
  double largest = 0.0;
  for (int i = 0; i < static_cast<int>(active_.size()); ++i)
    for (int d = first_direction(i); d < directions(i); ++d) {
      const auto [is_slip, index] = row(i, d);
      const double change = is_slip ? free.slip(index) - before.slip(index)
                                    : free.gap_rate(index) - before.gap_rate(index);
      largest = std::max(largest, std::abs(change));
    }
  return largest;
}

bool ContactImpulses::has_impact() const {
  double by_impulses = 0.0;
  for (int i = 0; i < static_cast<int>(active_.size()); ++i)
    by_impulses = std::max(by_impulses, problem().W.row_times(i, total()).norm());
  return by_impulses > kImpactOverForces * by_forces_;
}

double ContactImpulses::law_velocity(int i, int direction, const ContactMotion& after,
                                     const ContactMotion& before) const {
  const auto [is_slip, index] = row(i, direction);
  if (is_slip) return after.slip(index) + law(i).tangential_restitution * before.slip(index);
  const double e = restitution_[static_cast<std::size_t>(active_[static_cast<std::size_t>(i)])];
  return after.gap_rate(index) + e * before.gap_rate(index);
}

// b = J v_free + e J v_before, in the normal direction and along the slips.
void ContactImpulses::state_problem(const ContactMotion& free, const ContactMotion& before,
                                    double growth) {
  const int count = static_cast<int>(active_.size());
  work_ = std::min(active_.size(), works_.size() - 1);
  if (!works_[work_]) works_[work_] = std::make_unique<Work>();
  auto& [problem, impulse, terms, total] = *works_[work_];
  problem.laws.resize(active_.size());
  resize(problem.b, 3 * count);
  resize(impulse, 3 * count);
  resize(terms, 3 * count);
  if (has_poisson_) resize(total, 3 * count);
  problem.b.setZero();
  for (int i = 0; i < count; ++i) {
    const ContactLaw& contact = law(i);
    problem.laws[static_cast<std::size_t>(i)] =
        is_friction(i)
            ? ImpulseLaw{ContactKind::kFriction,
                         friction_limit_(active_[static_cast<std::size_t>(i)] - sizes_.contacts)}
            : ImpulseLaw{ContactKind::kContact, contact.friction};
    for (int d = first_direction(i); d < directions(i); ++d)
      problem.b(3 * i + d) = law_velocity(i, d, free, before);
    for (int d = 0; d < 3; ++d)
      impulse(3 * i + d) =
          growth *
          remembered_[static_cast<std::size_t>(3 * active_[static_cast<std::size_t>(i)] + d)];
  }
}

void ContactImpulses::respond(const BlockMatrix& matrix, const ContactMotion& motion) {
  place_of_gap_.assign(static_cast<std::size_t>(sizes_.constraints), -1);
  place_of_slip_.assign(static_cast<std::size_t>(sizes_.nonholonomic), -1);
  for (int i = 0; i < static_cast<int>(active_.size()); ++i) {
    for (int d = first_direction(i); d < directions(i); ++d) {
      const auto [is_slip, index] = row(i, d);
      (is_slip ? place_of_slip_ : place_of_gap_)[static_cast<std::size_t>(index)] = 3 * i + d;
    }
  }
  response_.begin(static_cast<int>(active_.size()));
  response_.add_rows(motion.gap_rows, place_of_gap_);
  if (sizes_.slips > 0) response_.add_rows(motion.slip_rows, place_of_slip_);
  ContactProblem& problem = works_[work_]->problem;
  Vector& impulse = works_[work_]->impulse;
  response_.fill(matrix, problem.W);
  // what is driven by nothing but rounding rests
  const double nothing = kRoundingSpeed * (1.0 + max_abs(problem.b));
  for (const auto& [row, response] : response_.driven())
    if (std::abs(problem.b(row)) <= nothing) problem.b(row) = impulse(row) = 0.0;
  guess_driven_friction();
}

// A motion prescribes all slips of the element, so its friction changes no velocity, and any value
// would solve the problem to its tolerance. The law says which: the limit, against the slip. The
// solver starts there and stays.
void ContactImpulses::guess_driven_friction() {
  const std::span<const ContactResponse::Driven> driven = response_.driven();
  const ContactProblem& problem = works_[work_]->problem;
  for (auto first = driven.begin(); first != driven.end();) {
    const int i = first->row / 3;
    const auto last =
        std::find_if(first, driven.end(), [i](const auto& it) { return it.row / 3 != i; });
    if (is_friction(i) && last - first == directions(i) - first_direction(i)) {
      const Vector2 slip = problem.b.segment<2>(3 * i + 1);
      works_[work_]->impulse.segment<2>(3 * i + 1) =
          -problem.law(i).coefficient * slip.stableNormalized();
    }
    first = last;
  }
}

template <class Visit>
void ContactImpulses::for_each_direction(const ContactMotion& motion, Visit&& visit) const {
  const auto walk = [&](const SparseMatrix& rows, const std::vector<int>& place) {
    rows.for_each([&](int row, int col, double value) {
      const int at = place[static_cast<std::size_t>(row)];
      if (at >= 0) visit(at, col, value);
    });
  };
  walk(motion.gap_rows, place_of_gap_);
  if (sizes_.slips > 0) walk(motion.slip_rows, place_of_slip_);
}

void ContactImpulses::add_reaction(double factor, const ContactMotion& motion, Vector& y) const {
  for_each_direction(
      motion, [&](int at, int col, double value) { y(col) += factor * value * total()(at); });
}

double ContactImpulses::residual(const ContactMotion& after, const ContactMotion& before,
                                 const Vector& speed) {
  const int count = static_cast<int>(active_.size());
  Vector& terms = works_[work_]->terms;
  terms.setZero();
  for_each_direction(
      after, [&](int at, int col, double value) { terms(at) += std::abs(value) * speed(col); });
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    Vector3 u = Vector3::Zero();
    for (int d = first_direction(i); d < directions(i); ++d)
      u(d) = law_velocity(i, d, after, before);
    const double miss = contact_violation(problem(), i, impulse().segment<3>(3 * i), u);
    if (miss > kSumRounding * terms.segment<3>(3 * i).maxCoeff()) worst = std::max(worst, miss);
  }
  return worst / std::max(max_abs(problem().b), std::numeric_limits<double>::min());
}

std::pair<Equation, int> ContactImpulses::worst() const {
  int which = 0;
  double most = -1.0;
  for (int i = 0; i < static_cast<int>(active_.size()); ++i) {
    const double violation = contact_violation(problem(), i, impulse().segment<3>(3 * i),
                                               problem().velocity(i, impulse()));
    if (violation > most) {
      most = violation;
      which = i;
    }
  }
  const Row at = row(which, first_direction(which));
  return {at.is_slip ? Equation::kNonholonomic : Equation::kConstraint, at.index};
}

// Where friction that nothing determines leaves a contact on the edge of its cone, as two edges
// that jam a sleeve or the corners of a box at rest, it slips by projections and sticks by its
// velocity: the law says stick.
void ContactImpulses::modes(double none, std::vector<LawMode>& all) const {
  all.assign(laws_.size(), LawMode{});
  const double no_slip = active_.empty() ? 0.0 : none * max_abs(problem().b);
  for (int i = 0; i < static_cast<int>(active_.size()); ++i) {
    LawMode& one = all[static_cast<std::size_t>(active_[static_cast<std::size_t>(i)])];
    one.mode = mode(i);
    // by Poisson's law one that parts has its normal impulse, and friction is what is left to find
    if (law(i).slips == 0 && one.mode != ContactMode::kOpen) one.mode = ContactMode::kClosed;
    if (one.mode == ContactMode::kSlip &&
        problem().velocity(i, impulse()).tail<2>().norm() <= no_slip)
      one.mode = ContactMode::kStick;
    if (one.mode != ContactMode::kSlip || law(i).slips != 1) continue;
    const double friction = impulse()(3 * i + 1);
    one.side = friction > 0.0 ? 1 : friction < 0.0 ? -1 : 0;
  }
}

void ContactImpulses::raise_restitution(double exponent) {
  if (exponent == exponent_) return;
  exponent_ = exponent;
  for (std::size_t j = 0; j < laws_.size(); ++j)
    (is_poisson(j) ? expansion_ : restitution_)[j] = std::pow(laws_[j].restitution, exponent);
}

void ContactImpulses::put(Vector& constraint_impulse, Vector& nonholonomic_impulse) const {
  constraint_impulse.tail(sizes_.contacts).setZero();
  nonholonomic_impulse.tail(sizes_.slips).setZero();
  for (int i = 0; i < static_cast<int>(active_.size()); ++i) {
    for (int d = first_direction(i); d < directions(i); ++d) {
      const auto [is_slip, index] = row(i, d);
      (is_slip ? nonholonomic_impulse : constraint_impulse)(index) = total()(3 * i + d);
    }
  }
}

}  // namespace picus
