// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "picus/math/linear_solver.h"

namespace picus {

/// Solves with a matrix that may fall apart into islands: sets of unknowns that no entry couples,
/// such as the coordinates of free bodies, or of mechanisms that meet in contacts only. They are
/// found once per pattern and factorised one by one: a single unknown by one division, small
/// islands densely, large ones by the sparse solver. A matrix of one island costs what its solver
/// costs. Holds scratch memory: one thread uses it at a time.
class IslandSolver {
 public:
  /// Up to this size an island has an inverse.
  static constexpr int kSmall = 12;

  void analyze(const CompressedColumns& A);
  /// False when an island is singular or not finite.
  bool factorize(const CompressedColumns& A);
  /// x ← A⁻¹ x
  void solve(Vector& x) const;

  /// As for LinearSolver; of the island where the ratio is smallest.
  double pivot_ratio() const { return ratio_; }
  int weakest() const { return weakest_; }

  int size() const { return static_cast<int>(members_.size()); }
  int islands() const { return static_cast<int>(islands_.size()); }
  int island_of(int unknown) const { return island_of_[static_cast<std::size_t>(unknown)]; }
  /// The unknowns of an island, ascending.
  std::span<const int> members(int island) const {
    const Island& it = islands_[static_cast<std::size_t>(island)];
    return std::span(members_).subspan(static_cast<std::size_t>(it.first),
                                       static_cast<std::size_t>(it.size));
  }
  int island_size(int island) const { return islands_[static_cast<std::size_t>(island)].size; }
  /// Which member of its island an unknown is.
  int place_in_island(int unknown) const { return place_[static_cast<std::size_t>(unknown)]; }

  /// 1/a of an island with a single unknown.
  double reciprocal(int island) const {
    return islands_[static_cast<std::size_t>(island)].reciprocal;
  }
  /// The inverse of an island of 2 … kSmall unknowns; found when it is asked for.
  const Matrix& inverse(int island) const;
  /// Scratch memory of the size of an island of two or more, and x ← A⁻¹ x within it.
  Vector& scratch(int island) const { return worker_of(island).x; }
  void solve_scratch(int island) const {
    Worker& worker = worker_of(island);
    worker.solver->solve(worker.x);
  }

 private:
  struct Island {
    int first = 0, size = 0;  ///< of its members
    int worker = -1;          ///< of two and more
    int slot = -1;            ///< of the only entry of a single unknown; -1 when it has none
    double reciprocal = 0.0;
  };
  /// The matrix of an island and its factors.
  struct Worker {
    std::unique_ptr<LinearSolver> solver;
    std::vector<int> starts, rows, slots;  ///< empty when the island is the whole matrix
    std::vector<double> values;
    Vector x;
    Matrix inverse;
    bool has_inverse = false;

    CompressedColumns view() const {
      return {static_cast<int>(starts.size()) - 1, starts, rows, values};
    }
  };

  Worker& worker_of(int island) const {
    return workers_[static_cast<std::size_t>(islands_[static_cast<std::size_t>(island)].worker)];
  }
  void find_islands(const CompressedColumns& A);
  void hand_out(const CompressedColumns& A);
  bool factorize_single(Island& island, const CompressedColumns& A);
  bool factorize_worker(const Island& island, const CompressedColumns& A);
  void note(double ratio, int weakest);

  std::vector<Island> islands_;
  std::vector<int> island_of_, place_, members_;
  mutable std::vector<Worker> workers_;
  double ratio_ = 0.0;
  int weakest_ = 0;
};

}  // namespace picus
