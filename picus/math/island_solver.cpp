// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/island_solver.h"

#include <cmath>
#include <numeric>

#include "picus/base/contract.h"

namespace picus {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Calls visit(row, col, slot) for every entry.
template <class Visit>
void for_each_entry(const CompressedColumns& A, Visit&& visit) {
  for (int col = 0; col < A.size; ++col)
    for (int k = A.column_starts[at(col)]; k < A.column_starts[at(col) + 1]; ++k)
      visit(A.row_indices[at(k)], col, k);
}

// The representative of the set of i; paths are halved on the way.
int root_of(std::vector<int>& parent, int i) {
  while (parent[at(i)] != i) {
    parent[at(i)] = parent[at(parent[at(i)])];
    i = parent[at(i)];
  }
  return i;
}

}  // namespace

void IslandSolver::analyze(const CompressedColumns& A) {
  find_islands(A);
  workers_.clear();
  for (Island& island : islands_) {
    if (island.size == 1) continue;
    island.worker = static_cast<int>(workers_.size());
    Worker& worker = workers_.emplace_back();
    worker.solver = island.size <= kDenseLimit ? make_dense_solver() : make_sparse_solver();
    worker.x.resize(island.size);
  }
  if (islands_.size() == 1 && !workers_.empty()) {
    workers_[0].solver->analyze(A);
    return;
  }
  hand_out(A);
  for (const Worker& worker : workers_)
    worker.solver->analyze(worker.view());
}

void IslandSolver::find_islands(const CompressedColumns& A) {
  std::vector<int> parent(at(A.size));
  std::iota(parent.begin(), parent.end(), 0);
  for_each_entry(A, [&](int row, int col, int) {
    const int a = root_of(parent, row), b = root_of(parent, col);
    parent[at(std::max(a, b))] = std::min(a, b);
  });
  islands_.clear();
  island_of_.resize(at(A.size));
  place_.resize(at(A.size));
  members_.resize(at(A.size));
  for (int i = 0; i < A.size; ++i) {  // roots are the smallest of their sets
    const int root = root_of(parent, i);
    if (root == i) {
      island_of_[at(i)] = islands();
      islands_.emplace_back();
    }
    island_of_[at(i)] = island_of_[at(root)];
    place_[at(i)] = islands_[at(island_of_[at(i)])].size++;
  }
  int first = 0;
  for (Island& island : islands_) {
    island.first = first;
    first += island.size;
  }
  for (int i = 0; i < A.size; ++i)
    members_[at(islands_[at(island_of_[at(i)])].first + place_[at(i)])] = i;
}

// Every island gets its entries of the matrix.
void IslandSolver::hand_out(const CompressedColumns& A) {
  for (const Island& island : islands_)
    if (island.worker >= 0) workers_[at(island.worker)].starts.assign(at(island.size) + 1, 0);
  for_each_entry(A, [&](int row, int col, int slot) {
    Island& island = islands_[at(island_of(col))];
    if (island.worker < 0) {
      island.slot = slot;
      return;
    }
    Worker& worker = workers_[at(island.worker)];
    worker.rows.push_back(place_[at(row)]);
    worker.slots.push_back(slot);
    worker.starts[at(place_[at(col)]) + 1] = static_cast<int>(worker.rows.size());
  });
  for (Worker& worker : workers_) {
    worker.values.resize(worker.rows.size());
    for (std::size_t k = 1; k < worker.starts.size(); ++k)  // columns without entries
      worker.starts[k] = std::max(worker.starts[k], worker.starts[k - 1]);
  }
}

bool IslandSolver::factorize(const CompressedColumns& A) {
  ratio_ = 1.0;
  weakest_ = 0;
  for (Island& island : islands_)
    if (!(island.size == 1 ? factorize_single(island, A) : factorize_worker(island, A)))
      return false;
  return true;
}

bool IslandSolver::factorize_single(Island& island, const CompressedColumns& A) {
  const double value = island.slot < 0 ? 0.0 : A.values[at(island.slot)];
  island.reciprocal = 1.0 / value;
  if (std::isfinite(value) && std::isfinite(island.reciprocal)) return true;
  note(0.0, members_[at(island.first)]);
  return false;
}

bool IslandSolver::factorize_worker(const Island& island, const CompressedColumns& A) {
  Worker& worker = workers_[at(island.worker)];
  worker.has_inverse = false;
  const bool is_whole = worker.starts.empty();
  for (std::size_t k = 0; k < worker.slots.size(); ++k)
    worker.values[k] = A.values[at(worker.slots[k])];
  const bool regular = worker.solver->factorize(is_whole ? A : worker.view());
  note(worker.solver->pivot_ratio(), members_[at(island.first + worker.solver->weakest())]);
  return regular;
}

void IslandSolver::note(double ratio, int weakest) {
  if (ratio >= ratio_ && ratio_ < 1.0) return;
  ratio_ = ratio;
  weakest_ = weakest;
}

void IslandSolver::solve(Vector& x) const {
  if (islands_.size() == 1 && !workers_.empty()) {
    workers_[0].solver->solve(x);
    return;
  }
  for (int k = 0; k < islands(); ++k) {
    const Island& island = islands_[at(k)];
    if (island.worker < 0) {
      x(members_[at(island.first)]) *= island.reciprocal;
      continue;
    }
    Worker& worker = worker_of(k);
    const std::span<const int> mine = members(k);
    for (std::size_t i = 0; i < mine.size(); ++i)
      worker.x(static_cast<int>(i)) = x(mine[i]);
    worker.solver->solve(worker.x);
    for (std::size_t i = 0; i < mine.size(); ++i)
      x(mine[i]) = worker.x(static_cast<int>(i));
  }
}

const Matrix& IslandSolver::inverse(int island) const {
  const Island& it = islands_[at(island)];
  expects(it.worker >= 0 && it.size <= kSmall, "an island of 2 to kSmall unknowns");
  Worker& worker = worker_of(island);
  if (worker.has_inverse) return worker.inverse;
  worker.has_inverse = true;
  worker.inverse.resize(it.size, it.size);
  for (int col = 0; col < it.size; ++col) {
    worker.x = Vector::Unit(it.size, col);
    worker.solver->solve(worker.x);
    worker.inverse.col(col) = worker.x;
  }
  return worker.inverse;
}

}  // namespace picus
