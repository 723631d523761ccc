// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/index_one.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

constexpr int kMaxCorrections = 50;
constexpr double kSolved = 1e-12;     // what may be left of v̇, λ, ψ, ẋ, relative to them
constexpr double kSlowRate = 0.1;     // rate of convergence above which the matrix is renewed
constexpr double kStagnation = 0.5;   // slower convergence than this may be rounding …
constexpr double kAtRounding = 1e-9;  // … if changes are below this
constexpr double kCancelledForces = 1e-14;  // of terms that cancel: rounding of their sum
// Violations, relative: what is left by a projection would be the error of methods of high order.
constexpr double kOnConstraint = 1e-14;    // is rounding
constexpr double kNearConstraint = 1e-12;  // may be, if it does not shrink

double steepest_of(const SparseMatrix& gradient) {
  double largest = 0.0;
  for (const double entry : gradient.values())
    largest = std::max(largest, std::abs(entry));
  return largest;
}

}  // namespace

void IndexOne::start(const System& system) {
  const SystemSizes n = system.sizes();
  const int sizes[] = {n.velocities, n.constraints, n.nonholonomic, n.controls};
  bool fits = matrix_.blocks() == 4;
  for (int b = 0; fits && b < 4; ++b)
    fits = matrix_.block_size(b) == sizes[b];
  if (!fits) {
    matrix_.reset({sizes[0], sizes[1], sizes[2], sizes[3]});
    x_ = Vector::Zero(matrix_.size());
    none_ = Vector::Zero(n.velocities);
    step_ = rate_ = terms_ = none_;
  }
  has_matrix_ = has_matrix_ && fits && is_mechanical_ == system.has_linear_reactions();
  sizes_ = n;
  is_mechanical_ = system.has_linear_reactions();
  is_solved_at_once_ = is_mechanical_ && n.controls == 0;
  is_linear_ = system.is_linear();
  is_evaluated_ = is_of_system_ = false;
}

// x = (F - M v̇, -g̈, -k̇, -d)
void IndexOne::residual(const System& system, const State& s) {
  system.force(s, F_);
  force_scale_ = max_abs(F_);
  M_.multiply_add(-1.0, s.acceleration, F_);
  part(kMotion) = F_;
  if (sizes_.constraints > 0) {
    system.constraint_acceleration(s, g_);
    part(kReaction) = -g_;
  }
  if (sizes_.nonholonomic > 0) {
    system.nonholonomic_rate(s, k_);
    part(kRolling) = -k_;
  }
  if (sizes_.controls > 0) {
    system.control(s, d_);
    part(kControls) = -d_;
  }
}

void IndexOne::evaluate(const System& system, const State& s) {
  system.mass_matrix(s, M_);
  if (sizes_.constraints > 0) system.constraint_jacobian(s, G_);
  if (sizes_.nonholonomic > 0) system.nonholonomic_jacobian(s, k_v_);
  if (!is_mechanical_) system.multiplier_tangent(s, F_lambda_, F_psi_);
  if (sizes_.controls > 0) {
    system.control_tangent(s, {s.position, none_}, control_);
    split_controls();
  }
}

// The unknown of a first-order state is its rate, that of a variable its value.
void IndexOne::split_controls() {
  const int states = sizes_.controls - sizes_.variables;
  const auto keep = [](const SparseMatrix& from, int first, int last, SparseMatrix& to) {
    from.for_each([&](int row, int col, double value) {
      if (col >= first && col < last) to.add(row, col, value);
    });
  };
  control_columns_.begin(sizes_.controls, sizes_.controls);
  keep(control_.rate, 0, states, control_columns_);
  keep(control_.control, states, sizes_.controls, control_columns_);
  control_columns_.end();
  force_variables_.begin(sizes_.velocities, sizes_.controls);
  keep(control_.force, states, sizes_.controls, force_variables_);
  force_variables_.end();
}

