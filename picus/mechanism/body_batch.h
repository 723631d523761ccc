// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/dynamics/batch.h"
#include "picus/mechanism/term.h"

namespace picus {

/// The motion of all bodies; inertia and gravity of those that are not nodes of a flexible part.
class BodyBatch final : public Batch {
 public:
  BodyBatch(const Bodies& bodies, Vector3 gravity)
      : bodies_(bodies), gravity_(std::move(gravity)) {}

  bool is_flat() const override;
  bool is_linear() const override { return is_flat(); }
  void retract(const Vector& q, const Vector& dq, Vector& result) const override;
  void increment_rate(const Chart& c, const Vector& v, Vector& rate) const override;
  void increment_rate_tangent(const Chart& c, const Vector& v, SparseMatrix& along_increment,
                              SparseMatrix& along_velocity) const override;
  void difference(const Vector& from, const Vector& to, Vector& dq) const override;
  void mass(const State& s, SparseMatrix& M) const override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;

 private:
  const Bodies& bodies_;
  Vector3 gravity_;
};

/// Angles that count full turns: positions without velocities, carried along by retract(). Comes
/// after the bodies.
class AngleMemory final : public Batch {
 public:
  AngleMemory(const Bodies& bodies, std::vector<Term> terms)
      : bodies_(bodies), terms_(std::move(terms)) {}
  bool is_flat() const override { return terms_.empty(); }
  bool is_linear() const override { return terms_.empty(); }
  void retract(const Vector& q, const Vector& dq, Vector& result) const override;

 private:
  const Bodies& bodies_;
  std::vector<Term> terms_;
};

}  // namespace picus
