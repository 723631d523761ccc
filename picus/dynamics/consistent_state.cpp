// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/consistent_state.h"

#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/base/error.h"
#include "picus/dynamics/constraint_rank.h"
#include "picus/dynamics/independent_constraints.h"
#include "picus/dynamics/initial_variables.h"
#include "picus/math/block_matrix.h"

namespace picus {
namespace {

using Status = Consistency::Status;

// Block rows and columns of the matrices below.
enum Block { kMotion, kReaction, kRolling, kControls };

constexpr int kMaxHalvings = 30;

Consistency failure(Status status, std::string message) {
  Consistency result;
  result.status = status;
  result.message = std::move(message);
  return result;
}

// Largest entry with its place; NaN wins over everything.
struct Worst {
  int index = 0;
  double value = 0.0;
};

Worst worst_of(const Vector& x) {
  Worst worst;
  for (int i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x(i))) return {i, std::numeric_limits<double>::quiet_NaN()};
    if (std::abs(x(i)) > worst.value) worst = {i, std::abs(x(i))};
  }
  return worst;
}

// One regular problem: projections and accelerations of a system with independent constraints.
class Projector {
 public:
  Projector(const System& system, const ConsistencyOptions& options)
      : system_(system), options_(options), sizes_(system.sizes()) {
    zero_ = Vector::Zero(sizes_.velocities);
  }

  Consistency positions(State& s) {
    motion_matrix_.reset({sizes_.velocities, sizes_.constraints, 0});
    system_.constraint(s, g_);
    Worst off = worst_of(g_);
    for (int iteration = 0; iteration < options_.max_iterations; ++iteration) {
      if (std::isnan(off.value)) return not_finite(Equation::kConstraint, off.index);
      if (off.value == 0.0) return {};
      if (!factorize(s, false)) return singular(motion_matrix_);
      const double last = off.value;
      solve(g_, none_);
      step_ = x_.head(sizes_.velocities);
      off = search_along_step(s, last);
      if (off.value <= position_tolerance(s) && off.value >= 0.5 * last) return {};
    }
    if (off.value <= position_tolerance(s)) return {};
    return not_assembled(off.value);
  }

