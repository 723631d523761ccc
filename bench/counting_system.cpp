// SPDX-License-Identifier: BSD-3-Clause
#include "bench/counting_system.h"

namespace picus::bench {

void CountingSystem::retract(const Vector& q, const Vector& dq, Vector& result) const {
  count(Function::kRetract);
  of_.retract(q, dq, result);
}

void CountingSystem::mass_matrix(const State& s, SparseMatrix& M) const {
  count(Function::kMassMatrix);
  of_.mass_matrix(s, M);
}

void CountingSystem::force(const State& s, Vector& F) const {
  count(Function::kForce);
  of_.force(s, F);
}

void CountingSystem::momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                                      SparseMatrix& D) const {
  count(Function::kMomentumTangent);
  of_.momentum_tangent(s, chart, K, D);
}

void CountingSystem::correction_tangent(const State& s, const Chart& chart,
                                        SparseMatrix& along_position,
                                        SparseMatrix& along_velocity) const {
  count(Function::kCorrectionTangent);
  of_.correction_tangent(s, chart, along_position, along_velocity);
}

void CountingSystem::constraint(const State& s, Vector& g) const {
  count(Function::kConstraint);
  of_.constraint(s, g);
}

void CountingSystem::constraint_velocity(const State& s, Vector& rate) const {
  count(Function::kConstraintVelocity);
  of_.constraint_velocity(s, rate);
}

void CountingSystem::constraint_acceleration(const State& s, Vector& acceleration) const {
  count(Function::kConstraintAcceleration);
  of_.constraint_acceleration(s, acceleration);
}

void CountingSystem::constraint_jacobian(const State& s, SparseMatrix& G) const {
  count(Function::kConstraintJacobian);
  of_.constraint_jacobian(s, G);
}

void CountingSystem::constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const {
  count(Function::kConstraintJacobian);
  of_.constraint_tangent(s, chart, G);
}

void CountingSystem::constraint_velocity_tangent(const State& s, const Chart& chart,
                                                 SparseMatrix& along_position) const {
  count(Function::kConstraintVelocityTangent);
  of_.constraint_velocity_tangent(s, chart, along_position);
}

void CountingSystem::constraint_acceleration_tangent(const State& s, const Chart& chart,
                                                     SparseMatrix& along_position,
                                                     SparseMatrix& along_velocity) const {
  count(Function::kConstraintAccelerationTangent);
  of_.constraint_acceleration_tangent(s, chart, along_position, along_velocity);
}

void CountingSystem::multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                                        SparseMatrix& along_nonholonomic) const {
  count(Function::kMultiplierTangent);
  of_.multiplier_tangent(s, along_multiplier, along_nonholonomic);
}

void call(const System& system, Function function, const State& s, const Vector& zero,
          FunctionScratch& to) {
  const Chart chart{s.position, zero};
  switch (function) {
    case Function::kRetract:
      return system.retract(s.position, zero, to.q);
    case Function::kMassMatrix:
      return system.mass_matrix(s, to.M);
    case Function::kForce:
      return system.force(s, to.F);
    case Function::kMomentumTangent:
      return system.momentum_tangent(s, chart, to.K, to.D);
    case Function::kCorrectionTangent:
      return system.correction_tangent(s, chart, to.K, to.D);
    case Function::kConstraint:
      return system.constraint(s, to.g);
    case Function::kConstraintVelocity:
      return system.constraint_velocity(s, to.g);
    case Function::kConstraintAcceleration:
      return system.constraint_acceleration(s, to.g);
    case Function::kConstraintJacobian:
      return system.constraint_jacobian(s, to.G);
    case Function::kConstraintVelocityTangent:
      return system.constraint_velocity_tangent(s, chart, to.G);
    case Function::kConstraintAccelerationTangent:
      return system.constraint_acceleration_tangent(s, chart, to.A, to.B);
    case Function::kMultiplierTangent:
      return system.multiplier_tangent(s, to.A, to.B);
  }
}

}  // namespace picus::bench
