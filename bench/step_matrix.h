// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/SparseCore>

#include "picus/dynamics/system.h"
#include "picus/math/linear_solver.h"

namespace picus::bench {

/// The matrix of a Newton iteration, assembled apart from the steppers so that its factorisation
/// can be timed alone. `levels` is how often the constraints are enforced: 1 as in index3, 2 as in
/// ggl, 3 as in stabilized_index1.
Eigen::SparseMatrix<double> step_matrix(const System& system, const State& s, double h, int levels);

/// The arrays of a compressed matrix, on loan.
CompressedColumns view(const Eigen::SparseMatrix<double>& A);

/// Levels of a method of the catalog.
int levels_of(std::string_view method);

}  // namespace picus::bench
