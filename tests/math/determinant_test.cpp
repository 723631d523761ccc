// SPDX-License-Identifier: BSD-3-Clause
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "picus/math/linear_solver.h"

namespace picus {
namespace {

// Random patterns with weak diagonals, so that rows are exchanged; every second matrix is the one
// before with new values on its pattern.
TEST(LinearSolver, KnowsTheSignOfTheDeterminant) {
  constexpr unsigned kSeed = 5;
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> spread(-1.0, 1.0);
  int negative = 0;
  for (const int size : {1, 2, 3, 7, 20, 41}) {
    for (const auto& make : {make_dense_solver, make_sparse_solver}) {
      const auto solver = make();
      std::vector<int> starts{0}, rows;
      for (int j = 0; j < size; ++j) {
        for (int i = 0; i < size; ++i)
          if (i == j || i == (j + 1) % size || spread(random) > 0.5) rows.push_back(i);
        starts.push_back(static_cast<int>(rows.size()));
      }
      std::vector<double> values(rows.size());
      const CompressedColumns A{size, starts, rows, values};
      solver->analyze(A);
      for (int repeat = 0; repeat < 20; ++repeat) {
        Matrix dense = Matrix::Zero(size, size);
        for (int j = 0; j < size; ++j)
          for (auto k = static_cast<std::size_t>(starts[static_cast<std::size_t>(j)]);
               k < static_cast<std::size_t>(starts[static_cast<std::size_t>(j) + 1]); ++k)
            dense(rows[k], j) = values[k] = (rows[k] == j ? 0.1 : 1.0) * spread(random);
        ASSERT_TRUE(solver->factorize(A));
        const double determinant = dense.determinant();
        negative += determinant < 0.0 ? 1 : 0;
        EXPECT_EQ(solver->determinant_sign(), determinant < 0.0 ? -1 : 1)
            << size << " unknowns, seed " << kSeed;
      }
    }
  }
  EXPECT_GT(negative, 50);
  EXPECT_LT(negative, 190);
}

}  // namespace
}  // namespace picus
