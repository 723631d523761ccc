// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/linearization.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/math/decompositions.h"
#include "picus/runs/names.h"
#include "picus/steppers/stepper.h"

namespace picus {

RegularSystem::RegularSystem(const System& full, const Consistency& consistency) : full_(full) {
  if (full.sizes().contacts > 0 || full.finds_contacts())
    throw InputError(
        "equilibria and modes are not defined with rigid contacts; give the contacts compliance, "
        "or remove them");
  if (full.sizes().friction_elements > 0)
    throw InputError(
        fmt::format("equilibria and modes are not defined with dry friction: {}; give slip_speed, "
                    "or remove the friction",
                    friction_elements_of(full)));
  if (!consistency.redundant.empty())
    reduced_ = std::make_unique<IndependentConstraints>(full, consistency.independent,
                                                        consistency.independent_nonholonomic);
}

void RegularSystem::reduce(const State& full_state, State& state) const {
  if (reduced_) {
    reduced_->reduce(full_state, state);
  } else {
    state = full_state;
  }
}

void RegularSystem::restore(const State& state, State& full_state) const {
  if (reduced_) {
    reduced_->restore(state, full_state);
  } else {
    full_state = state;
  }
}

Matrix allowed_motions(const System& system, const State& s) {
  const SystemSizes n = system.sizes();
  const int rows = n.constraints + n.nonholonomic;
  if (rows == 0) return Matrix::Identity(n.velocities, n.velocities);
  const Vector zero = Vector::Zero(n.velocities);
  Matrix J = Matrix::Zero(rows, n.velocities);
  SparseMatrix G, k_q, k_v;
  if (n.constraints > 0) {
    system.constraint_jacobian(s, G);
    J.topRows(n.constraints) = G.dense();
  }
  if (n.nonholonomic > 0) {
    system.nonholonomic_tangent(s, {s.position, zero}, k_q, k_v);
    J.bottomRows(n.nonholonomic) = k_v.dense();
  }
  return orthogonal_to_rows(J);
}

void expect_dense_size(const System& system) {
  const SystemSizes n = system.sizes();
  const int size = n.velocities + n.constraints + n.nonholonomic + n.controls;
  if (size > kLargestDense)
    throw InputError(fmt::format(
        "the model has {} unknowns; linearization uses dense matrices and handles up to {}", size,
        kLargestDense));
}

double AllowedStiffness::rounding() const {
  return 1e-10 * std::max(max_abs(values), scale);
}

AllowedStiffness allowed_stiffness(const System& system, const State& s) {
  const Vector zero = Vector::Zero(system.sizes().velocities);
  SparseMatrix M, K, D;
  system.mass_matrix(s, M);
  system.momentum_tangent(s, {s.position, zero}, K, D);
  const Matrix N = allowed_motions(system, s);
  if (N.cols() == 0) return {};
  const Matrix mass = N.transpose() * M.dense() * N;
  const Matrix full = N.transpose() * K.dense() * N;
  const Matrix symmetric = 0.5 * (full + full.transpose());
  SymmetricModes modes = symmetric_modes(symmetric, mass);
  const Vector weights = kinetic_weights(system, s);
  double scale = 0.0;
  K.for_each([&](int row, int col, double value) {
    const double mass_of_both = weights(row) * weights(col);
    if (mass_of_both > 0.0) scale = std::max(scale, std::abs(value) / mass_of_both);
  });
  return {std::move(modes.values), N * modes.vectors, scale};
}

}  // namespace picus