  Consistency velocities(State& s) {
    motion_matrix_.reset({sizes_.velocities, sizes_.constraints, sizes_.nonholonomic});
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration <= options_.max_iterations; ++iteration) {
      system_.constraint_velocity(s, g_);
      system_.nonholonomic(s, k_);
      const Worst g = worst_of(g_), k = worst_of(k_);
      if (std::isnan(g.value)) return not_finite(Equation::kConstraint, g.index);
      if (std::isnan(k.value)) return not_finite(Equation::kNonholonomic, k.index);
      const double off = std::max(g.value, k.value);
      const double scale = 1.0 + max_abs(s.velocity);
      if (off == 0.0 || (off <= options_.tolerance * scale && off >= 0.5 * last)) return {};
      last = off;
      if (!factorize(s, true)) return singular(motion_matrix_);
      solve(g_, k_);
      s.velocity += x_.head(sizes_.velocities);
    }
    return failure(Status::kNotAssembled,
                   "no velocities satisfy the constraints: the iteration did not converge");
  }

  Consistency accelerations(State& s) {
    const int nv = sizes_.velocities, nc = sizes_.constraints, nn = sizes_.nonholonomic;
    acceleration_matrix_.reset({nv, nc, nn, sizes_.controls});
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration <= options_.max_iterations; ++iteration) {
      if (Consistency bad = acceleration_residual(s); !bad.ok()) return bad;
      if (!factorize_accelerations(s)) return singular(acceleration_matrix_);
      acceleration_matrix_.solve(x_);
      apply_accelerations(s);
      const double change = max_abs(x_);
      const double scale = 1.0 + max_abs(s.acceleration) + max_abs(s.multiplier);
      if (change <= 1e-14 * scale || (change <= options_.tolerance * scale && change >= 0.5 * last))
        return held_.empty() ? Consistency{} : not_finite(Equation::kControl, held_.first());
      last = change;
    }
    return failure(Status::kNotAssembled,
                   "no accelerations and reactions satisfy the equations: the iteration did not "
                   "converge; give initial multipliers near the solution");
  }

 private:
  // Rounding of the positions, seen through the gradients, is no violation.
  double position_tolerance(const State& s) const {
    double steepest = 0.0;
    for (const double entry : G_.values())
      steepest = std::max(steepest, std::abs(entry));
    return options_.tolerance * (1.0 + steepest * max_abs(s.position));
  }

  // Moves along step_, halving it while the constraints get worse; returns the new violation.
  Worst search_along_step(State& s, double last) {
    const Vector from = s.position;
    Worst off;
    for (int halving = 0; halving < kMaxHalvings; ++halving) {
      system_.retract(from, step_, moved_);
      s.position = moved_;
      system_.constraint(s, g_);
      off = worst_of(g_);
      if (off.value < last) break;  // false for NaN
      step_ *= 0.5;
    }
    return off;
  }

  bool factorize(const State& s, bool with_rolling) {
    const Chart here{s.position, zero_};
    system_.mass_matrix(s, M_);
    system_.constraint_jacobian(s, G_);
    motion_matrix_.begin();
    motion_matrix_.add(kMotion, kMotion, 1.0, M_);
    motion_matrix_.add(kMotion, kReaction, 1.0, G_, Transposed::kYes);
    motion_matrix_.add(kReaction, kMotion, 1.0, G_);
    if (with_rolling) {
      system_.nonholonomic_tangent(s, here, k_q_, k_v_);
      motion_matrix_.add(kMotion, kRolling, 1.0, k_v_, Transposed::kYes);
      motion_matrix_.add(kRolling, kMotion, 1.0, k_v_);
    }
    return motion_matrix_.factorize();
  }

  // x = -A⁻¹ (0, first, second)
  void solve(const Vector& first, const Vector& second) {
    x_.resize(motion_matrix_.size());
    x_ << zero_, -first, -second;
    motion_matrix_.solve(x_);
  }

  Consistency acceleration_residual(const State& s) {
    system_.force(s, F_);
    system_.mass_matrix(s, M_);
    r_ = F_;
    M_.multiply_add(-1.0, s.acceleration, r_);
    system_.constraint_acceleration(s, g_);
    system_.nonholonomic_rate(s, k_);
    system_.control(s, d_);
    const std::pair<const Vector*, Equation> parts[] = {{&r_, Equation::kMomentum},
                                                        {&g_, Equation::kConstraint},
                                                        {&k_, Equation::kNonholonomic},
                                                        {&d_, Equation::kControl}};
    held_.find(sizes_.controls - sizes_.variables, d_);
    for (const auto& [part, kind] : parts) {
      const Worst worst = worst_of(*part);
      if (std::isnan(worst.value)) return not_finite(kind, worst.index);
    }
    x_.resize(acceleration_matrix_.size());
    x_ << r_, -g_, -k_, -d_;
    return {};
  }

  bool factorize_accelerations(const State& s) {
    const Chart here{s.position, zero_};
    system_.constraint_jacobian(s, G_);
    system_.multiplier_tangent(s, F_lambda_, F_psi_);
    system_.nonholonomic_tangent(s, here, k_q_, k_v_);
    auto& A = acceleration_matrix_;
    A.begin();
    A.add(kMotion, kMotion, 1.0, M_);
    A.add(kMotion, kReaction, -1.0, F_lambda_);
    A.add(kMotion, kRolling, -1.0, F_psi_);
    A.add(kReaction, kMotion, 1.0, G_);
    A.add(kRolling, kMotion, 1.0, k_v_);
    if (sizes_.controls > 0) {
      system_.control_tangent(s, here, control_);
      split_control_columns();
      held_.drop_from(control_.acceleration);
      held_.drop_from(control_.multiplier);
      A.add(kMotion, kControls, -1.0, force_variables_);
      A.add(kControls, kMotion, 1.0, control_.acceleration);
      A.add(kControls, kReaction, 1.0, control_.multiplier);
      A.add(kControls, kControls, 1.0, control_columns_);
    }
    return A.factorize();
  }

  // unknown of a first-order state: its rate; of a variable: its value
  void split_control_columns() {
    const int first_variable = sizes_.controls - sizes_.variables;
    const Matrix rate = control_.rate.dense(), value = control_.control.dense(),
                 force = control_.force.dense();
    control_columns_.begin(sizes_.controls, sizes_.controls);
    force_variables_.begin(sizes_.velocities, sizes_.controls);
    for (int j = 0; j < sizes_.controls; ++j) {
      const bool variable = j >= first_variable;
      for (int i = 0; i < sizes_.controls; ++i) {
        const double entry = variable ? value(i, j) : rate(i, j);
        control_columns_.add(i, j, !held_.contains(i) ? entry : i == j ? 1.0 : 0.0);
      }
      for (int i = 0; i < sizes_.velocities; ++i)
        force_variables_.add(i, j, variable ? force(i, j) : 0.0);
    }
    control_columns_.end();
    force_variables_.end();
  }

  void apply_accelerations(State& s) {
    const int nv = sizes_.velocities, nc = sizes_.constraints, nn = sizes_.nonholonomic;
    const int states = sizes_.controls - sizes_.variables;
    s.acceleration += x_.head(nv);
    s.multiplier += x_.segment(nv, nc);
    s.nonholonomic_multiplier += x_.segment(nv + nc, nn);
    s.control_rate.head(states) += x_.segment(nv + nc + nn, states);
    s.control.tail(sizes_.variables) += x_.tail(sizes_.variables);
  }

  // The iteration spreads what does not fit over several constraints: name those with a large
  // share.
  Consistency not_assembled(double worst) const {
    std::vector<std::string> names;
    for (int i = 0; i < g_.size() && names.size() < 5; ++i)
      if (std::abs(g_(i)) > 0.2 * worst) names.push_back(system_.name_of(Equation::kConstraint, i));
    return failure(
        Status::kNotAssembled,
        fmt::format("the mechanism cannot be assembled: {} {} still violated by up to {:.3g}",
                    fmt::join(names, ", "), names.size() == 1 ? "is" : "are", worst));
  }

  Consistency not_finite(Equation kind, int index) const {
    return failure(Status::kNotFinite, fmt::format("{} is not a finite number at the initial state",
                                                   system_.name_of(kind, index)));
  }

  Consistency singular(const BlockMatrix& matrix) const {
    if (!matrix.is_finite())
      return failure(Status::kNotFinite,
                     "a derivative of the equations is not a finite number at the initial state");
    return failure(Status::kSingularMass,
                   "the mass matrix is singular on the motions that the constraints permit: give "
                   "every free coordinate mass or inertia");
  }

  const System& system_;
  ConsistencyOptions options_;
  SystemSizes sizes_;
  BlockMatrix motion_matrix_, acceleration_matrix_;
  SparseMatrix M_, G_, k_q_, k_v_, F_lambda_, F_psi_, control_columns_, force_variables_;
  ControlTangent control_;
  HeldVariables held_;
  Vector zero_, none_, g_, k_, d_, F_, r_, x_, step_, moved_;
};

