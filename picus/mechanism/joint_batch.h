// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Constraints between bodies: sums of measures that stay zero or follow a function of time, and
// sums of rates that do.

#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/mechanism/term_list.h"

namespace picus {

/// Holonomic constraints, one multiplier each.
class JointBatch final : public Batch {
 public:
  JointBatch(const Bodies& bodies, std::vector<ConstraintEquation> equations)
      : terms_(bodies, equations), equations_(std::move(equations)) {}

  bool is_linear() const override { return terms_.is_constant(); }
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void constraint(const State& s, Level level, Vector& g) const override;
  void constraint_tangent(const State& s, const Chart& c, SparseMatrix& G) const override;
  void constraint_velocity_tangent(const State& s, const Chart& c,
                                   SparseMatrix& along_q) const override;
  void constraint_acceleration_tangent(const State& s, const Chart& c, SparseMatrix& along_q,
                                       SparseMatrix& along_v) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                          SparseMatrix& along_psi) const override;

 private:
  TermList terms_;
  std::vector<ConstraintEquation> equations_;
};

/// Nonholonomic constraints: rolling, skates.
class RollingBatch final : public Batch {
 public:
  RollingBatch(const Bodies& bodies, std::vector<ConstraintEquation> equations)
      : terms_(bodies, equations), equations_(std::move(equations)) {}

  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                          SparseMatrix& along_psi) const override;
  void nonholonomic(const State& s, Level level, Vector& k) const override;
  void nonholonomic_tangent(const State& s, const Chart& c, Level level, SparseMatrix& along_q,
                            SparseMatrix& along_v) const override;

 private:
  TermList terms_;
  std::vector<ConstraintEquation> equations_;
};

}  // namespace picus
