// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Collocation methods on the equations with joints at acceleration level, acary (73): the equations
// hold at the nodes of a polynomial,
//
//     v_i = v_0 + h Σ a_ij v̇_j,  φ_i = h Σ a_ij φ̇_j,  φ̇_i = T(φ_i)⁻¹ v_i,  q_i = q_0 ⊕ φ_i
//     x_i = x_0 + h Σ a_ij ẋ_j
//     M v̇_i = F(t_i,q_i,v_i,λ_i,ψ_i,x_i),  g̈ = 0,  k̇ = 0,  d = 0            at every node
//
// and are solved for all nodes at once. The last node is the end of the step.

#include <span>
#include <vector>

#include "picus/steppers/common/control_rounding.h"
#include "picus/steppers/common/runge_kutta.h"

namespace picus {

/// A collocation method is its nodes in [0, 1], ascending; the last is 1. The first may be 0: that
/// stage is known.
struct Collocation {
  int order;
  std::vector<double> nodes;
};

/// The base of radau_iia and lobatto_iiia, which differ in their nodes and their error estimate.
/// All stages are one Newton problem; its unknowns are ordered stage by stage, the blocks of a
/// stage as in Kind.
class ImplicitRungeKutta : public RungeKutta, protected NewtonProblem {
 public:
  /// Throws InputError when an option is out of its range.
  ImplicitRungeKutta(const char* name, Collocation method, const RungeKuttaOptions& options,
                     const NewtonOptions& newton);

  bool has_reactions_within() const final { return is_stiff_; }

 protected:
  /// Of the blocks of one stage. On a vector space φ̇ = v, and the first is empty.
  enum Kind { kIncrement, kMotion, kReaction, kRolling, kControls, kKinds };

  int order() const final { return order_; }
  int error_order() const final { return stages(); }
  int position_error_order() const final { return stages() + 1; }
  void start_stages(const System& system) final;
  bool run_stages(const System& system, StepReport& report) final;
  bool knows_end() const final { return true; }
  void local_error(Vector& error) final;
  void accept_stages() final;
  void reactions_within(double fraction, State& result) const final;
  bool motion_within(double fraction, Vector& increment, State& result) const final;
  StiffMetric metric() const final;

  void residual(const Vector& x, Vector& r) final;
  bool linearize(const Vector& x) final;
  void solve(Vector& r) const final { matrix_.solve(r); }
  double error_norm(const Vector& correction, const Vector& x) const final;
  bool is_linear() const final { return is_linear_ && h_ == matrix_h_; }
  bool is_rounding(const Vector& correction) const final;

  int stages() const { return static_cast<int>(nodes_.size()); }
  Vector x_;  ///< φ̇, v̇, λ, ψ, ẋ or variables, of every stage
  BlockMatrix matrix_;

 private:
  struct Stage {
    State s;
    Vector increment, increment_rate;
    SparseMatrix M, K, D, F_lambda, F_psi, G, G_q, G_v, k_v, k_q, k_qv;
    SparseMatrix rate_q, rate_v;  ///< derivatives of T(φ)⁻¹ v
    ControlTangent control;
    /// Columns of the control equations and forces by what is solved for, and by states.
    SparseMatrix d_now, d_state, F_now, F_state;
  };

  static int block(int stage, int kind) { return kKinds * stage + kind; }
  auto part(const Vector& x, int stage, int kind) const {
    return x.segment(matrix_.offset(block(stage, kind)), matrix_.block_size(block(stage, kind)));
  }
  auto part(Vector& x, int stage, int kind) const {
    return x.segment(matrix_.offset(block(stage, kind)), matrix_.block_size(block(stage, kind)));
  }
  Stage& stage(int i) { return stages_[static_cast<std::size_t>(i)]; }

  void find_weights();
  void guess(const State& s, int stage, Vector& x) const;
  void predict();
  void move(const Vector& x);
  void complete_end();
  void find_stiffness();
  /// Weights of the stages at a fraction of the step, and of their integrals from its beginning.
  void weigh_stages(double fraction, Vector& value, Vector& integral) const;
  void differentiate(Stage& at);
  void split_controls(Stage& at);
  void add_stage(int i);
  /// Adds what depends on positions and velocities of stage i, to the unknowns of stage j.
  void add_through_motion(int i, int j, int kind, double sign, const SparseMatrix& along_position,
                          const SparseMatrix& along_velocity);
  void add_controls(int i, int j);
  double relative_tolerance() const;

  /// Largest entries of the kinds of unknowns.
  struct Sizes {
    double velocity = 0.0, acceleration = 0.0, reaction = 0.0, control = 0.0;
  };
  Sizes largest_of(const Vector& x) const;

  int order_;
  NewtonOptions newton_options_;
  Vector nodes_;         ///< of the stages that are solved for
  bool knows_first_;     ///< there is a node at 0
  Matrix a_, a2_;        ///< weights of their rates in velocities, and in increments: a_²
  Vector a0_, a20_;      ///< the same of the rates at the beginning
  Vector at_beginning_;  ///< the polynomial through the stages, at 0, from their values
  double gamma_ = 0.0;   ///< of the error estimate

  const System* system_ = nullptr;
  std::vector<Stage> stages_;
  Newton newton_;
  SparseMatrix identity_;
  Vector F_, g_, k_, d_;
  Vector mass_diagonal_;
  bool is_stiff_ = false;      ///< stiff parts outweigh the masses in the matrix of the step …
  bool is_transient_ = false;  ///< … and the step has not followed how it began
  Matrix coefficients_;        ///< of the polynomials that are one at a node and zero at the others
  mutable Vector value_weights_, integral_weights_;
  double inertia_ = 0.0, matrix_h_ = 0.0;
  double size_ = 0.0;  ///< of positions, of which rounding is a part
  mutable ControlRounding control_rounding_;
  bool is_linear_ = false;
  // the last accepted step, for the guess
  double last_h_ = 0.0;
  Vector last_x_, last_begin_, begin_x_;
};

/// The method of an order among those given; throws InputError when there is none.
Collocation choose_collocation(std::span<const Collocation> methods, int order);

}  // namespace picus