// The redundant equations must agree with the independent ones at every level.
Consistency check_agreement(const System& system, const State& s, Consistency report,
                            const ConsistencyOptions& options) {
  Vector g, rate, acceleration, k, k_rate;
  system.constraint(s, g);
  system.constraint_velocity(s, rate);
  system.constraint_acceleration(s, acceleration);
  system.nonholonomic(s, k);
  system.nonholonomic_rate(s, k_rate);
  const double tolerance = 1e3 * options.tolerance;
  const double fast = 1.0 + max_abs(s.velocity);
  for (const RedundantConstraint& redundant : report.redundant) {
    const bool holonomic = redundant.kind == Equation::kConstraint;
    const int i = redundant.index;
    const double off[] = {holonomic ? std::abs(g(i)) : 0.0,
                          std::abs(holonomic ? rate(i) : k(i)) / fast,
                          std::abs(holonomic ? acceleration(i) : k_rate(i)) / (fast * fast)};
    static constexpr const char* kLevel[] = {"position", "velocity", "acceleration"};
    for (int level = 0; level < 3; ++level) {
      if (off[level] <= tolerance) continue;
      report.status = Status::kContradictory;
      report.message = fmt::format(
          "contradictory constraints at {} level: {} is violated by {:.3g} where {} hold{}",
          kLevel[level], redundant.name, off[level],
          redundant.follows_from.empty()
              ? "all others"
              : fmt::format("{}", fmt::join(redundant.follows_from, ", ")),
          redundant.follows_from.size() == 1 ? "s" : "");
      return report;
    }
  }
  return report;
}

enum class From { kPositions, kAccelerations };

