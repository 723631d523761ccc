// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/LU>

#include "picus/math/linear_solver.h"
#include "picus/math/permutation_sign.h"

namespace picus {
namespace {

class DenseSolver final : public LinearSolver {
 public:
  void analyze(const CompressedColumns& A) override {
    lu_ = Eigen::PartialPivLU<Matrix>(A.size);
    matrix_.resize(A.size, A.size);
    scale_.resize(A.size);
    scratch_.resize(A.size);
  }

  bool factorize(const CompressedColumns& A) override {
    scatter(A);
    for (int i = 0; i < A.size; ++i) {
      if (!std::isfinite(scale_(i)) || scale_(i) == 0.0) {
        weakest_ = i;
        ratio_ = 0.0;
        return false;
      }
      scale_(i) = 1.0 / scale_(i);
    }
    matrix_.array().colwise() *= scale_.array();
    lu_.compute(matrix_);
    measure_pivots();
    return ratio_ >= least_ratio();
  }

  void solve(Vector& x) const override {
    scratch_ = scale_.cwiseProduct(x);
    x.noalias() = lu_.permutationP() * scratch_;
    lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(x);
    lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(x);
  }

  // D A = P⁻¹ L U with the scale D of rows, so A⁻ᵀ = D P⁻¹ L⁻ᵀ U⁻ᵀ
  void solve_transposed(Vector& x) const override {
    lu_.matrixLU().triangularView<Eigen::Upper>().transpose().solveInPlace(x);
    lu_.matrixLU().triangularView<Eigen::UnitLower>().transpose().solveInPlace(x);
    scratch_.noalias() = lu_.permutationP().transpose() * x;
    x = scale_.cwiseProduct(scratch_);
  }

  double pivot_ratio() const override { return ratio_; }
  int determinant_sign() const override {  // rows were scaled by positive numbers
    const auto negative = (lu_.matrixLU().diagonal().array() < 0.0).count();
    const auto& rows = lu_.permutationP().indices();
    return permutation_sign({rows.data(), static_cast<std::size_t>(rows.size())}, seen_) *
           (negative % 2 == 0 ? 1 : -1);
  }
  int weakest() const override { return weakest_; }

 private:
  void measure_pivots_by_column() {
    ratio_ = 1.0;
    for (int i = 0; i < matrix_.cols(); ++i) {
      const double largest = matrix_.col(i).cwiseAbs().maxCoeff();
      const double part = std::abs(lu_.matrixLU()(i, i)) / largest;
      if (part >= ratio_) continue;  // false for NaN
      ratio_ = std::isfinite(part) ? part : 0.0;
      weakest_ = i;
    }
  }

  // Fills the dense matrix and the largest magnitude of each row; NaN survives into the scale.
  void scatter(const CompressedColumns& A) {
    matrix_.setZero();
    scale_.setZero();
    for (int col = 0; col < A.size; ++col) {
      const auto begin = static_cast<std::size_t>(A.column_starts[static_cast<std::size_t>(col)]);
      const auto end = static_cast<std::size_t>(A.column_starts[static_cast<std::size_t>(col) + 1]);
      for (std::size_t k = begin; k < end; ++k) {
        const int row = A.row_indices[k];
        matrix_(row, col) = A.values[k];
        const double magnitude = std::abs(A.values[k]);
        if (!(magnitude <= scale_(row))) scale_(row) = magnitude;
      }
    }
  }

  void measure_pivots() {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (int i = 0; i < matrix_.rows(); ++i) {
      const double pivot = std::abs(lu_.matrixLU()(i, i));
      largest = std::max(largest, pivot);
      if (!(pivot >= smallest)) {
        smallest = pivot;
        weakest_ = i;
      }
    }
    ratio_ = largest > 0.0 && std::isfinite(smallest / largest) ? smallest / largest : 0.0;
    if (matrix_.rows() == 0) ratio_ = 1.0;
    if (ratio_ < kSmallPivotRatio) measure_pivots_by_column();
  }

  Eigen::PartialPivLU<Matrix> lu_;
  Matrix matrix_;
  Vector scale_;
  mutable Vector scratch_;
  double ratio_ = 0.0;
  mutable std::vector<bool> seen_;  ///< while a permutation is walked through
  int weakest_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_dense_solver() {
  return std::make_unique<DenseSolver>();
}

}  // namespace picus
