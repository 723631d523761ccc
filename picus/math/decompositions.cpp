// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace picus {

SymmetricModes symmetric_modes(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricModes symmetric_modes(const Matrix& A, const Matrix& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(A, B);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

ComplexModes complex_modes(const Matrix& A) {
  const Eigen::EigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Matrix orthogonal_to_rows(const Matrix& J) {
  // the last columns of Q of Jᵀ P = Q R
  const Eigen::ColPivHouseholderQR<Matrix> qr(J.transpose());
  const Matrix Q = qr.householderQ();
  return Q.rightCols(J.cols() - qr.rank());
}

Matrix solve_dense(const Matrix& A, const Matrix& B) {
  return A.partialPivLu().solve(B);
}

Matrix inverse_of(const Matrix& A) {
  return A.inverse();
}

double determinant_of(const Matrix& A) {
  return A.determinant();
}

}  // namespace picus
