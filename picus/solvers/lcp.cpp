// SPDX-License-Identifier: BSD-3-Clause
// Lemke's complementary pivoting [CottlePangStone1992, §4.4] on w − M z − d z₀ = q, d > 0.
#include "picus/solvers/lcp.h"

#include <algorithm>
#include <cmath>

#include "picus/base/contract.h"

namespace picus {
namespace {

constexpr double kPivotFloor = 1e-10;  // smaller entries are what cancellation left
constexpr double kTie = 1e-12;         // ratios closer than this go on to the next comparison

}  // namespace

LemkeMethod::Ending LemkeMethod::solve(const Matrix& M, const Vector& q, const Vector& cover,
                                       int max_pivots) {
  expects(M.rows() == M.cols() && M.rows() == q.size(), "a square matrix and a vector of its size");
  start(M, q, cover);
  if (size_ == 0 || q.minCoeff() >= 0.0) return Ending::kSolution;
  int entering = artificial();
  int row = first_row(cover);
  while (pivots_ < max_pivots) {
    const int leaving = basis_[static_cast<std::size_t>(row)];
    pivot(row, entering);
    if (leaving == artificial()) {
      read_solution(M, q);
      return Ending::kSolution;
    }
    entering = complement(leaving);
    row = leaving_row(entering);
    if (row >= 0) continue;
    read_ray(entering);
    return Ending::kRay;
  }
  return Ending::kPivotLimit;
}

void LemkeMethod::start(const Matrix& M, const Vector& q, const Vector& cover) {
  size_ = static_cast<int>(q.size());
  pivots_ = 0;
  tableau_.setZero(2 * size_ + 2, size_);
  tableau_.topRows(size_).setIdentity();
  tableau_.middleRows(size_, size_) = -M.transpose();
  tableau_.row(2 * size_) = -cover.transpose();
  tableau_.row(2 * size_ + 1) = q.transpose();
  basis_.resize(static_cast<std::size_t>(size_));
  for (int i = 0; i < size_; ++i)
    basis_[static_cast<std::size_t>(i)] = i;
  z_.setZero(size_);
}

// Where the artificial variable enters: the row that needs most of it, the last of equals, which is
// the lexicographic choice while the basis is the identity.
int LemkeMethod::first_row(const Vector& cover) const {
  int best = 0;
  for (int i = 1; i < size_; ++i)
    if (tableau_(2 * size_ + 1, i) * cover(best) <= tableau_(2 * size_ + 1, best) * cover(i))
      best = i;
  return best;
}

// Compares (rhs, inverse of the basis) / pivot entry, element by element.
bool LemkeMethod::precedes(int row, int other, int entering) const {
  const double mine = 1.0 / tableau_(entering, row), theirs = 1.0 / tableau_(entering, other);
  const auto compare = [&](int k) {
    const double a = tableau_(k, row) * mine, b = tableau_(k, other) * theirs;
    if (std::abs(a - b) <= kTie * (1.0 + std::max(std::abs(a), std::abs(b)))) return 0;
    return a < b ? -1 : 1;
  };
  if (const int order = compare(2 * size_ + 1); order != 0) return order < 0;
  // the artificial variable leaves as soon as it may
  if (basis_[static_cast<std::size_t>(row)] == artificial()) return true;
  if (basis_[static_cast<std::size_t>(other)] == artificial()) return false;
  for (int k = 0; k < size_; ++k)
    if (const int order = compare(k); order != 0) return order < 0;
  return false;
}

int LemkeMethod::leaving_row(int entering) const {
  int best = -1;
  for (int i = 0; i < size_; ++i)
    if (tableau_(entering, i) > kPivotFloor && (best < 0 || precedes(i, best, entering))) best = i;
  return best;
}

void LemkeMethod::pivot(int row, int entering) {
  tableau_.col(row) /= tableau_(entering, row);
  for (int i = 0; i < size_; ++i) {
    const double factor = tableau_(entering, i);
    if (i != row && factor != 0.0) tableau_.col(i) -= factor * tableau_.col(row);
  }
  basis_[static_cast<std::size_t>(row)] = entering;
  ++pivots_;
}

// The basis is right, the numbers have gone through all pivots: solve once more from the data.
void LemkeMethod::read_solution(const Matrix& M, const Vector& q) {
  basis_matrix_.setZero(size_, size_);
  for (int i = 0; i < size_; ++i) {
    const int variable = basis_[static_cast<std::size_t>(i)];
    if (variable < size_) {
      basis_matrix_(variable, i) = 1.0;
    } else {
      basis_matrix_.col(i) = -M.col(variable - size_);
    }
  }
  lu_.compute(basis_matrix_);
  values_.resize(size_);
  values_.noalias() = lu_.permutationP() * q;
  lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(values_);
  lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(values_);
  const bool usable = values_.allFinite();
  for (int i = 0; i < size_; ++i) {
    const int variable = basis_[static_cast<std::size_t>(i)];
    if (variable >= size_)
      z_(variable - size_) = std::max(0.0, usable ? values_(i) : tableau_(2 * size_ + 1, i));
  }
}

void LemkeMethod::read_ray(int entering) {
  for (int i = 0; i < size_; ++i) {
    const int variable = basis_[static_cast<std::size_t>(i)];
    if (variable >= size_ && variable < artificial())
      z_(variable - size_) = std::max(0.0, -tableau_(entering, i));
  }
  if (entering >= size_ && entering < artificial()) z_(entering - size_) = 1.0;
}

}  // namespace picus
