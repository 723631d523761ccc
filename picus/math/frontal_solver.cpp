// SPDX-License-Identifier: BSD-3-Clause
// LU factors by dense fronts [DuffReid1983]. CHOLMOD orders the unknowns, by METIS, and finds the
// supernodes: unknowns next to each other whose columns of the factor have one pattern. The front
// of a supernode is
//
//     [ L₁₁ U₁₁   U₁₂ ]   the unknowns that are eliminated
//     [ L₂₁        C  ]   the later ones they couple, C = −L₂₁ U₁₂ plus what the children leave
//
// and C is added to the front of the parent. Rows are exchanged inside L₁₁ U₁₁ only, so that the
// pattern is known beforehand, and with it all of the memory.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Core>
#include <cholmod.h>

#include "picus/base/contract.h"
#include "picus/math/linear_solver.h"

namespace picus {
namespace {

using Dense = Eigen::MatrixXd;
using Block = Eigen::Map<Dense>;
using ConstBlock = Eigen::Map<const Dense>;

constexpr int kColumns = 16;  // that are eliminated before the columns behind them see it

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// Analyses a symmetric pattern with CHOLMOD.
class Supernodes {
 public:
  explicit Supernodes(const CompressedColumns& A) {
    cholmod_start(&common_);
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_METIS;
    common_.postorder = 1;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.print = 0;
    cholmod_sparse pattern{};
    pattern.nrow = pattern.ncol = index(A.size);
    pattern.nzmax = A.row_indices.size();
    pattern.p = const_cast<int*>(A.column_starts.data());
    pattern.i = const_cast<int*>(A.row_indices.data());
    pattern.stype = -1;  // the lower triangle tells it all
    pattern.itype = CHOLMOD_INT;
    pattern.xtype = CHOLMOD_PATTERN;
    pattern.sorted = pattern.packed = 1;
    factor_ = cholmod_analyze(&pattern, &common_);
    expects(factor_ != nullptr && factor_->is_super, "a symmetric pattern");
  }
  ~Supernodes() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }
  Supernodes(const Supernodes&) = delete;
  Supernodes& operator=(const Supernodes&) = delete;

  int count() const { return static_cast<int>(factor_->nsuper); }
  /// First unknown, in the new order; the next one's is the end.
  int first(int node) const { return static_cast<const int*>(factor_->super)[node]; }
  /// Rows of its front, its own unknowns first.
  std::span<const int> rows(int node) const {
    const int* starts = static_cast<const int*>(factor_->pi);
    return {static_cast<const int*>(factor_->s) + starts[node],
            static_cast<std::size_t>(starts[node + 1] - starts[node])};
  }
  /// The unknown that is at a place of the new order.
  int unknown(int place) const { return static_cast<const int*>(factor_->Perm)[place]; }

 private:
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
};

class FrontalSolver final : public LinearSolver {
 public:
  void analyze(const CompressedColumns& A) override {
    const Supernodes nodes(A);
    size_ = A.size;
    order_.resize(index(size_));
    for (int place = 0; place < size_; ++place)
      order_[index(place)] = nodes.unknown(place);
    lay_out(nodes);
    find_places(nodes, A);
    x_.resize(size_);
    below_.resize(tallest_);
  }

  bool factorize(const CompressedColumns& A) override {
    std::fill(factors_.begin(), factors_.end(), 0.0);
    for (std::size_t k = 0; k < places_.size(); ++k)
      factors_[places_[k]] = A.values[k];
    least_ = std::numeric_limits<double>::infinity();
    largest_ = 0.0;
    sign_ = 1;
    std::size_t top = 0;
    for (int k = 0; k < static_cast<int>(fronts_.size()); ++k)
      if (!eliminate(k, top)) return false;
    return pivot_ratio() >= least_ratio();
  }

