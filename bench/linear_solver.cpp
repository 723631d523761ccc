// SPDX-License-Identifier: BSD-3-Clause
// Dense against sparse factorisations of the matrices of a chain: where the dense one stops being
// the faster, and whether another sparse solver would do better than KLU.
#include <chrono>

#include <Eigen/SparseLU>
#include <Eigen/UmfPackSupport>
#include <fmt/format.h>

#include "bench/step_cost.h"
#include "bench/step_matrix.h"
#include "bench/swinging_chain.h"
#include "bench/table.h"

namespace {

using namespace picus;
using namespace picus::bench;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double kStep = 1e-3;
constexpr double kSolves = 2.0;  // a usual step: one factorisation, two iterations

/// An Eigen solver behind our contract, its analysis kept.
template <class Solver>
class EigenSolver final : public LinearSolver {
 public:
  explicit EigenSolver(const Sparse& A) : A_(A) {}
  void analyze(const CompressedColumns&) override { solver_.analyzePattern(A_); }
  bool factorize(const CompressedColumns&) override {
    solver_.factorize(A_);
    return solver_.info() == Eigen::Success;
  }
  void solve(Vector& x) const override { x = solver_.solve(x).eval(); }
  void solve_transposed(Vector&) const override {}  // nobody asks here, nor below
  double pivot_ratio() const override { return 1.0; }
  int determinant_sign() const override { return 1; }
  int weakest() const override { return 0; }

 private:
  const Sparse& A_;
  Solver solver_;
};

struct Case {
  int links, levels;
  Sparse matrix;
  std::vector<BareSolver> solvers;
  std::vector<std::string> names;

  void add(std::string name, std::unique_ptr<LinearSolver> solver) {
    solvers.emplace_back(fmt::format("{} {} {}", name, links, levels), std::move(solver),
                         view(matrix));
    names.push_back(std::move(name));
  }

  double seconds(const Session& session, std::size_t which) const {
    return solvers[which].factorize(session) + kSolves * solvers[which].solve(session);
  }
};

std::unique_ptr<Case> make_case(int links, int levels) {
  const SwingingChain chain = make_swinging_chain(links);
  auto result = std::make_unique<Case>();
  result->links = links;
  result->levels = levels;
  result->matrix = step_matrix(*chain.system, chain.start, kStep, levels);
  return result;
}

/// Small systems: one case per size.
Table crossover_table(const Session& session, const std::vector<std::unique_ptr<Case>>& cases) {
  Table table{"dense_or_sparse",
              "One factorisation and two solutions, dense and KLU",
              {"unknowns", "links × levels", "dense µs", "KLU µs", "dense over KLU"},
              {}};
  for (const auto& c : cases) {
    const double dense = c->seconds(session, 0), klu = c->seconds(session, 1);
    table.add({std::to_string(c->matrix.cols()), fmt::format("{} × {}", c->links, c->levels),
               number(1e6 * dense), number(1e6 * klu), fmt::format("{:.2f}", dense / klu)});
  }
  return table;
}

/// Largest size up to which the dense solver wins at all sizes of one kind.
int crossover(const Session& session, const std::vector<std::unique_ptr<Case>>& cases, int levels) {
  int limit = 0;
  for (const auto& c : cases) {
    if (c->levels != levels) continue;
    if (c->seconds(session, 0) > c->seconds(session, 1)) break;
    limit = static_cast<int>(c->matrix.cols());
  }
  return limit;
}

Table solver_table(const Session& session, const std::vector<std::unique_ptr<Case>>& cases) {
  Table table{"sparse_solvers",
              "Sparse factorisations of the matrix of a chain, pattern known",
              {"links × levels", "solver", "factorise µs", "solve µs", "1 + 2 over KLU"},
              {}};
  for (const auto& c : cases) {
    for (std::size_t i = 0; i < c->solvers.size(); ++i) {
      table.add({fmt::format("{} × {}", c->links, c->levels), c->names[i],
                 number(1e6 * c->solvers[i].factorize(session)),
                 number(1e6 * c->solvers[i].solve(session)),
                 fmt::format("{:.2f}", c->seconds(session, i) / c->seconds(session, 0))});
    }
  }
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  Session session(line.effort);
  const std::vector<int> few =
      line.smoke() ? std::vector{1, 2} : std::vector{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16};
  const std::vector<int> many = line.smoke() ? std::vector{10} : std::vector{100, 1000};
  std::vector<std::unique_ptr<Case>> small, large;
  for (const int levels : {1, 3}) {
    for (const int links : few) {
      if (links * levels > 24) continue;
      small.push_back(make_case(links, levels));
      small.back()->add("dense", make_dense_solver());
      small.back()->add("KLU", make_sparse_solver());
    }
  }
  for (const int levels : {1, 3}) {
    for (const int links : many) {
      large.push_back(make_case(links, levels));
      Case& c = *large.back();
      c.add("KLU, refactorise", make_sparse_solver());
      c.add("UMFPACK", std::make_unique<EigenSolver<Eigen::UmfPackLU<Sparse>>>(c.matrix));
      c.add("Eigen SparseLU, COLAMD",
            std::make_unique<EigenSolver<Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>>>>(
                c.matrix));
    }
  }
  for (auto* cases : {&small, &large})
    for (const auto& c : *cases)
      for (BareSolver& solver : c->solvers)
        solver.add_to(session);
  session.run(7);

  const Table dense = crossover_table(session, small), sparse = solver_table(session, large);
  print(dense);
  fmt::print("\nThe dense solver wins up to {} unknowns with one level, {} with three.\n",
             crossover(session, small, 1), crossover(session, small, 3));
  fmt::print("The library switches above kDenseLimit = {}.\n", kDenseLimit);
  print(sparse);
  return write_json(line, {dense, sparse});
}
