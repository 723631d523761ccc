// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Decompositions of dense matrices by Eigen, compiled once: each of them costs a compiler seconds
// wherever its template is used. Not for steps: results are allocated.

#include "picus/math/types.h"

namespace picus {

/// The solutions of A x = λ B x for symmetric A: λ ascending, x as columns.
struct SymmetricModes {
  Vector values;
  Matrix vectors;
};

/// B = 1: the vectors are orthonormal.
SymmetricModes symmetric_modes(const Matrix& A);
/// B positive definite: xᵀ B x = 1.
SymmetricModes symmetric_modes(const Matrix& A, const Matrix& B);
/// The values alone.
Vector symmetric_eigenvalues(const Matrix& A);

/// The same of any square matrix, in no order; vectors have length one.
struct ComplexModes {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
ComplexModes complex_modes(const Matrix& A);

/// Orthonormal columns orthogonal to all rows of J.
Matrix orthogonal_to_rows(const Matrix& J);

/// A⁻¹ B of a regular matrix, by LU factors with partial pivoting.
Matrix solve_dense(const Matrix& A, const Matrix& B);
Matrix inverse_of(const Matrix& A);
double determinant_of(const Matrix& A);

}  // namespace picus
