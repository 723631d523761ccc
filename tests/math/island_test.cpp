// SPDX-License-Identifier: BSD-3-Clause
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "picus/math/block_matrix.h"
#include "picus/math/block_matrix3.h"
#include "tests/support/allocation_counter.h"

namespace picus {
namespace {

// Islands of the sizes given, their unknowns dealt out in turn, with random entries.
SparseMatrix scattered_islands(const std::vector<int>& sizes, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> spread(-1.0, 1.0);
  int total = 0;
  for (const int size : sizes)
    total += size;
  std::vector<std::vector<int>> members(sizes.size());
  for (int i = 0; i < total;) {
    for (std::size_t k = 0; k < sizes.size(); ++k)
      if (static_cast<int>(members[k].size()) < sizes[k]) members[k].push_back(i++);
  }
  SparseMatrix A;
  A.begin(total, total);
  for (const std::vector<int>& island : members)
    for (const int i : island)
      for (const int j : island)
        A.add(i, j,
              i == j ? 4.0 + spread(random) : spread(random) / static_cast<double>(sizes.size()));
  A.end();
  return A;
}

TEST(Islands, AreFoundAndSolvedOneByOne) {
  const SparseMatrix A = scattered_islands({1, 3, 1, 20, 6, 2}, 3);
  BlockMatrix matrix;
  matrix.reset({A.rows()});
  matrix.begin();
  matrix.add(0, 0, 1.0, A);
  ASSERT_TRUE(matrix.factorize());
  const IslandSolver& islands = matrix.islands();
  EXPECT_EQ(islands.islands(), 6);
  Vector x = Vector::LinSpaced(A.rows(), -1.0, 2.0);
  const Vector expected = A.dense().lu().solve(x);
  matrix.solve(x);
  EXPECT_LT(max_abs(x - expected), 1e-14);
  for (int k = 0; k < islands.islands(); ++k) {
    const int size = islands.island_size(k);
    if (size == 1 || size > IslandSolver::kSmall) continue;
    Matrix part(size, size);
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j)
        part(i, j) = A.dense()(islands.members(k)[static_cast<std::size_t>(i)],
                               islands.members(k)[static_cast<std::size_t>(j)]);
    EXPECT_LT((islands.inverse(k) * part - Matrix::Identity(size, size)).norm(), 1e-13);
  }
}

TEST(Islands, ASingularOneIsNamed) {
  SparseMatrix A;
  A.begin(20, 20);
  for (int i = 0; i < 20; ++i)
    A.add(i, i, i == 13 ? 0.0 : 1.0);
  A.end();
  BlockMatrix matrix;
  matrix.reset({20});
  matrix.begin();
  matrix.add(0, 0, 1.0, A);
  EXPECT_FALSE(matrix.factorize());
  EXPECT_EQ(matrix.weakest(), 13);
  EXPECT_EQ(matrix.pivot_ratio(), 0.0);
}

TEST(SparseMatrix, ANewSequenceWithTheSamePatternIsNoNewPattern) {
  SparseMatrix A;
  const auto fill = [&](bool backwards) {
    A.begin(30, 30);
    for (int k = 0; k < 30; ++k)
      A.add(backwards ? 29 - k : k, 3, 1.0 + (backwards ? 29 - k : k));
    A.end();
  };
  fill(false);
  const Matrix first = A.dense();
  const unsigned revision = A.pattern_revision();
  fill(true);
  const long before = testing::allocations();
  fill(false);
  EXPECT_EQ(testing::allocations(), before) << "sizes are known";
  EXPECT_EQ(A.pattern_revision(), revision);
  EXPECT_EQ(A.dense(), first);
}

TEST(SparseMatrix, ASinkTakesAnything) {
  SparseMatrix sink = SparseMatrix::sink();
  const long before = testing::allocations();
  sink.begin(2, 2);
  sink.add(1, 1, 3.0);
  sink.end();
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(sink.nonzeros(), 0);
}

TEST(BlockMatrix3, RowsMayBeFilledOneAfterTheOther) {
  BlockMatrix3 W;
  const auto fill = [&](double scale) {
    W.begin_rows(3);
    const std::vector<std::vector<int>> columns{{0, 2}, {1}, {0, 2}};
    for (int i = 0; i < 3; ++i) {
      const auto row = W.next_row(columns[static_cast<std::size_t>(i)]);
      for (std::size_t k = 0; k < row.size(); ++k)
        row[k] += Matrix3::Constant(scale * (1.0 + i + 10.0 * static_cast<double>(k)));
    }
    W.end_rows();
  };
  fill(1.0);
  EXPECT_EQ(W.dense()(1, 7), 11.0);
  EXPECT_EQ(W.dense()(8, 0), 3.0);
  EXPECT_EQ(W.dense()(0, 4), 0.0);
  EXPECT_EQ(W.diagonal(2)(0, 0), 13.0);
  const unsigned revision = W.pattern_revision();
  fill(2.0);
  EXPECT_EQ(W.pattern_revision(), revision);
  EXPECT_EQ(W.dense()(8, 0), 6.0);
  W.begin_rows(1);
  W.next_row(std::vector<int>{0})[0] = Matrix3::Identity();
  W.end_rows();
  EXPECT_NE(W.pattern_revision(), revision);
  EXPECT_EQ(W.dense(), Matrix3::Identity());
}

}  // namespace
}  // namespace picus