// Projects (if wanted) and solves on a system with independent constraints.
Consistency solve_regular(const System& system, State& state, From from,
                          const ConsistencyOptions& options, Consistency report) {
  Projector projector(system, options);
  const auto keep = [&](const Consistency& part) {
    report.status = part.status;
    report.message = part.message;
    return part.ok();
  };
  if (from == From::kPositions &&
      (!keep(projector.positions(state)) || !keep(projector.velocities(state))))
    return report;
  // variables begin at 0, where the formulas of others need be no numbers
  const auto open = from == From::kPositions ? solve_variables(system, state) : std::vector<int>();
  if (!keep(projector.accelerations(state))) report.message += advice_on(system, open);
  return report;
}

Consistency attempt(const System& system, State& state, From from,
                    const ConsistencyOptions& options) {
  Consistency report;
  examine_rank(system, state, report);
  if (!report.ok()) return report;
  if (report.redundant.empty())
    return solve_regular(system, state, from, options, std::move(report));
  const IndependentConstraints reduced(system, report.independent, report.independent_nonholonomic);
  State part;
  reduced.reduce(state, part);
  report = solve_regular(reduced, part, from, options, std::move(report));
  if (!report.ok()) return report;
  reduced.restore(part, state);
  return check_agreement(system, state, std::move(report), options);
}

// A guess may sit, or arrive, where constraints are dependent that are not so nearby: a small
// definite push along every coordinate leaves such a place.
void push_aside(const System& system, State& state) {
  Vector push(system.sizes().velocities), moved;
  for (int i = 0; i < push.size(); ++i)
    push(i) = 1e-3 * (1.0 + max_abs(state.position)) * std::sin(1.0 + i);
  system.retract(state.position, push, moved);
  state.position = moved;
}

Consistency solve(const System& system, State& state, From from,
                  const ConsistencyOptions& options) {
  const State given = state;
  size_state(system, state);
  const State sized = state;
  Consistency report = attempt(system, state, from, options);
  if (!report.ok() && report.status != Status::kNotFinite && from == From::kPositions) {
    // perhaps the rank at the guess was not that of the assembled mechanism: try from where the
    // projection ended, then from beside the guess
    Consistency again = attempt(system, state, from, options);
    if (!again.ok()) {
      state = sized;
      push_aside(system, state);
      again = attempt(system, state, from, options);
    }
    if (again.ok()) report = std::move(again);
  }
  if (!report.ok()) {
    state = given;  // a failed start leaves no trace
    return report;
  }
  report.position_moved = max_abs(state.position - given.position);
  report.velocity_moved = max_abs(state.velocity - sized.velocity);
  return report;
}

// Contacts take no part: they are left out, and their reactions are zero or given.
template <class Solve>
Consistency without_contacts(const System& system, State& state, bool keep_reactions,
                             Solve&& solve) {
  const SystemSizes n = system.sizes();
  if (n.contacts + n.slips == 0) return solve(system, state);
  IndependentConstraints joints(system, first_rows(n.joints()), first_rows(n.rollings()));
  State sized = state, part;
  size_state(system, sized);
  if (keep_reactions) joints.hold(sized);
  joints.reduce(sized, part);
  Consistency report = solve(joints, part);
  if (!report.ok()) return report;
  joints.expand(part, state);
  // the integrator keeps them among its equations
  for (int row = n.joints(); row < n.constraints; ++row)
    report.independent.push_back(row);
  for (int row = n.rollings(); row < n.nonholonomic; ++row)
    report.independent_nonholonomic.push_back(row);
  return report;
}

}  // namespace

Consistency find_redundant_constraints(const System& system, const State& state) {
  State copy = state;
  return without_contacts(system, copy, false, [](const System& joints, const State& s) {
    Consistency report;
    examine_rank(joints, s, report);
    return report;
  });
}

Consistency make_consistent(const System& system, State& state, const ConsistencyOptions& options) {
  return without_contacts(
      system, state, options.keep_contact_reactions,
      [&](const System& joints, State& s) { return solve(joints, s, From::kPositions, options); });
}

Consistency solve_accelerations(const System& system, State& state,
                                const ConsistencyOptions& options) {
  return without_contacts(system, state, options.keep_contact_reactions,
                          [&](const System& joints, State& s) {
                            return solve(joints, s, From::kAccelerations, options);
                          });
}

}  // namespace picus
