// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/math/island_solver.h"
#include "picus/math/sparse_matrix.h"

namespace picus {

enum class Transposed { kNo, kYes };

/// The one place where the saddle-point matrices of all methods are assembled and factorised.
///
/// Rows and columns come in the same blocks; a method adds scaled pieces to block positions:
///
///     A.begin();
///     A.add(kMomentum, kAcceleration, 1.0, M);
///     A.add(kMomentum, kMultiplier, -1.0, G, Transposed::kYes);
///     A.add(kConstraint, kAcceleration, 1.0, G);
///     if (!A.factorize()) …
///     A.solve(x);
///
/// The first assembly finds the pattern and its islands, chooses dense or sparse solvers and
/// analyses; later ones with the same pieces only move values and allocate nothing.
class BlockMatrix {
 public:
  /// Sets the sizes of the blocks and forgets every pattern and every group.
  void reset(const std::vector<int>& block_sizes);
  /// From now on only pieces that couple blocks of one group are added: one group per block.
  void decouple(std::vector<int> groups);

  void begin() { cursor_ = 0; }
  void add(int row_block, int col_block, double factor, const SparseMatrix& piece,
           Transposed transposed = Transposed::kNo);
  bool factorize();

  /// x ← A⁻¹ x
  void solve(Vector& x) const { solver_.solve(x); }

  int size() const { return offsets_.back(); }
  int blocks() const { return static_cast<int>(offsets_.size()) - 1; }
  int offset(int block) const { return offsets_[static_cast<std::size_t>(block)]; }
  int block_size(int block) const { return offset(block + 1) - offset(block); }

  int weakest() const { return solver_.weakest(); }
  double pivot_ratio() const { return solver_.pivot_ratio(); }
  /// The parts of the matrix that are not coupled, and their inverses.
  const IslandSolver& islands() const { return solver_; }
  /// False when a piece held NaN or infinity: then the failure is not one of rank.
  bool is_finite() const;

  /// An entry of the diagonal, zero where there is none.
  double diagonal(int unknown) const;
  /// The assembled matrix as last factorised, for inspection and tests.
  Matrix dense() const;

 private:
  struct Piece {
    int row_block, col_block;
    const SparseMatrix* matrix;
    Transposed transposed;
    double factor;
    unsigned revision;
    std::vector<int> slots;
  };

  void find_pattern();
  void scatter();
  CompressedColumns view() const { return {size(), starts_, rows_, values_}; }

  std::vector<int> offsets_{0};
  std::vector<int> groups_;  ///< of blocks; empty when all are coupled
  std::vector<Piece> pieces_;
  std::size_t cursor_ = 0;
  bool changed_ = true;
  std::vector<int> starts_, rows_;
  std::vector<double> values_;
  IslandSolver solver_;
};

}  // namespace picus