bool IndexOne::has_changed() {
  std::size_t count = 0, pieces = 0;
  bool changed = false;
  const auto look = [&](const SparseMatrix& A) {
    const std::span<const double> values = A.values();
    if (values_.size() < count + values.size()) values_.resize(count + values.size());
    for (const double value : values) {
      changed = changed || values_[count] != value;
      values_[count++] = value;
    }
    changed = changed || revisions_[pieces] != A.pattern_revision();
    revisions_[pieces++] = A.pattern_revision();
  };
  look(M_);
  if (sizes_.constraints > 0) look(G_);
  if (sizes_.nonholonomic > 0) look(k_v_);
  if (!is_solved_at_once_) {
    for (const SparseMatrix* A : {&F_lambda_, &F_psi_, &control_columns_, &force_variables_,
                                  &control_.acceleration, &control_.multiplier})
      look(*A);
  }
  return changed;
}

bool IndexOne::factorize(const System& system, const State& s, StepReport& report) {
  if (has_matrix_ && is_linear_ && is_of_system_) return true;
  evaluate(system, s);
  is_evaluated_ = is_of_system_ = true;
  if (!has_changed() && has_matrix_) return true;
  const bool is_new = !has_matrix_;
  matrix_.begin();
  matrix_.add(kMotion, kMotion, 1.0, M_);
  add_reactions(matrix_);
  if (sizes_.controls > 0) {
    matrix_.add(kMotion, kControls, -1.0, force_variables_);
    matrix_.add(kControls, kMotion, 1.0, control_.acceleration);
    if (sizes_.constraints > 0) matrix_.add(kControls, kReaction, 1.0, control_.multiplier);
    matrix_.add(kControls, kControls, 1.0, control_columns_);
  }
  ++report.factorizations;
  ++report.refreshed[is_new ? Refresh::kStart : Refresh::kPolicy];
  has_matrix_ = matrix_.factorize();
  if (has_matrix_) return true;
  blame(report, matrix_.weakest());
  return fail(report, matrix_.is_finite() ? StepReport::Status::kSingularMatrix
                                          : StepReport::Status::kNotFinite);
}

void IndexOne::add_reactions(BlockMatrix& matrix) const {
  if (sizes_.constraints > 0) {
    if (is_mechanical_) matrix.add(kMotion, kReaction, -1.0, G_, Transposed::kYes);
    if (!is_mechanical_) matrix.add(kMotion, kReaction, -1.0, F_lambda_);
    matrix.add(kReaction, kMotion, 1.0, G_);
  }
  if (sizes_.nonholonomic > 0) {
    if (is_mechanical_) matrix.add(kMotion, kRolling, -1.0, k_v_, Transposed::kYes);
    if (!is_mechanical_) matrix.add(kMotion, kRolling, -1.0, F_psi_);
    matrix.add(kRolling, kMotion, 1.0, k_v_);
  }
}

bool IndexOne::factorize(const System& system, const State& s, const StiffMetric& metric,
                         StepReport& report) {
  evaluate(system, s);
  is_evaluated_ = true;
  for (int b = 0; b < 4; ++b) {
    if (projection_.blocks() == 4 && projection_.block_size(b) == matrix_.block_size(b)) continue;
    projection_.reset(
        {sizes_.velocities, sizes_.constraints, sizes_.nonholonomic, sizes_.controls});
    identity_ = SparseMatrix::identity(sizes_.controls);
    break;
  }
  projection_.begin();
  projection_.add(kMotion, kMotion, 1.0, M_);
  projection_.add(kMotion, kMotion, metric.time, *metric.damping);
  projection_.add(kMotion, kMotion, metric.time * metric.time, *metric.stiffness);
  add_reactions(projection_);
  if (sizes_.controls > 0) projection_.add(kControls, kControls, 1.0, identity_);
  ++report.factorizations;
  ++report.refreshed[Refresh::kPolicy];
  if (projection_.factorize()) return true;
  blame(report, projection_.weakest());
  return fail(report, projection_.is_finite() ? StepReport::Status::kSingularMatrix
                                              : StepReport::Status::kNotFinite);
}