  void solve(Vector& x) const override {
    gather(x);
    for (const Front& front : fronts_) {
      const ConstBlock L = lower(front);
      auto x1 = x_.segment(front.first, front.width);
      exchange(front, false);
      L.topRows(front.width).triangularView<Eigen::UnitLower>().solveInPlace(x1);
      if (front.rest() == 0) continue;
      auto x2 = below_.head(front.rest());
      x2.noalias() = L.bottomRows(front.rest()) * x1;
      for (int r = 0; r < front.rest(); ++r)
        x_(front.below[index(r)]) -= x2(r);
    }
    for (std::size_t k = fronts_.size(); k-- > 0;) {
      const Front& front = fronts_[k];
      auto x1 = x_.segment(front.first, front.width);
      if (front.rest() > 0) x1.noalias() -= upper(front) * look_below(front);
      lower(front).topRows(front.width).triangularView<Eigen::Upper>().solveInPlace(x1);
    }
    scatter(x);
  }

  void solve_transposed(Vector& x) const override {
    gather(x);
    for (const Front& front : fronts_) {
      auto x1 = x_.segment(front.first, front.width);
      const auto pivots = lower(front).topRows(front.width);
      pivots.transpose().triangularView<Eigen::Lower>().solveInPlace(x1);
      if (front.rest() == 0) continue;
      auto x2 = below_.head(front.rest());
      x2.noalias() = upper(front).transpose() * x1;
      for (int r = 0; r < front.rest(); ++r)
        x_(front.below[index(r)]) -= x2(r);
    }
    for (std::size_t k = fronts_.size(); k-- > 0;) {
      const Front& front = fronts_[k];
      const ConstBlock L = lower(front);
      auto x1 = x_.segment(front.first, front.width);
      if (front.rest() > 0)
        x1.noalias() -= L.bottomRows(front.rest()).transpose() * look_below(front);
      L.topRows(front.width).transpose().triangularView<Eigen::UnitUpper>().solveInPlace(x1);
      exchange(front, true);
    }
    scatter(x);
  }

  double pivot_ratio() const override { return largest_ > 0.0 ? least_ / largest_ : 0.0; }
  int determinant_sign() const override { return sign_; }
  int weakest() const override { return weakest_; }

 private:
  struct Front {
    int first = 0, width = 0;  ///< unknowns that are eliminated
    int parent = -1;
    int children_last = -1, sibling = -1;  ///< children as a list
    std::size_t lower = 0, upper = 0;  ///< L₁₁ U₁₁ over L₂₁, and U₁₂, in factors_
    std::vector<int> below;            ///< the other rows
    std::vector<int> in_parent;        ///< where those are in the front of the parent
    std::size_t update = 0;            ///< C, on the stack
    int rest() const { return static_cast<int>(below.size()); }
    int height() const { return width + rest(); }
  };

  void lay_out(const Supernodes& nodes) {
    const int count = nodes.count();
    fronts_.assign(index(count), {});
    std::vector<int> node_of(index(size_));
    for (int k = 0; k < count; ++k) {
      Front& front = fronts_[index(k)];
      front.first = nodes.first(k);
      front.width = nodes.first(k + 1) - front.first;
      const auto rows = nodes.rows(k);
      front.below.assign(rows.begin() + front.width, rows.end());
      std::fill_n(node_of.begin() + front.first, front.width, k);
    }
    std::size_t end = 0;
    tallest_ = 0;
    for (int k = 0; k < count; ++k) {
      Front& front = fronts_[index(k)];
      front.lower = end;
      front.upper = front.lower + index(front.height()) * index(front.width);
      end = front.upper + index(front.width) * index(front.rest());
      tallest_ = std::max(tallest_, front.rest());
      if (front.rest() == 0) continue;
      front.parent = node_of[index(front.below.front())];
      Front& parent = fronts_[index(front.parent)];
      front.sibling = parent.children_last;
      parent.children_last = k;
      const auto in_parent = nodes.rows(front.parent);
      auto place = in_parent.begin();
      for (const int row : front.below) {
        place = std::lower_bound(place, in_parent.end(), row);
        front.in_parent.push_back(static_cast<int>(place - in_parent.begin()));
      }
    }
    factors_.resize(end);
    exchanges_.resize(index(size_));
    stack_.resize(stack_need());
  }

