// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/rank.h"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>
#include <Eigen/SPQRSupport>
#include <Eigen/SparseCore>

namespace picus {
namespace {

constexpr int kDenseRows = 400;  // above, SuiteSparseQR

// Aᵀ with columns (the rows of A) scaled to length one; zero rows stay zero.
Eigen::SparseMatrix<double> normalized_transpose(const SparseMatrix& A) {
  std::vector<Eigen::Triplet<double>> triplets;
  Vector length = Vector::Zero(A.rows());
  A.for_each([&](int row, int, double value) { length(row) += value * value; });
  A.for_each([&](int row, int col, double value) {
    if (length(row) > 0.0) triplets.emplace_back(col, row, value / std::sqrt(length(row)));
  });
  Eigen::SparseMatrix<double> result(A.cols(), A.rows());
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

// Column order, rank and triangular factor of a rank-revealing QR.
struct Pivoted {
  std::vector<int> order;
  int rank;
  Matrix combinations;  // R11⁻¹ R12: column j tells how order[rank + j] follows from the first
};

Pivoted dense_qr(const Eigen::SparseMatrix<double>& B, double tolerance) {
  Eigen::ColPivHouseholderQR<Matrix> qr{Matrix(B)};
  qr.setThreshold(tolerance);
  const auto rank = static_cast<int>(qr.rank());
  Pivoted result{{}, rank, {}};
  for (int j = 0; j < B.cols(); ++j)
    result.order.push_back(qr.colsPermutation().indices()(j));
  const Matrix R = qr.matrixR().topRows(rank);
  result.combinations = R.rightCols(B.cols() - rank);
  if (result.combinations.size() > 0)
    R.leftCols(rank).triangularView<Eigen::Upper>().solveInPlace(result.combinations);
  return result;
}

Pivoted sparse_qr(const Eigen::SparseMatrix<double>& B, double tolerance) {
  Eigen::SPQR<Eigen::SparseMatrix<double>> qr;
  qr.setPivotThreshold(tolerance);
  qr.compute(B);
  const auto rank = static_cast<int>(qr.rank());
  Pivoted result{{}, rank, {}};
  for (int j = 0; j < B.cols(); ++j)
    result.order.push_back(static_cast<int>(qr.colsPermutation().indices()(j)));
  const Eigen::SparseMatrix<double> R = qr.matrixR();
  const Eigen::SparseMatrix<double> R11 = R.topLeftCorner(rank, rank);
  result.combinations = Matrix(R.topRightCorner(rank, B.cols() - rank));
  if (result.combinations.size() > 0)
    R11.triangularView<Eigen::Upper>().solveInPlace(result.combinations);
  return result;
}

// Adds those of the columns that are new to all before; `left` is what the combinations of these
// leave over, and becomes what the new ones do.
void keep_new(const std::vector<int>& columns, double tolerance, Matrix& left,
              std::vector<int>& kept) {
  if (columns.empty()) return;
  Matrix stage(left.rows(), static_cast<int>(columns.size()));
  for (int j = 0; j < stage.cols(); ++j)
    stage.col(j) = left.col(columns[static_cast<std::size_t>(j)]);
  Eigen::ColPivHouseholderQR<Matrix> qr(stage);
  const auto pivots = std::min(stage.rows(), stage.cols());
  int rank = 0;  // columns are of length one: what is new is absolute
  while (rank < pivots && std::abs(qr.matrixR()(rank, rank)) > tolerance)
    ++rank;
  for (int j = 0; j < rank; ++j)
    kept.push_back(columns[static_cast<std::size_t>(qr.colsPermutation().indices()(j))]);
  const Matrix Q = Matrix(qr.householderQ()).leftCols(rank);
  left -= Q * (Q.transpose() * left).eval();
  left -= Q * (Q.transpose() * left).eval();  // rounding
}

}  // namespace

std::vector<int> find_independent_rows(const SparseMatrix& A, const std::vector<int>& stages,
                                       double tolerance) {
  std::vector<int> kept;
  if (stages.empty()) return kept;
  Matrix left(normalized_transpose(A));
  const int last = *std::max_element(stages.begin(), stages.end());
  for (int stage = 0; stage <= last; ++stage) {
    std::vector<int> columns;
    for (int row = 0; row < A.rows(); ++row)
      if (stages[static_cast<std::size_t>(row)] == stage) columns.push_back(row);
    keep_new(columns, tolerance, left, kept);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

RowRank find_independent_rows(const SparseMatrix& A, double tolerance) {
  RowRank result;
  if (A.rows() == 0) return result;
  const Eigen::SparseMatrix<double> B = normalized_transpose(A);
  const Pivoted qr = A.rows() <= kDenseRows ? dense_qr(B, tolerance) : sparse_qr(B, tolerance);
  result.independent.assign(qr.order.begin(), qr.order.begin() + qr.rank);
  for (int j = qr.rank; j < A.rows(); ++j) {
    RowRank::Dependent dependent{qr.order[static_cast<std::size_t>(j)], {}};
    for (int i = 0; i < qr.rank; ++i)
      if (std::abs(qr.combinations(i, j - qr.rank)) > 1e-6)
        dependent.on.push_back(qr.order[static_cast<std::size_t>(i)]);
    std::sort(dependent.on.begin(), dependent.on.end());
    result.dependent.push_back(std::move(dependent));
  }
  std::sort(result.independent.begin(), result.independent.end());
  std::sort(result.dependent.begin(), result.dependent.end(),
            [](const auto& a, const auto& b) { return a.row < b.row; });
  return result;
}

}  // namespace picus
