// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

#include "picus/dynamics/system.h"

namespace picus::bench {

/// The functions of a System that do work.
enum class Function {
  kRetract,
  kMassMatrix,
  kForce,
  kMomentumTangent,
  kCorrectionTangent,
  kConstraint,
  kConstraintVelocity,
  kConstraintAcceleration,
  kConstraintJacobian,
  kConstraintVelocityTangent,
  kConstraintAccelerationTangent,
  kMultiplierTangent
};
inline constexpr std::array<std::string_view, 12> kFunctionNames{"retract",
                                                                 "mass_matrix",
                                                                 "force",
                                                                 "momentum_tangent",
                                                                 "correction_tangent",
                                                                 "constraint",
                                                                 "constraint_velocity",
                                                                 "constraint_acceleration",
                                                                 "constraint_jacobian",
                                                                 "constraint_velocity_tangent",
                                                                 "constraint_acceleration_tangent",
                                                                 "multiplier_tangent"};
inline constexpr std::size_t kFunctions = kFunctionNames.size();

/// Forwards to another system and counts the calls. Holonomic constraints on a vector space only:
/// that is what the measured problems are.
class CountingSystem final : public System {
 public:
  explicit CountingSystem(const System& of) : of_(of) {}

  std::array<long, kFunctions> counts() const { return counts_; }

  SystemSizes sizes() const override { return of_.sizes(); }
  bool is_flat() const override { return of_.is_flat(); }
  bool has_linear_reactions() const override { return of_.has_linear_reactions(); }
  std::string name_of(Equation kind, int index) const override { return of_.name_of(kind, index); }

  void retract(const Vector& q, const Vector& dq, Vector& result) const override;
  void mass_matrix(const State& s, SparseMatrix& M) const override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void correction_tangent(const State& s, const Chart& chart, SparseMatrix& along_position,
                          SparseMatrix& along_velocity) const override;
  void constraint(const State& s, Vector& g) const override;
  void constraint_velocity(const State& s, Vector& rate) const override;
  void constraint_acceleration(const State& s, Vector& acceleration) const override;
  void constraint_jacobian(const State& s, SparseMatrix& G) const override;
  void constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const override;
  void constraint_velocity_tangent(const State& s, const Chart& chart,
                                   SparseMatrix& along_position) const override;
  void constraint_acceleration_tangent(const State& s, const Chart& chart,
                                       SparseMatrix& along_position,
                                       SparseMatrix& along_velocity) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                          SparseMatrix& along_nonholonomic) const override;

 private:
  void count(Function function) const { ++counts_[static_cast<std::size_t>(function)]; }

  const System& of_;
  mutable std::array<long, kFunctions> counts_{};
};

/// Outputs of one call of each function, reused as a stepper reuses its own.
struct FunctionScratch {
  Vector q, F, g;
  SparseMatrix M, K, D, G, A, B;
};

/// Calls one function of the system at a state, the increment of the chart being zero.
void call(const System& system, Function function, const State& s, const Vector& zero,
          FunctionScratch& scratch);

}  // namespace picus::bench