bool IndexOne::solve(const System& system, State& s, StepReport& report) {
  if (!factorize(system, s, report)) return false;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMaxCorrections; ++iteration) {
    residual(system, s);
    if (!x_.allFinite()) {
      int row = 0;
      while (std::isfinite(x_(row)))
        ++row;
      blame(report, row);
      return fail(report, StepReport::Status::kNotFinite);
    }
    matrix_.solve(x_);
    apply(s);
    if (is_solved_at_once_) return true;
    ++report.newton_iterations;
    const double change = relative_change(s);
    const double rate = iteration > 0 ? change / last : 1.0;  // a first change tells none
    if (change <= kSolved || (rate < kStagnation && rate * change <= kSolved)) return true;
    if (iteration > 0 && rate >= kStagnation && (change <= kAtRounding || is_rounding(system, s)))
      return true;
    report.newton_rate = rate;
    last = change;
    if (iteration > 0 && rate > kSlowRate && !factorize(system, s, report)) return false;
  }
  int row = 0;
  report.worst_residual = x_.cwiseAbs().maxCoeff(&row);
  blame(report, row);
  return fail(report, StepReport::Status::kNotConverged);
}

void IndexOne::apply(State& s) const {
  const int states = sizes_.controls - sizes_.variables;
  s.acceleration += part(kMotion);
  if (sizes_.constraints > 0) s.multiplier += part(kReaction);
  if (sizes_.nonholonomic > 0) s.nonholonomic_multiplier += part(kRolling);
  if (sizes_.controls == 0) return;
  s.control_rate.head(states) += part(kControls).head(states);
  s.control.tail(sizes_.variables) += part(kControls).tail(sizes_.variables);
}

// The largest change of a kind of unknowns in units of the largest of that kind. Reactions that
// vanish, as where a contact is about to open, are measured by the forces they are added to.
double IndexOne::relative_change(const State& s, const ControlTerms& terms) const {
  double largest = 0.0;
  const auto look = [&](const auto& change, const auto& value, double least = 0.0) {
    if (change.size() == 0) return;
    const double size = change.cwiseAbs().maxCoeff();
    const double scale = std::max({size, value.cwiseAbs().maxCoeff(), least});
    if (size > 0.0) largest = std::max(largest, size / scale);
  };
  const auto least_reaction = [&](const SparseMatrix& direction) {
    return force_scale_ / std::max(1e-300, steepest_of(direction));
  };
  const int states = sizes_.controls - sizes_.variables;
  double inertia = 0.0;
  if (terms.force > 0.0) inertia = steepest_of(M_);
  look(part(kMotion), s.acceleration, inertia > 0.0 ? terms.force / inertia : 0.0);
  if (sizes_.constraints > 0) look(part(kReaction), s.multiplier, least_reaction(G_));
  if (sizes_.nonholonomic > 0)
    look(part(kRolling), s.nonholonomic_multiplier, least_reaction(k_v_));
  look(part(kControls).head(states), s.control_rate.head(states), terms.rate);
  look(part(kControls).tail(sizes_.variables), s.control.tail(sizes_.variables), terms.value);
  return largest;
}

bool IndexOne::is_rounding(const System& system, const State& s) {
  return sizes_.controls == 0 ? is_rounding_of_reactions(s) : is_rounding_of_variables(system, s);
}

// At rest accelerations are zero but for rounding, which has no size to be compared with but that
// of the forces that cancel.
bool IndexOne::is_rounding_of_reactions(const State& s) {
  const auto is_small = [](const auto& change, const Vector& value) {
    return change.size() == 0 ||
           change.cwiseAbs().maxCoeff() <= kAtRounding * value.cwiseAbs().maxCoeff();
  };
  if (!is_small(part(kReaction), s.multiplier) ||
      !is_small(part(kRolling), s.nonholonomic_multiplier))
    return false;
  terms_.setZero();
  const auto add = [&](const SparseMatrix& rows, const Vector& reaction) {
    rows.for_each(
        [&](int row, int col, double value) { terms_(col) += std::abs(value * reaction(row)); });
  };
  if (sizes_.constraints > 0) add(G_, s.multiplier);
  if (sizes_.nonholonomic > 0) add(k_v_, s.nonholonomic_multiplier);
  double largest = 0.0;  // acceleration of one of them alone
  M_.for_each([&](int row, int col, double value) {
    if (row == col && value > 0.0) largest = std::max(largest, terms_(row) / value);
  });
  return max_abs(x_.head(sizes_.velocities)) <= kCancelledForces * largest;
}

