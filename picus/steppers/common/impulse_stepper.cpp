// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/impulse_stepper.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"
#include "picus/steppers/common/refusal.h"

namespace picus {
namespace {

// Slips below this part of the largest velocity of a contact problem are none, or below what its
// tolerance leaves of them.
constexpr double kNoSlipOfProblem = 1e-10;
constexpr double kLeftBySolver = 2.0;
// Of limits that reactions add to, at best.
constexpr double kLimitTolerance = 1e-12;

}  // namespace

std::unique_ptr<ContactSolver> make_contact_solver(const ContactOptions& options) {
  return make_sized_contact_solver([options] {
    return make_contact_solver(
        EnumNames<ContactMethod>::names[static_cast<std::size_t>(options.contact_solver)],
        {{"tolerance", fmt::format("{:.17g}", options.contact_tolerance)}});
  });
}

ImpulseStepper::ImpulseStepper(std::string_view name, std::unique_ptr<ContactSolver> solver,
                               Limits limits)
    : contacts_(std::move(solver)),
      name_(name),
      limits_(limits),
      reaction_limits_(std::max(kLimitTolerance, limits.contact_tolerance)) {}

void ImpulseStepper::start(const System& system, const State& state) {
  if (!system.has_linear_reactions())
    throw InputError(fmt::format(
        "{} cannot handle forces that are nonlinear in the multipliers; use soi2", name_));
  refuse_poisson(name_, traits(), system);
  sizes_ = system.sizes();
  matrix_.reset({sizes_.velocities, sizes_.joints(), sizes_.rollings(), sizes_.controls});
  x_ = Vector::Zero(matrix_.size());
  increment_ = residual_ = Vector::Zero(sizes_.velocities);
  control_rate_ = Vector::Zero(sizes_.controls);
  velocity_ = velocity_before_ = state.velocity;
  size_states(system, state);
  contacts_.start(system);
  is_linear_ = system.is_linear();
  reads_reactions_ = system.limits_read_reactions();
  matrix_h_ = matrix_span_ = 0.0;
}

// The matrix does not know contacts.
void ImpulseStepper::follow_contacts(const System& system, const State& state,
                                     const ContactChange& change) {
  sizes_ = system.sizes();
  size_states(system, state);
  contacts_.follow(system, change);
}

void ImpulseStepper::size_states(const System& system, const State& state) {
  begin_ = end_ = state;
  for (State* s : {&begin_, &end_})
    size_state(system, *s);
  impulse_ = Vector::Zero(sizes_.constraints);
  rolling_impulse_ = Vector::Zero(sizes_.nonholonomic);
}

StepReport ImpulseStepper::attempt(const System& system, const State& from, double h, State& to) {
  expects(h > 0.0 && std::isfinite(h), "a positive step size");
  h_ = h;
  begin_ = from;
  end_ = from;
  end_.time = from.time + h;
  scale_ = 0.0;
  impulse_.setZero();
  rolling_impulse_.setZero();
  control_rate_ = from.control_rate;
  begin_step(system);
  place(system);
  StepReport report;
  for (;;) {
    if (report.newton_iterations >= limits_.max_iterations) return not_settled(report);
    change_ = velocity_;
    const StepReport::Status status = iterate(system, report);
    if (status != StepReport::Status::kOk) return failed(report, status);
    change_ -= velocity_;
    const double change = max_abs(change_);
    if (!std::isfinite(change)) return failed(report, StepReport::Status::kNotFinite);
    if (is_exact()) break;
    place(system);
    if (is_settled(system, change)) break;
  }
  if (!end_step(system)) return failed(report, StepReport::Status::kNotConverged);
  end_.acceleration = (velocity_ - velocity_before_) / span_;
  set_reactions(end_);
  to = end_;
  return report;
}

// One step of Newton's method for the smooth forces, and the impulses that go with it.
StepReport::Status ImpulseStepper::iterate(const System& system, StepReport& report) {
  ++report.newton_iterations;
  const bool is_other_step = matrix_sees_step() && (matrix_h_ != h_ || matrix_span_ != span_);
  if (!is_linear_ || is_other_step || matrix_h_ == 0.0) {
    if (!assemble(system)) return StepReport::Status::kSingularMatrix;
    matrix_h_ = h_;
    matrix_span_ = span_;
    ++report.factorizations;
  }
  state_equations(system);
  matrix_.solve(x_);
  if (!x_.allFinite()) return StepReport::Status::kNotFinite;
  // velocities may cancel: those before the step and what forces alone would do are a scale, too
  velocity_change_ = span_ * x_.head(sizes_.velocities);
  scale_ = std::max({scale_, max_abs(velocity_), max_abs(velocity_change_)});
  if (contacts_.any()) {
    see_contacts(system);
    const ContactReport found = solve_contacts(system);
    if (!found.ok()) {
      report.worst_residual = found.residual;
      return found.status == ContactReport::Status::kNotFinite ? StepReport::Status::kNotFinite
                                                               : StepReport::Status::kNoImpulses;
    }
    x_ *= span_;
    contacts_.add_response(x_);
    x_ /= span_;
  }
  velocity_ += span_ * x_.head(sizes_.velocities);
  impulse_.head(sizes_.joints()) -= span_ * x_.segment(sizes_.velocities, sizes_.joints());
  rolling_impulse_.head(sizes_.rollings()) -=
      span_ * x_.segment(matrix_.offset(kRollings), sizes_.rollings());
  control_rate_ += x_.tail(sizes_.controls);
  contacts_.put(impulse_, rolling_impulse_);
  return StepReport::Status::kOk;
}

ContactReport ImpulseStepper::solve_contacts(const System& system) {
  ContactReport found = contacts_.solve(matrix_, free_, before_, span_);
  if (!reads_reactions_) return found;
  for (reaction_limits_.start(contacts_.friction_limit()); found.ok();
       found = contacts_.solve(matrix_, free_, before_, span_)) {
    moved_ = span_ * x_;
    contacts_.add_response(moved_);
    joint_impulse_ =
        impulse_.head(sizes_.joints()) - moved_.segment(sizes_.velocities, sizes_.joints());
    contacts_.limits_under(system, joint_impulse_, span_, limit_);
    if (reaction_limits_.take(limit_)) return found;
    if (reaction_limits_.is_spent()) {
      found.status = ContactReport::Status::kIterationLimit;
      found.residual = reaction_limits_.miss();
      return found;
    }
    contacts_.set_friction_limit(reaction_limits_.now());
  }
  return found;
}

// Where contacts act, it is they that do not settle as the step is placed anew with each iterate: a
// jam, as of a rod that hits the ground. In parts of the step they do.
StepReport ImpulseStepper::not_settled(StepReport report) const {
  if (!contacts_.any()) return failed(report, StepReport::Status::kNotConverged);
  report.worst_residual = scale_ > 0.0 ? max_abs(change_) / scale_ : max_abs(change_);
  return failed(report, StepReport::Status::kNoImpulses);
}

// The worst equation is that with the largest change of its velocity, or the first that is none.
StepReport ImpulseStepper::failed(StepReport report, StepReport::Status status) const {
  report.status = status;
  if (status == StepReport::Status::kNoImpulses) {
    std::tie(report.worst_kind, report.worst_index) = contacts_.worst();
    report.equation = "contacts";
    return report;
  }
  report.worst_residual = 0.0;
  report.equation = "momentum balance";
  const Vector& blamed = status == StepReport::Status::kNotFinite ? residual_ : change_;
  for (int i = 0; i < blamed.size(); ++i) {
    const double size = std::abs(blamed(i)) / h_;
    if (size <= report.worst_residual) continue;
    report.worst_index = i;
    report.worst_residual = size;
    if (!std::isfinite(size)) break;
  }
  return report;
}

void ImpulseStepper::interpolate(const System& system, double fraction, State& result) const {
  result = end_;
  result.time = begin_.time + fraction * h_;
  scaled_ = fraction * increment_;
  system.retract(begin_.position, scaled_, result.position);
  if (fraction >= 1.0) result.position = end_.position;
  result.velocity = end_.velocity;
  if (fraction < 1.0)
    result.velocity = has_impact() ? begin_.velocity
                                   : (1.0 - fraction) * begin_.velocity + fraction * end_.velocity;
  result.control = (1.0 - fraction) * begin_.control + fraction * end_.control;
}

StepImpulses ImpulseStepper::impulses() const {
  return {.normal = &impulse_,
          .tangential = &rolling_impulse_,
          .friction_limit = &contacts_.friction_limit()};
}

const Vector* ImpulseStepper::internal(std::string_view name) const {
  return name == "increment" ? &increment_ : nullptr;
}

std::span<const LawMode> ImpulseStepper::law_modes() const {
  contacts_.modes(std::max(kNoSlipOfProblem, kLeftBySolver * limits_.contact_tolerance), modes_);
  return modes_;
}

void ImpulseStepper::set_reactions(State& s) const {
  s.multiplier = impulse_ / span_;
  s.nonholonomic_multiplier = rolling_impulse_ / span_;
}

void ImpulseStepper::set_joint_reactions(State& s) const {
  set_reactions(s);
  s.multiplier.tail(sizes_.contacts).setZero();
  s.nonholonomic_multiplier.tail(sizes_.slips).setZero();
}

void ImpulseStepper::border(Block block, const SparseMatrix& columns, const SparseMatrix& rows) {
  matrix_.add(kMotion, block, 1.0, columns, Transposed::kYes);
  matrix_.add(block, kMotion, 1.0, rows);
}

void ImpulseStepper::expect_fraction(double value, const char* option) {
  if (!(value >= 0.0 && value <= 1.0))
    throw InputError(
        fmt::format("option '{}': found {:g}, expected a number in [0, 1]", option, value));
}

void ImpulseStepper::head_rows(const SparseMatrix& all, int rows, SparseMatrix& head) {
  head.begin(rows, all.cols());
  all.for_each([&](int row, int col, double value) {
    if (row < rows) head.add(row, col, value);
  });
  head.end();
}

}  // namespace picus