  // The most that updates take at a time, with one that is made above its children and then moved
  // down to where they were.
  std::size_t stack_need() {
    std::size_t top = 0, most = 0;
    for (std::size_t k = 0; k < fronts_.size(); ++k) {
      const Front& front = fronts_[k];
      const std::size_t own = index(front.rest()) * index(front.rest());
      most = std::max(most, top + own);
      for (int child = front.children_last; child >= 0; child = fronts_[index(child)].sibling)
        top -= index(fronts_[index(child)].rest()) * index(fronts_[index(child)].rest());
      top += own;
    }
    return most;
  }

  // Where each entry of the matrix goes.
  void find_places(const Supernodes& nodes, const CompressedColumns& A) {
    std::vector<int> place_of(index(size_)), node_of(index(size_));
    for (int place = 0; place < size_; ++place)
      place_of[index(order_[index(place)])] = place;
    for (int k = 0; k < nodes.count(); ++k)
      std::fill_n(node_of.begin() + nodes.first(k), nodes.first(k + 1) - nodes.first(k), k);
    places_.resize(A.row_indices.size());
    for (int j = 0; j < size_; ++j) {
      const int col = place_of[index(j)];
      for (int slot = A.column_starts[index(j)]; slot < A.column_starts[index(j) + 1]; ++slot) {
        const int row = place_of[index(A.row_indices[index(slot)])];
        const int k = node_of[index(std::min(row, col))];
        const Front& front = fronts_[index(k)];
        const auto rows = nodes.rows(k);
        const auto local = [&](int place) {
          if (place < front.first + front.width) return index(place - front.first);
          return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), place) -
                                          rows.begin());
        };
        places_[index(slot)] =
            col < front.first + front.width
                ? front.lower + index(col - front.first) * index(front.height()) + local(row)
                : front.upper + (local(col) - index(front.width)) * index(front.width) + local(row);
      }
    }
  }

  bool eliminate(int k, std::size_t& top) {
    Front& front = fronts_[index(k)];
    Block L(factors_.data() + front.lower, front.height(), front.width);
    Block U(factors_.data() + front.upper, front.width, front.rest());
    Block C(stack_.data() + top, front.rest(), front.rest());
    C.setZero();
    std::size_t bottom = top;
    for (int child = front.children_last; child >= 0; child = fronts_[index(child)].sibling) {
      take_over(fronts_[index(child)], front.width, L, U, C);
      bottom = std::min(bottom, fronts_[index(child)].update);
    }
    auto pivots = L.topRows(front.width);
    if (!eliminate_dense(front, pivots)) return false;
    if (front.rest() == 0) {
      top = bottom;  // a root; there may be others
      return true;
    }
    exchange_rows(front, U);
    pivots.triangularView<Eigen::UnitLower>().solveInPlace(U);
    auto below = L.bottomRows(front.rest());
    pivots.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(below);
    C.noalias() -= below * U;
    std::copy_n(C.data(), C.size(), stack_.data() + bottom);
    front.update = bottom;
    top = bottom + static_cast<std::size_t>(C.size());
    return true;
  }

  // What a child leaves is added to the front of its parent.
  void take_over(const Front& child, int width, Block& L, Block& U, Block& C) const {
    const ConstBlock update(stack_.data() + child.update, child.rest(), child.rest());
    const std::vector<int>& to = child.in_parent;
    const int inside = static_cast<int>(std::lower_bound(to.begin(), to.end(), width) - to.begin());
    for (int c = 0; c < inside; ++c)
      for (int r = 0; r < child.rest(); ++r)
        L(to[index(r)], to[index(c)]) += update(r, c);
    for (int c = inside; c < child.rest(); ++c) {
      for (int r = 0; r < inside; ++r)
        U(to[index(r)], to[index(c)] - width) += update(r, c);
      for (int r = inside; r < child.rest(); ++r)
        C(to[index(r)] - width, to[index(c)] - width) += update(r, c);
    }
  }

  // L₁₁ U₁₁ with the largest pivot of each column among the rows of the supernode, some columns at
  // a time.
  template <class Matrix>
  bool eliminate_dense(const Front& front, Matrix& A) {
    const int n = front.width;
    for (int begin = 0; begin < n; begin += kColumns) {
      const int end = std::min(n, begin + kColumns);
      for (int j = begin; j < end; ++j) {
        int pivot = 0;
        A.col(j).tail(n - j).cwiseAbs().maxCoeff(&pivot);
        pivot += j;
        exchanges_[index(front.first + j)] = pivot;
        if (pivot != j) A.row(j).swap(A.row(pivot));
        if (!note_pivot(front.first + j, A(j, j), pivot != j)) return false;
        A.col(j).tail(n - j - 1) /= A(j, j);
        A.block(j + 1, j + 1, n - j - 1, end - j - 1).noalias() -=
            A.col(j).tail(n - j - 1) * A.row(j).segment(j + 1, end - j - 1);
      }
      if (end == n) break;
      auto right = A.block(begin, end, end - begin, n - end);
      A.block(begin, begin, end - begin, end - begin)
          .template triangularView<Eigen::UnitLower>()
          .solveInPlace(right);
      A.bottomRightCorner(n - end, n - end).noalias() -=
          A.block(end, begin, n - end, end - begin) * right;
    }
    return true;
  }

  bool note_pivot(int place, double pivot, bool is_exchanged) {
    const double size = std::abs(pivot);
    if (size < least_ || !std::isfinite(size)) {
      least_ = size;
      weakest_ = order_[index(place)];
    }
    largest_ = std::max(largest_, size);
    if ((pivot < 0.0) != is_exchanged) sign_ = -sign_;
    return size > 0.0 && std::isfinite(size);
  }

  // Rows of the unknowns of a front as its pivots have them, or back.
  void exchange(const Front& front, bool back) const {
    const auto one = [&](int r) {
      const int with = exchanges_[index(front.first + r)];
      if (with != r) std::swap(x_(front.first + r), x_(front.first + with));
    };
    if (back) {
      for (int r = front.width; r-- > 0;)
        one(r);
    } else {
      for (int r = 0; r < front.width; ++r)
        one(r);
    }
  }

  Eigen::VectorBlock<Vector> look_below(const Front& front) const {
    for (int r = 0; r < front.rest(); ++r)
      below_(r) = x_(front.below[index(r)]);
    return below_.head(front.rest());
  }

  void gather(const Vector& x) const {
    expects(x.size() == size_, "a vector of the size of the matrix");
    for (int place = 0; place < size_; ++place)
      x_(place) = x(order_[index(place)]);
  }
  void scatter(Vector& x) const {
    for (int place = 0; place < size_; ++place)
      x(order_[index(place)]) = x_(place);
  }

  void exchange_rows(const Front& front, Block& U) const {
    for (int r = 0; r < front.width; ++r)
      if (exchanges_[index(front.first + r)] != r)
        U.row(r).swap(U.row(exchanges_[index(front.first + r)]));
  }

  ConstBlock lower(const Front& front) const {
    return {factors_.data() + front.lower, front.height(), front.width};
  }
  ConstBlock upper(const Front& front) const {
    return {factors_.data() + front.upper, front.width, front.rest()};
  }

  int size_ = 0, tallest_ = 0, sign_ = 1, weakest_ = 0;
  double least_ = 0.0, largest_ = 0.0;
  std::vector<int> order_;           ///< unknown at each place
  std::vector<Front> fronts_;        ///< children before parents
  std::vector<std::size_t> places_;  ///< of the entries of the matrix in factors_
  std::vector<double> factors_, stack_;
  std::vector<int> exchanges_;  ///< rows of the supernode, one after the other
  mutable Vector x_, below_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_frontal_solver() {
  return std::make_unique<FrontalSolver>();
}

}  // namespace picus
