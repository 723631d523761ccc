// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "picus/dynamics/system.h"

namespace picus {

/// A batch adds what its parts contribute; vectors and matrices arrive sized and started.
class Batch {
 public:
  enum class Level { kPosition, kVelocity, kAcceleration };
  enum class Forces { kAll, kReactionsOnly };

  virtual ~Batch() = default;
  virtual bool is_flat() const = 0;
  virtual bool has_linear_reactions() const = 0;
  /// Control i becomes control place[i].
  virtual void renumber_controls(std::span<const int> place) = 0;
  virtual void retract(const Vector& q, const Vector& dq, Vector& result) const = 0;
  virtual void mass(const State& s, SparseMatrix& M) const = 0;
  virtual void force(const State& s, Vector& F) const = 0;
  virtual void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                                SparseMatrix& D) const = 0;
  virtual void constraint(const State& s, Level level, Vector& g) const = 0;
  virtual void constraint_tangent(const State& s, const Chart& c, SparseMatrix& G) const = 0;
  virtual void constraint_velocity_tangent(const State& s, const Chart& c,
                                           SparseMatrix& along_q) const = 0;
  virtual void constraint_acceleration_tangent(const State& s, const Chart& c,
                                               SparseMatrix& along_q,
                                               SparseMatrix& along_v) const = 0;
  virtual void multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                                  SparseMatrix& along_psi) const = 0;
  virtual void nonholonomic(const State& s, Level level, Vector& k) const = 0;
  virtual void nonholonomic_tangent(const State& s, const Chart& c, Level level,
                                    SparseMatrix& along_q, SparseMatrix& along_v) const = 0;
  virtual void control(const State& s, Vector& d) const = 0;
  virtual void control_tangent(const State& s, const Chart& c, ControlTangent& tangent) const = 0;
};

}  // namespace picus
