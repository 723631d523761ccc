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

/// Two bodies at a state: what all terms between them share.
struct PairView {
  PairView(const Bodies& bodies, int body_i, int body_j, const State& s);
  /// The same with derivatives along the increment of a chart.
  PairView(const Bodies& bodies, int body_i, int body_j, const State& s, const Chart& chart);

  bool is_of(const Term& term) const { return body_i == term.body_i && body_j == term.body_j; }

  const Bodies& bodies;
  const State& state;
  int body_i, body_j;
  Pose<double> i, j;
  Row<double> velocity;
  /// Places of the twelve velocities in the system; -1 for those a body does not have.
  std::array<int, 12> places;
  bool has_chart = false;
  Matrix3 turn_i, turn_j;  ///< T of the chart, when it has one
};

/// What a term looks like at a state; weights are included.
class TermView {
 public:
  /// Both must outlive the view.
  TermView(const PairView& pair, const Term& term);

  double value() const;
  /// Along the twelve velocities.
  const Row<double>& row() const { return row_; }
  double rate() const { return row_.dot(pair_.velocity); }
  /// row · v̇ + v · ∂row · v
  double acceleration() const;

  // Derivatives along positions (increments of the chart), twelve columns.

  Row<double> value_tangent() const { return charted(row_); }
  Hessian row_tangent() const;       ///< ∂row/∂q
  Row<double> rate_tangent() const;  ///< ∂(row · v)/∂q
  Row<double> acceleration_tangent() const;
  /// ∂(acceleration)/∂v: (H + Hᵀ) v.
  Row<double> acceleration_along_velocity() const;

  const std::array<int, 12>& places() const { return pair_.places; }

 private:
  Row<double> charted(Row<double> row) const;
  const Hessian& hessian() const;

  const PairView& pair_;
  const Term& term_;
  Row<double> row_;
  mutable bool has_hessian_ = false;
  mutable Hessian hessian_;
};

/// A term on its own, with the pair it looks at.
struct LonePair {
  PairView pair;
};
class LoneTermView : private LonePair, public TermView {
 public:
  LoneTermView(const Bodies& bodies, const Term& term, const State& s)
      : LonePair{{bodies, term.body_i, term.body_j, s}}, TermView(LonePair::pair, term) {}
  /// The same with derivatives along the increment of a chart.
  LoneTermView(const Bodies& bodies, const Term& term, const State& s, const Chart& chart)
      : LonePair{{bodies, term.body_i, term.body_j, s, chart}}, TermView(LonePair::pair, term) {}
  LoneTermView(const LoneTermView&) = delete;
  LoneTermView& operator=(const LoneTermView&) = delete;
};

/// Value of the term's measure, near the remembered one when it has a memory. Not weighted.
double measure(const Bodies& bodies, const Term& term, const Vector& q);

}  // namespace picus
