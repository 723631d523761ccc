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
};

/// What a term looks like at a state; weights are included.
class TermView {
 public:
  TermView(const Bodies& bodies, const Term& term, const State& s);
  /// The same with derivatives along the increment of a chart.
  TermView(const Bodies& bodies, const Term& term, const State& s, const Chart& chart);

  double value() const;
  /// Along the twelve velocities.
  const Row<double>& row() const { return row_; }
  double rate() const { return row_.dot(v_); }
  /// row · v̇ + v · ∂row · v
  double acceleration() const;

  // Derivatives along positions (increments of the chart), twelve columns.

  Row<double> value_tangent() const { return charted(row_); }
  Hessian row_tangent() const;       ///< ∂row/∂q
  Row<double> rate_tangent() const;  ///< ∂(row · v)/∂q
  Row<double> acceleration_tangent() const;
  /// ∂(acceleration)/∂v: (H + Hᵀ) v.
  Row<double> acceleration_along_velocity() const;

  /// Places of the twelve velocities in the system; -1 for those a body does not have.
  const std::array<int, 12>& places() const { return places_; }

 private:
  Row<double> charted(Row<double> row) const;
  const Hessian& hessian() const;
  bool can_turn(int body) const;

  const Bodies& bodies_;
  const Term& term_;
  const State& state_;
  Pose<double> i_, j_;
  Row<double> row_, v_, a_;
  std::array<int, 12> places_;
  bool has_chart_ = false;
  Matrix3 turn_i_, turn_j_;  ///< T of the chart
  mutable bool has_hessian_ = false;
  mutable Hessian hessian_;
};

/// Value of the term's measure, near the remembered one when it has a memory. Not weighted.
double measure(const Bodies& bodies, const Term& term, const Vector& q);

}  // namespace picus
