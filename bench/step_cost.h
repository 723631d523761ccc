// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a step costs and what it would cost if there were nothing but the functions of the system
// and the linear algebra: calls counted in a real run, times their bare cost.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/counting_system.h"
#include "bench/session.h"
#include "picus/math/linear_solver.h"
#include "picus/steppers/stepper.h"

namespace picus::bench {

/// Averages over the steps of a run.
struct StepCounts {
  std::array<double, kFunctions> calls{};
  double solves = 0.0;  ///< Newton iterations
  double factorizations = 0.0;
};

/// Advances `state` by `steps` steps of size h with a stepper that has been started; exits with a
/// message when one fails. Returns the totals of solves and factorisations.
StepCounts march(const System& system, Stepper& stepper, State& state, double h, int steps);

/// Counts per step after `warm_up` steps.
StepCounts count_steps(const System& system, Stepper& stepper, const State& start, double h,
                       int warm_up, int steps);

/// Bare costs of the functions of a system, measured in a session.
class BareFunctions {
 public:
  /// `states` are visited in turn, so that no branch learns a single one.
  BareFunctions(const System& system, std::vector<State> states)
      : system_(system),
        states_(std::move(states)),
        zero_(Vector::Zero(system.sizes().velocities)) {}

  void add_to(Session& session);
  /// Seconds of one call, after the session has run.
  double seconds(const Session& session, Function function) const;
  /// Seconds of all the calls of a step.
  double seconds(const Session& session, const StepCounts& counts) const;

 private:
  const System& system_;
  std::vector<State> states_;
  Vector zero_;
  FunctionScratch scratch_;
};

/// The islands of a matrix, each with its own solver: what a step uses.
std::unique_ptr<LinearSolver> make_island_solver();

/// Bare costs of a factorisation on a known pattern and of a solution.
class BareSolver {
 public:
  BareSolver(std::string label, std::unique_ptr<LinearSolver> solver, const CompressedColumns& A);

  void add_to(Session& session);
  double factorize(const Session& session) const { return each(session, label_ + " factorize"); }
  double solve(const Session& session) const { return each(session, label_ + " solve"); }

 private:
  double each(const Session& session, const std::string& label) const;

  std::string label_;
  std::unique_ptr<LinearSolver> solver_;
  CompressedColumns A_;
  int repeats_;
  Vector b_, x_;
};

}  // namespace picus::bench