// Variables and accelerations that feed each other may all be differences of larger numbers.
bool IndexOne::is_rounding_of_variables(const System& system, const State& s) {
  const double place = std::max(max_abs(s.position), size_of_positions(system, s));
  ControlTerms terms = control_rounding_.terms_of(control_, s, sizes_.variables, place, 0.0);
  terms.force = std::max(terms.force, force_scale_ + max_abs(s.multiplier));
  return relative_change(s, terms) <= kRoundingOfTerms;
}

bool IndexOne::project(const System& system, const Vector& base, Vector& increment, State& s,
                       StepReport& report, const StiffMetric& metric) {
  if (sizes_.constraints + sizes_.nonholonomic == 0) return true;
  if (metric && !factorize(system, s, metric, report)) return false;
  return (sizes_.constraints == 0 || correct(system, base, increment, s, false, metric, report)) &&
         correct(system, base, increment, s, true, metric, report);
}

double IndexOne::violation(const System& system, const State& s, bool of_velocities) {
  x_.setZero();
  if (sizes_.constraints > 0) {
    of_velocities ? system.constraint_velocity(s, g_) : system.constraint(s, g_);
    part(kReaction) = -g_;
  }
  if (of_velocities && sizes_.nonholonomic > 0) {
    system.nonholonomic(s, k_);
    part(kRolling) = -k_;
  }
  return max_abs(x_);
}

// Rounding of positions and velocities, seen through the gradients, is no violation.
double IndexOne::steepest() const {
  return std::max(steepest_of(G_), steepest_of(k_v_));
}

bool IndexOne::correct(const System& system, const Vector& base, Vector& increment, State& s,
                       bool velocities, const StiffMetric& metric, StepReport& report) {
  const auto renew = [&] {
    return metric ? factorize(system, s, metric, report) : factorize(system, s, report);
  };
  if (!is_evaluated_ && !renew()) return false;
  const Vector& moved = velocities ? s.velocity : s.position;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMaxCorrections; ++iteration) {
    const double off = violation(system, s, velocities);
    if (!std::isfinite(off)) break;
    const double unit = 1.0 + steepest() * max_abs(moved);
    const bool shrinks = off <= kSlowRate * last;
    if (off <= (shrinks ? kOnConstraint : kNearConstraint) * unit) return true;
    if (!shrinks) {
      if (!renew()) return false;
      violation(system, s, velocities);
    }
    last = off;
    (metric ? projection_ : matrix_).solve(x_);
    step_ = part(kMotion);
    if (velocities) {
      s.velocity += step_;
      continue;
    }
    system.increment_rate({base, increment}, step_, rate_);
    increment += rate_;
    system.retract(base, increment, s.position);
  }
  int row = 0;
  report.worst_residual = x_.cwiseAbs().maxCoeff(&row);
  blame(report, row);
  report.equation = velocities ? "constraint at velocity level" : "constraint at position level";
  return fail(report, std::isfinite(last) ? StepReport::Status::kNotConverged
                                          : StepReport::Status::kNotFinite);
}

bool IndexOne::fail(StepReport& report, StepReport::Status status) const {
  report.status = status;
  return false;
}

void IndexOne::blame(StepReport& report, int row) const {
  static constexpr Equation kKinds[] = {Equation::kMomentum, Equation::kConstraint,
                                        Equation::kNonholonomic, Equation::kControl};
  static constexpr const char* kNames[] = {"momentum balance", "constraint at acceleration level",
                                           "rate of the nonholonomic constraint",
                                           "control equation"};
  for (int b = 0; b < matrix_.blocks(); ++b) {
    if (row < matrix_.offset(b) || row >= matrix_.offset(b + 1)) continue;
    report.worst_kind = kKinds[b];
    report.worst_index = row - matrix_.offset(b);
    report.equation = kNames[b];
  }
}

}  // namespace picus
