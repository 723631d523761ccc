// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/solvers/contact_problem.h"
#include "picus/solvers/newton_matrix.h"
#include "picus/solvers/second_order_cone.h"

namespace picus {

/// A curve from a guess to a solution of a contact problem, and what is needed to walk along it.
///
/// In the coordinates r = (μ p_n, p_t), v = (u_n/μ + ‖u_t‖, u_t) the law of De Saxcé is
///
///     L ∋ r ⊥ v ∈ L,   v = Ŵ r + b̂ + ‖v_t‖ n,     L = {x_n ≥ ‖x_t‖},
///
/// and the curve consists of the (r, v, t) inside the cones with
///
///     Ŵ r + b̂ + ‖v_t‖ n − v = t m,   r ∘ v = t σ e,
///
/// where m is what the start (t = 1) misses and ‖v_t‖ is short for √(‖v_t‖² + (t δ)²), with a small
/// δ, so that the curve is smooth. At t = 0 it arrives. With friction t may rise on the
/// way: the curve folds back, and back again.
class CentralPath {
 public:
  struct Pair {
    Vector3 r, v;
  };
  using Pairs = std::vector<Pair>;  ///< one for each contact
  struct Point {
    Pairs at;
    double t = 1.0;
  };
  /// A row that measures how far a step leads along the curve: contacts count by how fast they
  /// move, so that a fold that few of a thousand contacts make is seen.
  struct Parameter {
    Pairs row;
    double t = 0.0;
    double speed = 0.0;  ///< of the tangent (dx/dt, 1), measured in the same way

    double of(const Pairs& step, double dt) const;
  };

  /// The start for a guess p: exactly on the curve with r ∘ v = `gap` e, and r − v that of p.
  void begin(const ContactProblem& problem, const Vector& p, double gap, Point& start);
  void impulses(const Point& x, Vector& p) const;
  /// Above this impulses count as growing without end.
  double largest_impulse() const;

  /// How far off the curve x is: 1 is about where a cone ends.
  double distance(const ContactProblem& problem, const Point& x);
  /// Differentiates at the x of the last distance(); false when singular.
  bool linearize(const ContactProblem& problem, const Point& x);
  /// Changes where the curve turns back in t.
  int side() const { return matrix_.determinant_sign(); }

  // At the x of the last linearize().
  /// Newton's step to the curve at the same t.
  void find_correction(const Point& x, Pairs& correction);
  /// dx/dt along the curve.
  void find_tangent(const Point& x, Pairs& tangent);
  /// d²x/dt² along the curve.
  void find_curvature(const Point& x, const Pairs& tangent, Pairs& curvature);
  /// Oriented like `direction` times the tangent (dx/dt, 1).
  void choose_parameter(const Point& x, const Pairs& tangent, int direction, Parameter& parameter);

  /// The largest part of a step that stays inside the cones.
  static double largest_step(const Pairs& at, const Pairs& step);

 private:
  struct Cone {
    Vector3 to_impulse;     ///< p = to_impulse ∘ r, component by component
    Vector3 takes_part;     ///< 1 for components with an equation, 0 for those that do not move
    bool is_rough = false;  ///< with the term ‖v_t‖
    double limit = 0.0;     ///< of kFriction
    Vector3 miss, first_miss;
    Matrix3 turn;  ///< derivative of v − ‖v_t‖ n
    second_order_cone::Scaling scaling;
    Vector3 point;  ///< F r = F⁻¹ v
  };

  void lay_out(const ContactProblem& problem, int contact);
  Pair first_pair(const Cone& cone, const Vector3& r, const Vector3& v) const;
  double sliding(const Point& x, std::size_t contact) const;
  void evaluate(const ContactProblem& problem, const Point& x);
  void solve(Pairs& direction);

  NewtonMatrix matrix_;
  std::vector<Cone> cones_;
  std::vector<Matrix3> A_, B_;
  Pairs sides_;  ///< right hand sides: `r` of the velocities, `v` of r ∘ v
  Vector p_, u_, x_;
  double speed_ = 1.0, impulse_ = 1.0;  ///< units in which r and v are of order one
  double gap_ = 1.0, first_miss_ = 0.0, rounding_ = 0.0;
};

}  // namespace picus
