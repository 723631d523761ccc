// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all implicit one-step methods share: the Newton iteration on blocks of unknowns, its
// scaling, the controls, prediction, failure reports and dense output. A method derives from it and
// writes its residuals and, beside them, its matrix.

#include <algorithm>
#include <vector>

#include "picus/math/block_matrix.h"
#include "picus/solvers/newton.h"
#include "picus/steppers/alpha_methods.h"
#include "picus/steppers/common/control_rounding.h"
#include "picus/steppers/common/error_weights.h"
#include "picus/steppers/common/predictor.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// The base of implicit one-step methods. A method says which unknowns it has (blocks) and how they
/// move the state; this class solves for them and is the Stepper. In each attempt it calls
///
///     begin_step()                                   once
///     move(x), equations(x, r), at times assemble(x) in each iteration, from a predicted x
///     end_step(x), local_error()                     once it has converged
///
/// and accept_history() when the caller accepts the step. Nothing else may change the history.
class NewtonStepper : public Stepper, private NewtonProblem {
 public:
  /// Throws InputError when an option is out of its range.
  explicit NewtonStepper(const AlphaOptions& options);

  void control_error(double tolerance) final;
  void start(const System& system, const State& state) final;
  StepReport attempt(const System& system, const State& from, double h, State& to) final;
  void accept() final;
  void interpolate(const System& system, double fraction, State& result) const final;
  double smooth_part() const final { return velocity_jump() == nullptr ? 1.0 : 0.0; }

 protected:
  /// A block of equations and, in the same place, of unknowns: momentum comes with accelerations,
  /// constraints with multipliers.
  struct Block {
    Equation kind;
    const char* name;  ///< for failure reports
  };

  // --- what a method defines -----------------------------------------------------------------

  /// The blocks in order; controls are appended by this class.
  virtual std::vector<Block> blocks() const = 0;
  virtual const char* name() const = 0;
  /// By how much velocities jump at the end of the step, in an impact; null without one.
  virtual const Vector* velocity_jump() const { return nullptr; }
  virtual void start_history(const State& state) = 0;
  /// The unknowns at a consistent state: the guess of the first step.
  virtual void guess(const State& state, Vector& x) const = 0;
  /// Computes what stays constant during a step of size h_ from *from_.
  virtual void begin_step() = 0;
  /// Sets now_ and increment_ from the unknowns.
  virtual void move(const Vector& x) = 0;
  virtual void equations(const Vector& x, Vector& r) = 0;
  /// Adds the pieces of the matrix, the derivatives of equations() by the unknowns.
  virtual void assemble(const Vector& x) = 0;
  /// Completes now_ after convergence and sets the end values of the history.
  virtual void end_step(const Vector& x) = 0;
  virtual void accept_history() = 0;
  /// True when the first step must be solved again with a better start.
  virtual bool refine_start() { return false; }
  /// Solves the equations of a step; x holds a guess.
  virtual NewtonReport solve_equations(Vector& x) { return newton_.solve(*this, x); }
  /// Called when the matrix is singular: true when assemble() makes another one now.
  virtual bool soften() { return false; }
  /// How often active sets have repeated themselves in the step under way.
  virtual int cycles() const { return 0; }
  /// Accelerations among the unknowns lie at t_1 + unknown_shift() h.
  virtual double unknown_shift() const { return 0.0; }
  /// The local error of positions is about this times h² and the change of acceleration; known from
  /// begin_step() on. Methods that estimate their error define both.
  virtual double error_constant() const { return 0.0; }
  /// The local error of the increment, once the step has converged.
  virtual void local_error(Vector& /*error*/) {}

  // --- what a method uses --------------------------------------------------------------------

  auto part(const Vector& x, int block) const {
    return x.segment(matrix_.offset(block), matrix_.block_size(block));
  }
  auto part(Vector& x, int block) const {
    return x.segment(matrix_.offset(block), matrix_.block_size(block));
  }
  Chart chart() const { return {from_->position, increment_}; }
  /// When the refined start has converged: as the unknowns, but never beyond rounding.
  double start_tolerance() const { return std::max(relative_tolerance(), 1e-12); }
  /// The equations, for methods that solve them in their own way.
  NewtonProblem& problem() { return *this; }
  double inertia() const { return inertia_; }
  /// What rounding of positions and velocities does to accelerations.
  double rounding() const;
  /// r ← A⁻¹ r with the matrix of the step.
  void solve_with_matrix(Vector& r) const { matrix_.solve(r); }

  /// The pieces of the control equations: unknowns are the rates. Call both when sizes_.controls >
  /// 0 for every momentum row, and once for the control rows with the derivatives of (q, v, v̇) by
  /// the accelerations of a block.
  void add_control_force(int momentum_row);
  void add_control_rows(int acceleration_block, double dq, double dv, double da);
  void add_control_rates(int multiplier_block);

  AlphaOptions options_;
  const System* system_ = nullptr;
  SystemSizes sizes_;
  const State* from_ = nullptr;
  double h_ = 0.0;
  State now_;                    ///< the end of the step under way
  Vector increment_;             ///< q = from ⊕ increment
  bool refining_start_ = false;  ///< begin_step() is called again after refine_start()
  BlockMatrix matrix_;

 private:
  void residual(const Vector& x, Vector& r) final;
  bool linearize(const Vector& x) final;
  void solve(Vector& r) const final { matrix_.solve(r); }
  double error_norm(const Vector& correction, const Vector& x) const final;
  bool is_linear() const final { return is_linear_ && h_ == matrix_h_; }
  bool is_rounding(const Vector& correction) const final;

  /// Largest entries of the kinds of unknowns.
  struct Sizes {
    double acceleration = 0.0, reaction = 0.0, rate = 0.0;
  };
  Sizes largest_of(const Vector& x) const;

  void start_prediction();
  NewtonReport solve_step();
  StepReport report_of(const NewtonReport& newton) const;

  bool controls_error() const { return tolerance_ > 0.0; }
  /// Bound on the error that Newton's method leaves in the unknowns, relative to their size.
  double relative_tolerance() const;
  double relative_norm(const Vector& correction, const Vector& x) const;
  double controlled_norm(const Vector& correction) const;
  void estimate_error(StepReport& report);
  double estimate_control_error();
  double estimate_curvature_error();
  int control_block() const { return static_cast<int>(blocks_.size()) - 1; }
  double control_gain() const { return options_.control_weight * h_; }

  std::vector<Block> blocks_;
  Newton newton_;
  double inertia_ = 0.0;  ///< largest entry of M: turns accelerations into forces
  Vector x_, r_scratch_;
  Predictor predictor_;
  bool is_linear_ = false;
  bool is_open_ = false;    ///< the last attempt has not been accepted
  double matrix_h_ = 0.0;   ///< for which the matrix was made
  double tolerance_ = 0.0;  ///< of local errors; 0 when they are not controlled
  ErrorWeights weights_;
  Vector error_, half_, halfway_, by_halves_;
  Vector rate_before_;    ///< control rates at the beginning of the last accepted step
  double last_h_ = 0.0;   ///< of the last accepted step; 0 before the first
  State start_;           ///< of the last attempt, for interpolation
  mutable Vector along_;  ///< between its ends
  ControlTangent control_;
  double size_ = 0.0;  ///< of positions, of which rounding is a part
  mutable ControlRounding control_rounding_;
};

}  // namespace picus
