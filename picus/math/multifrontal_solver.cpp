// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <vector>

#include <umfpack.h>

#include "picus/base/contract.h"
#include "picus/math/linear_solver.h"

namespace picus {
namespace {

class MultifrontalSolver final : public LinearSolver {
 public:
  MultifrontalSolver() {
    umfpack_di_defaults(control_);
    control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;  // contact matrices nearly are
    control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
    control_[UMFPACK_IRSTEP] = 0;
  }
  ~MultifrontalSolver() override { release(); }
  MultifrontalSolver(const MultifrontalSolver&) = delete;
  MultifrontalSolver& operator=(const MultifrontalSolver&) = delete;

  void analyze(const CompressedColumns& A) override {
    release();
    size_ = A.size;
    const auto size = static_cast<std::size_t>(size_);
    solution_.resize(size_);
    work_.resize(size);
    work_indices_.resize(size);
    const int status =
        umfpack_di_symbolic(size_, size_, A.column_starts.data(), A.row_indices.data(), nullptr,
                            &symbolic_, control_, info_);
    if (status != UMFPACK_OK) umfpack_di_free_symbolic(&symbolic_);
  }

  bool factorize(const CompressedColumns& A) override {
    umfpack_di_free_numeric(&numeric_);
    ratio_ = 0.0;
    if (symbolic_ == nullptr) return false;
    A_ = A;
    const int status = umfpack_di_numeric(A.column_starts.data(), A.row_indices.data(),
                                          A.values.data(), symbolic_, &numeric_, control_, info_);
    if (numeric_ == nullptr) return false;
    ratio_ = std::isfinite(info_[UMFPACK_RCOND]) ? info_[UMFPACK_RCOND] : 0.0;
    if (status == UMFPACK_OK && ratio_ > 0.0 && ratio_ >= least_ratio()) return true;
    find_weakest();
    umfpack_di_free_numeric(&numeric_);
    return false;
  }

  void solve(Vector& x) const override { solve(UMFPACK_A, x); }
  void solve_transposed(Vector& x) const override { solve(UMFPACK_At, x); }

  double pivot_ratio() const override { return ratio_; }
  int determinant_sign() const override {
    double mantissa = 0.0, exponent = 0.0;
    umfpack_di_get_determinant(&mantissa, &exponent, numeric_, nullptr);
    return mantissa < 0.0 ? -1 : 1;
  }
  void set_pivot_tolerance(double tolerance) override {
    control_[UMFPACK_SYM_PIVOT_TOLERANCE] = tolerance;
  }
  int weakest() const override { return weakest_; }

 private:
  // Without refinement UMFPACK looks at the factors alone; it asks for the matrix all the same.
  void solve(int system, Vector& x) const {
    expects(numeric_ != nullptr && x.size() == size_, "a factorised matrix of the right size");
    double info[UMFPACK_INFO];
    umfpack_di_wsolve(system, A_.column_starts.data(), A_.row_indices.data(), A_.values.data(),
                      solution_.data(), x.data(), numeric_, control_, info, work_indices_.data(),
                      work_.data());
    x = solution_;
  }

  void find_weakest() {
    std::vector<double> pivots(static_cast<std::size_t>(size_));
    std::vector<int> columns(static_cast<std::size_t>(size_));
    umfpack_di_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                           columns.data(), pivots.data(), nullptr, nullptr, numeric_);
    const auto least = std::min_element(pivots.begin(), pivots.end(), [](double a, double b) {
      return !(std::abs(a) >= std::abs(b));
    });
    weakest_ = columns[static_cast<std::size_t>(least - pivots.begin())];
  }

  void release() {
    umfpack_di_free_numeric(&numeric_);
    umfpack_di_free_symbolic(&symbolic_);
  }

  double control_[UMFPACK_CONTROL]{}, info_[UMFPACK_INFO]{};
  void *symbolic_ = nullptr, *numeric_ = nullptr;
  CompressedColumns A_;  ///< of the last factorisation
  int size_ = 0;
  double ratio_ = 0.0;
  int weakest_ = 0;
  mutable Vector solution_;
  mutable std::vector<double> work_;
  mutable std::vector<int> work_indices_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_multifrontal_solver() {
  return std::make_unique<MultifrontalSolver>();
}

}  // namespace picus
