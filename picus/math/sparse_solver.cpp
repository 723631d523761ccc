// SPDX-License-Identifier: BSD-3-Clause
// SuiteSparse KLU behind the LinearSolver contract. The pivot order of a full factorisation is
// reused by the cheap refactorisations until the smallest pivot has lost three digits.
#include <algorithm>
#include <cmath>
#include <vector>

#include <klu.h>

#include "picus/base/contract.h"
#include "picus/math/linear_solver.h"
#include "picus/math/permutation_sign.h"

namespace picus {
namespace {

// KLU wants mutable arrays but does not write to them.
int* unconst(std::span<const int> data) {
  return const_cast<int*>(data.data());  // NOLINT
}
double* unconst(std::span<const double> data) {
  return const_cast<double*>(data.data());  // NOLINT
}

// A pivot is at least this part of the largest entry of its column. With KLU's own 0.001 the pivots
// of joints that turn pass through zero soon: they lose digits on the way, and new ones take the
// heap. Chains of rods fill by up to 15 % more, which their runs do not notice.
constexpr double kPivotTolerance = 0.1;
// Old pivots are good as long as the smallest has not become smaller by this, times the tolerance.
constexpr double kLoss = 1e-2;

class SparseSolver final : public LinearSolver {
 public:
  SparseSolver() {
    klu_defaults(&common_);
    common_.tol = kPivotTolerance;
  }
  ~SparseSolver() override { release(); }
  SparseSolver(const SparseSolver&) = delete;
  SparseSolver& operator=(const SparseSolver&) = delete;

  void analyze(const CompressedColumns& A) override {
    release();
    size_ = A.size;
    row_largest_.reserve(static_cast<std::size_t>(size_));  // factorisations take no heap
    symbolic_ = klu_analyze(A.size, unconst(A.column_starts), unconst(A.row_indices), &common_);
  }

  bool factorize(const CompressedColumns& A) override {
    if (symbolic_ == nullptr) return fail();  // structurally singular
    if (numeric_ != nullptr && refactorize(A)) return true;
    klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(unconst(A.column_starts), unconst(A.row_indices), unconst(A.values),
                          symbolic_, &common_);
    if (numeric_ == nullptr || common_.status != KLU_OK || !measure_pivots(A)) return fail();
    full_rcond_ = common_.rcond;
    return ratio_ >= least_ratio() || fail();
  }

  void solve(Vector& x) const override {
    expects(numeric_ != nullptr && x.size() == size_, "a factorised matrix of the right size");
    klu_solve(symbolic_, numeric_, size_, 1, x.data(), &common_);
  }
  void solve_transposed(Vector& x) const override {
    expects(numeric_ != nullptr && x.size() == size_, "a factorised matrix of the right size");
    klu_tsolve(symbolic_, numeric_, size_, 1, x.data(), &common_);
  }

  double pivot_ratio() const override { return ratio_; }
  int determinant_sign() const override {
    const auto size = static_cast<std::size_t>(size_);
    const auto* pivots = static_cast<const double*>(numeric_->Udiag);
    const auto negative = std::count_if(pivots, pivots + size, [](double x) { return x < 0.0; });
    return permutation_sign({symbolic_->Q, size}, seen_) *
           permutation_sign({numeric_->Pnum, size}, seen_) * (negative % 2 == 0 ? 1 : -1);
  }
  void set_pivot_tolerance(double tolerance) override { common_.tol = tolerance; }
  int weakest() const override { return weakest_; }

 private:
  bool refactorize(const CompressedColumns& A) {
    return klu_refactor(unconst(A.column_starts), unconst(A.row_indices), unconst(A.values),
                        symbolic_, numeric_, &common_) == 1 &&
           common_.status == KLU_OK && measure_pivots(A) &&
           common_.rcond > kLoss * common_.tol * full_rcond_;
  }

  bool measure_pivots(const CompressedColumns& A) {
    if (klu_rcond(symbolic_, numeric_, &common_) == 0 || !std::isfinite(common_.rcond))
      return false;
    ratio_ = common_.rcond;
    if (ratio_ < kSmallPivotRatio) measure_pivots_by_column(A);
    return true;
  }

  void measure_pivots_by_column(const CompressedColumns& A) {
    const auto* pivots = static_cast<const double*>(numeric_->Udiag);
    const auto size = static_cast<std::size_t>(size_);
    row_largest_.assign(size, 0.0);
    for (std::size_t k = 0; k < A.values.size(); ++k) {
      double& largest = row_largest_[static_cast<std::size_t>(A.row_indices[k])];
      largest = std::max(largest, std::abs(A.values[k]));
    }
    ratio_ = 1.0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto column = static_cast<std::size_t>(symbolic_->Q[i]);
      double largest = 0.0;
      for (auto k = static_cast<std::size_t>(A.column_starts[column]);
           k < static_cast<std::size_t>(A.column_starts[column + 1]); ++k)
        largest = std::max(largest, std::abs(A.values[k]) /
                                        row_largest_[static_cast<std::size_t>(A.row_indices[k])]);
      const double part = std::abs(pivots[i]) / largest;
      if (part >= ratio_) continue;
      ratio_ = part;
      weakest_ = symbolic_->Q[i];
    }
  }

  bool fail() {
    weakest_ = find_weakest();
    ratio_ = 0.0;
    klu_free_numeric(&numeric_, &common_);
    return false;
  }

  int find_weakest() const {
    if (numeric_ != nullptr) return weakest_;  // measured
    const int column = common_.singular_col;
    return column >= 0 && column < size_ ? column : 0;
  }

  void release() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }

  mutable klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  int size_ = 0;
  double ratio_ = 0.0;
  double full_rcond_ = 0.0;  ///< of the last factorisation with new pivots
  int weakest_ = 0;
  std::vector<double> row_largest_;
  mutable std::vector<bool> seen_;  ///< while a permutation is walked through
};

}  // namespace

std::unique_ptr<LinearSolver> make_sparse_solver() {
  return std::make_unique<SparseSolver>();
}

}  // namespace picus
