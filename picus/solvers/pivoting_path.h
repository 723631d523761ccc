// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "picus/base/contact_mode.h"
#include "picus/solvers/contact_problem.h"
#include "picus/solvers/newton_matrix.h"

namespace picus {

/// The path from a guess to the solution of a proximal contact problem, followed by pivots
/// [DirkseFerris1995].
///
/// With one unknown x = p − ρ u for both impulse and velocity the laws of contact are p = P(x):
/// x_n cut off at zero, x_t at the limit of friction. The problem is
///
///     F(x) = W P(x) + b + ε D (P(x) − p₀) − (P(x) − x)/ρ = 0,
///
/// p₀ the guess, D the diagonal of W, and the path is F(x) = t F(x₀) from t = 1 to t = 0. In the
/// plane P is piecewise linear. In space it is made so: d is the direction of x_t at the start, e
/// is across, and only what happens along d has pieces, while P_e = s x_e with s as at the start: 1
/// where the contact sticks, μ x_n/‖x_t‖ where it slips, 0 where it is open. That is the exact
/// derivative of P at the start, so that starts that follow each other are Newton's method.
///
/// In a piece dx/dt is constant. Where a contact enters another piece, the matrix changes by
/// one column times one row; when its determinant changes sign the path turns back in t. So a pivot
/// costs one solution with old factors, and no piece is missed, however many there are.
class PivotingPath {
 public:
  /// Values of t at which the path is remembered where it first passes them.
  static constexpr std::array kStops{0.9, 0.75, 0.5, 0.25, 0.0};

  /// Studies the pattern of the problem.
  void prepare(const ContactProblem& problem);
  /// Puts the start at the impulses p, which are p₀, too.
  void begin(const ContactProblem& problem, const Vector& p, double epsilon);
  /// ‖F‖ at the start.
  double miss() const { return miss_; }
  /// Goes along until t = 0, until t has risen, or for `most` pivots.
  void follow(const ContactProblem& problem, int most);
  /// Corrects the end of a path that has arrived, where the law is not the straightened one of
  /// the path.
  void straighten(const ContactProblem& problem);
  /// Pivots of the last follow().
  int pivots() const { return pivots_; }
  /// Whether it came to t = 0.
  bool arrives() const { return stops_ == kStops.size(); }
  /// The impulses at a stop of a path that has arrived; returns ‖F‖ with the true P there.
  double impulses_at(const ContactProblem& problem, std::size_t stop, Vector& p);
  /// The impulses where follow() has ended, be it at t = 0 or on the way.
  void impulses_here(Vector& p) const;

 private:
  struct Contact {
    /// The piece of P: slips have a side, along ±d, and so do contacts without friction.
    LawMode mode;
    Vector2 along = Vector2::UnitX();  ///< d
    double across = 0.0;               ///< s
    double inertia = 1.0;              ///< ρ
    double slope = 0.0;                ///< of the limit of friction by x_n
    double limit = 0.0;                ///< of friction at x_n = 0
    bool has_normal = true, has_friction = true;

    Vector3 d() const { return {0.0, along(0), along(1)}; }
    Vector3 e() const { return {0.0, -along(1), along(0)}; }
    double friction(double x_n) const { return limit + slope * x_n; }
  };
  /// Where a contact leaves its piece.
  struct Face {
    double way = 0.0;
    int contact = -1;
    LawMode to;
  };
  /// The matrix has become itself times (1 + w vᵀ), v at one contact only.
  struct Update {
    Vector w;
    Vector3 v;
    int contact = 0;
    double pivot = 1.0;
  };

  void choose_pieces(const ContactProblem& problem);
  Vector3 project(const Contact& contact, const Vector3& x) const;
  Vector3 linear(const Contact& contact, const Vector3& x) const;
  Matrix3 derivative(const Contact& contact) const;
  void evaluate(const ContactProblem& problem, const Vector& p);
  bool factorize(const ContactProblem& problem);
  void solve(Vector& x) const;
  bool start_anew(const ContactProblem& problem);
  Face next_face(double direction) const;
  bool cross(const ContactProblem& problem, const Face& face);
  void go(double way, double direction);

  NewtonMatrix matrix_;
  std::vector<Contact> contacts_;
  std::vector<Matrix3> A_, B_;
  std::vector<Update> updates_;
  std::size_t used_ = 0;
  Vector x_, rate_, start_, F_, p_, anchor_, correction_, best_;  // rate_ is dx/dt
  std::array<Vector, kStops.size()> at_stops_;
  std::size_t stops_ = 0;
  double epsilon_ = 0.0, miss_ = 0.0;
  double t_ = 1.0, direction_ = -1.0;
  int pivots_ = 0;
};

}  // namespace picus
