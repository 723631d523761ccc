// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A direction (elements/directions.h) between two bodies of a mechanism, with all its derivatives.

#include <array>

#include "picus/dynamics/system.h"
#include "picus/elements/directions.h"
#include "picus/mechanism/bodies.h"

namespace picus {

struct Term {
  double weight = 1.0;
  int body_i = Bodies::kGround, body_j = Bodies::kGround;
  Direction direction = {};
  /// Position that remembers the value of an angle from step to step, so that it counts full turns;
  /// -1 when the value needs no memory.
  int memory = -1;

  bool operator==(const Term&) const = default;
};

/// Whether the direction is the gradient of a measure; sliding velocities in space are not.
bool has_value(const Direction& direction);

/// Two bodies at a state: what all terms between them share.
class PairView {
 public:
  PairView(const Bodies& bodies, const State& s) : bodies_(bodies), state_(s) {}
  /// The same with derivatives along the increment of a chart.
  PairView(const Bodies& bodies, const State& s, const Chart& chart)
      : bodies_(bodies), state_(s), chart_(&chart) {}

  /// Turns to these bodies; what is known of them from before is kept.
  void look_at(int body_i, int body_j);
  void look_at(const Term& term) { look_at(term.body_i, term.body_j); }

  const Bodies& bodies() const { return bodies_; }
  const State& state() const { return state_; }
  const Pose<double>& i() const { return i_; }
  const Pose<double>& j() const { return j_; }
  /// The entries of the velocity at places().
  const Row<double>& velocity() const { return velocity_; }
  /// Places of the twelve velocities in the system; -1 for those a body does not have.
  const std::array<int, 12>& places() const { return places_; }
  /// False when velocity() holds the twists themselves.
  bool has_shares() const { return has_shares_i_ || has_shares_j_; }
  const Row<double>& shares() const { return shares_; }  ///< Bodies::shares() of both
  /// False when the chart changes nothing.
  bool has_chart() const { return is_turned_i_ || is_turned_j_; }
  const Matrix3& turn_i() const { return turn_i_; }  ///< T of the chart
  const Matrix3& turn_j() const { return turn_j_; }

 private:
  void load(int body, int first, Pose<double>& pose);
  bool turn(int body, Matrix3& T) const;
  bool share(int body, int first);

  const Bodies& bodies_;
  const State& state_;
  const Chart* chart_ = nullptr;
  int body_i_ = -1, body_j_ = -1;
  Pose<double> i_, j_;
  Row<double> velocity_;
  std::array<int, 12> places_;
  bool has_shares_i_ = false, has_shares_j_ = false;
  Row<double> shares_ = Row<double>::Ones();
  bool is_turned_i_ = false, is_turned_j_ = false;
  Matrix3 turn_i_, turn_j_;
};

/// What a term looks like at a state; weights are included.
class TermView {
 public:
  /// The pair looks at the bodies of the term for as long as the view is used.
  TermView(const PairView& pair, const Term& term);

  double value() const;
  /// Along the twelve velocities.
  const Row<double>& row() const { return row_; }
  double rate() const { return row_.dot(pair_.velocity()); }
  /// row · v̇ + v · ∂row · v
  double acceleration() const;

  // Derivatives along positions (increments of the chart), twelve columns.

  Row<double> value_tangent() const { return charted(row_); }
  Hessian row_tangent() const;       ///< ∂row/∂q
  Row<double> rate_tangent() const;  ///< ∂(row · v)/∂q
  Row<double> acceleration_tangent() const;
  /// ∂(acceleration)/∂v: (H + Hᵀ) v.
  Row<double> acceleration_along_velocity() const;

  const std::array<int, 12>& places() const { return pair_.places(); }

 private:
  Row<double> charted(Row<double> row) const;
  const Hessian& hessian() const;
  /// Entries of the acceleration at places().
  Row<double> acceleration_entries() const;

  const PairView& pair_;
  const Term& term_;
  Row<double> row_;
  mutable bool has_hessian_ = false;
  mutable Hessian hessian_;
};

/// A pair that looks at the bodies of one term.
struct LonePair {
  PairView pair;

  template <class... Where>
  explicit LonePair(const Bodies& bodies, const Term& term, const Where&... where)
      : pair(bodies, where...) {
    pair.look_at(term);
  }
};

/// A term on its own, with the pair it looks at.
class LoneTermView : private LonePair, public TermView {
 public:
  LoneTermView(const Bodies& bodies, const Term& term, const State& s)
      : LonePair(bodies, term, s), TermView(LonePair::pair, term) {}
  /// The same with derivatives along the increment of a chart.
  LoneTermView(const Bodies& bodies, const Term& term, const State& s, const Chart& chart)
      : LonePair(bodies, term, s, chart), TermView(LonePair::pair, term) {}
  LoneTermView(const LoneTermView&) = delete;
  LoneTermView& operator=(const LoneTermView&) = delete;
};

/// True when its row is the same everywhere: a direction of space between bodies that do not turn.
bool is_constant(const Bodies& bodies, const Term& term);

/// What the term does along the twists of its two bodies, in space; weighted.
Row<double> row_in_space(const Term& term, const Pose<double>& i, const Pose<double>& j);

/// Value of the term's measure, near the remembered one when it has a memory. Not weighted.
double measure(const Bodies& bodies, const Term& term, const Vector& q);

}  // namespace picus
