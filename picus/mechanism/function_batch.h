// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Constraints and gaps that are functions of measures: formulas of the user, curves.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/mechanism/motion.h"
#include "picus/mechanism/term.h"

namespace picus {

/// A number that moves: two derivatives by time, and those of all of them along one direction.
using Jet = Dual<1, Dual<1, Dual<1>>>;

/// A function of measures s, of their rates and of time [s], in SI units. Must not allocate.
using MeasureFunction =
    std::function<Jet(std::span<const Jet> s, std::span<const Jet> rates, const Jet& time)>;

/// 0 = f(s, t), or 0 = f(s, ṡ, t) with f linear in the rates.
struct FunctionEquation {
  int row = -1;  ///< of g, or of k
  std::vector<Term> terms = {};
  MeasureFunction function = {};
};

/// Functions see at most this many measures, so that they fit on the stack.
inline constexpr std::size_t kMaxMeasures = 16;

/// What a function of measures is at a state, which may lack accelerations: they count as zero.
MotionValue value_of(const Bodies& bodies, const FunctionEquation& equation, const State& s);

/// ∂f/∂r of a body that moves without turning, axes in space; ∂f/∂v of a function of rates. A force
/// of magnitude one along the function pushes the body by this vector.
Vector3 gradient_of(const Bodies& bodies, const FunctionEquation& equation, const State& s,
                    int body, bool of_rates);

/// Holonomic equations and gaps g = f(s, t).
class FunctionBatch final : public Batch {
 public:
  FunctionBatch(const Bodies& bodies, std::vector<FunctionEquation> equations)
      : bodies_(bodies), equations_(std::move(equations)) {}

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
  const Bodies& bodies_;
  std::vector<FunctionEquation> equations_;
};

/// Nonholonomic equations and slips k = f(s, ṡ, t).
class FunctionRateBatch final : public Batch {
 public:
  FunctionRateBatch(const Bodies& bodies, std::vector<FunctionEquation> equations)
      : bodies_(bodies), equations_(std::move(equations)) {}

  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                          SparseMatrix& along_psi) const override;
  void nonholonomic(const State& s, Level level, Vector& k) const override;
  void nonholonomic_tangent(const State& s, const Chart& c, Level level, SparseMatrix& along_q,
                            SparseMatrix& along_v) const override;

 private:
  const Bodies& bodies_;
  std::vector<FunctionEquation> equations_;
};

}  // namespace picus
