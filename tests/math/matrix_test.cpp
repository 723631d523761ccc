// SPDX-License-Identifier: BSD-3-Clause
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "picus/math/block_matrix.h"
#include "picus/math/rank.h"
#include "picus/math/sparse_matrix.h"

namespace picus {
namespace {

SparseMatrix from_dense(const Matrix& A) {
  SparseMatrix result;
  result.begin(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  for (int j = 0; j < A.cols(); ++j)
    for (int i = 0; i < A.rows(); ++i)
      result.add(i, j, A(i, j));
  result.end();
  return result;
}

Matrix random_matrix(int rows, int cols, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> spread(-1.0, 1.0);
  return Matrix::NullaryExpr(rows, cols, [&] { return spread(random); });
}

TEST(SparseMatrix, AddsUpRepeatedEntries) {
  SparseMatrix A;
  A.begin(2, 2);
  A.add(1, 0, 2.0);
  A.add(0, 0, 1.0);
  A.add(1, 0, 3.0);
  A.end();
  EXPECT_EQ(A.nonzeros(), 2);
  EXPECT_EQ(A.dense(), (Matrix(2, 2) << 1, 0, 5, 0).finished());
}

TEST(SparseMatrix, KeepsItsPatternOnTheSameSequence) {
  SparseMatrix A;
  for (int pass = 0; pass < 3; ++pass) {
    A.begin(2, 3);
    A.add(0, 2, pass + 1.0);
    A.add(1, 1, -pass - 1.0);
    A.end();
    EXPECT_EQ(A.pattern_revision(), 1u);
    EXPECT_EQ(A.dense()(0, 2), pass + 1.0);
  }
}

TEST(SparseMatrix, NoticesADifferentSequence) {
  SparseMatrix A;
  const auto fill = [&](std::vector<std::pair<int, int>> places) {
    A.begin(3, 3);
    for (const auto& [i, j] : places)
      A.add(i, j, 1.0);
    A.end();
  };
  fill({{0, 0}, {1, 1}});
  fill({{0, 0}, {2, 1}, {1, 2}});
  EXPECT_EQ(A.dense(), (Matrix(3, 3) << 1, 0, 0, 0, 0, 1, 0, 1, 0).finished());
  fill({{0, 0}});
  EXPECT_EQ(A.nonzeros(), 1);
  fill({});
  EXPECT_EQ(A.nonzeros(), 0);
}

TEST(SparseMatrix, GivesNoRoomToEntriesThatHaveAlwaysBeenZero) {
  SparseMatrix A;
  const auto fill = [&](int size, double corner) {
    A.begin(size, size);
    A.add(0, 0, 1.0);
    A.add(1, 1, corner);
    A.end();
  };
  fill(100, 0.0);
  EXPECT_EQ(A.nonzeros(), 1);
  fill(100, 2.0);
  EXPECT_EQ(A.nonzeros(), 2);
  fill(100, 0.0);  // stays in the pattern from now on
  EXPECT_EQ(A.nonzeros(), 2);
  EXPECT_EQ(A.pattern_revision(), 2u);
  fill(2, 0.0);  // small matrices keep everything
  EXPECT_EQ(A.nonzeros(), 2);
}

// A wave that reaches one block after the other changes the pattern once.
TEST(SparseMatrix, GivesRoomInAllBlocksThatAreAlike) {
  SparseMatrix A;
  const auto fill = [&](int reached, int blocks) {
    A.begin(100, 100);
    A.add(99, 99, 1.0);
    A.begin_alike(4);
    for (int k = 0; k < blocks; ++k)
      for (const auto& [i, j] :
           {std::pair(0, 0), std::pair(1, 0), std::pair(0, 1), std::pair(1, 1)})
        A.add(2 * k + i, 2 * k + j, i == j ? 1.0 : i == 0 && k < reached ? 0.5 : 0.0);
    A.end_alike();
    A.add(99, 0, 0.0);
    A.end();
    for (int k = 0; k < blocks; ++k) {
      EXPECT_EQ(A.dense()(2 * k, 2 * k), 1.0);
      EXPECT_EQ(A.dense()(2 * k, 2 * k + 1), k < reached ? 0.5 : 0.0);
    }
  };
  fill(0, 10);
  EXPECT_EQ(A.nonzeros(), 21);
  for (int reached = 1; reached <= 10; ++reached) {
    fill(reached, 10);
    EXPECT_EQ(A.nonzeros(), 31);  // (1, 0) and what is outside of the blocks have no room
    EXPECT_EQ(A.pattern_revision(), 2u);
  }
  fill(3, 12);
  EXPECT_EQ(A.nonzeros(), 37);
  fill(3, 9);
  EXPECT_EQ(A.nonzeros(), 28);
}

TEST(SparseMatrix, Multiplies) {
  const Matrix dense = random_matrix(4, 3, 1);
  const SparseMatrix A = from_dense(dense);
  const Vector x = random_matrix(3, 1, 2), z = random_matrix(4, 1, 3);
  Vector y = Vector::Ones(4), w = Vector::Ones(3);
  A.multiply_add(2.0, x, y);
  A.multiply_transposed_add(-1.0, z, w);
  EXPECT_LT(max_abs(y - Vector::Ones(4) - 2.0 * dense * x), 1e-15);
  EXPECT_LT(max_abs(w - Vector::Ones(3) + dense.transpose() * z), 1e-15);
}

struct NamedSolver {
  const char* name;
  std::unique_ptr<LinearSolver> (*make)();
};

void PrintTo(const NamedSolver& solver, std::ostream* out) {
  *out << solver.name;
}

class LinearSolvers : public ::testing::TestWithParam<NamedSolver> {
 protected:
  static std::unique_ptr<LinearSolver> make() { return GetParam().make(); }
  static CompressedColumns view(const SparseMatrix& A) {
    return {A.rows(), A.column_starts(), A.row_indices(), A.values()};
  }
};

TEST_P(LinearSolvers, SolveRepeatedlyOnOnePattern) {
  const auto solver = make();
  SparseMatrix A = from_dense(random_matrix(25, 25, 0));
  solver->analyze(view(A));
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Matrix dense = random_matrix(25, 25, seed);
    A = from_dense(dense);
    ASSERT_TRUE(solver->factorize(view(A)));
    const Vector b = random_matrix(25, 1, seed + 100);
    Vector x = b;
    solver->solve(x);
    EXPECT_LT(max_abs(dense * x - b), 1e-11);
    x = b;
    solver->solve_transposed(x);
    EXPECT_LT(max_abs(dense.transpose() * x - b), 1e-11);
    EXPECT_GT(solver->pivot_ratio(), 1e-8);
  }
}

TEST_P(LinearSolvers, SolveBadlyScaledRows) {
  Matrix dense = random_matrix(6, 6, 7);
  dense.row(2) *= 1e12;
  dense.row(4) *= 1e-12;
  const SparseMatrix A = from_dense(dense);
  const auto solver = make();
  solver->analyze(view(A));
  ASSERT_TRUE(solver->factorize(view(A)));
  const Vector wanted = random_matrix(6, 1, 8);
  Vector x = dense * wanted;
  solver->solve(x);
  EXPECT_LT(max_abs(x - wanted), 1e-11);
}

// A light body beside rigid constraints: [m I; I 0] with m = 1e-15 is regular, only its columns
// differ in size.
TEST_P(LinearSolvers, LightBodiesAreNotSingular) {
  Matrix dense = Matrix::Zero(4, 4);
  dense.topLeftCorner(2, 2) = 1e-15 * Matrix::Identity(2, 2);
  dense(0, 2) = dense(2, 0) = 1.0;
  dense(1, 3) = 1e-9;
  dense(3, 1) = 1e-9;
  const SparseMatrix A = from_dense(dense);
  const auto solver = make();
  solver->analyze(view(A));
  ASSERT_TRUE(solver->factorize(view(A)));
  const Vector wanted = random_matrix(4, 1, 8);
  Vector x = dense * wanted;
  solver->solve(x);
  EXPECT_LT(max_abs(x - wanted), 1e-12);
}

TEST_P(LinearSolvers, RefuseSingularAndNonFiniteMatrices) {
  Matrix dense = random_matrix(5, 5, 3);
  dense.row(4) = dense.row(1) + 2.0 * dense.row(2);
  SparseMatrix A = from_dense(dense);
  const auto solver = make();
  solver->analyze(view(A));
  EXPECT_FALSE(solver->factorize(view(A)));
  dense = random_matrix(5, 5, 4);
  A = from_dense(dense);
  EXPECT_TRUE(solver->factorize(view(A)));  // recovers
  dense(2, 3) = std::nan("");
  A = from_dense(dense);
  EXPECT_FALSE(solver->factorize(view(A)));
}

TEST_P(LinearSolvers, RefuseAnEmptyColumn) {
  Matrix dense = Matrix::Identity(3, 3);
  dense(1, 1) = 0.0;
  const SparseMatrix A = from_dense(dense);
  const auto solver = make();
  solver->analyze(view(A));
  EXPECT_FALSE(solver->factorize(view(A)));
}

INSTANTIATE_TEST_SUITE_P(All, LinearSolvers,
                         ::testing::Values(NamedSolver{"Dense", &make_dense_solver},
                                           NamedSolver{"Sparse", &make_sparse_solver}),
                         [](const auto& test) { return test.param.name; });

TEST(BlockMatrix, AssemblesScaledAndTransposedPieces) {
  const Matrix M = random_matrix(3, 3, 1), G = random_matrix(2, 3, 2);
  const SparseMatrix sM = from_dense(M), sG = from_dense(G);
  BlockMatrix A;
  A.reset({3, 2});
  for (const double factor : {1.0, 0.5}) {
    A.begin();
    A.add(0, 0, factor, sM);
    A.add(0, 0, 1.0, sM);
    A.add(0, 1, -1.0, sG, Transposed::kYes);
    A.add(1, 0, 2.0, sG);
    ASSERT_TRUE(A.factorize());
    Matrix wanted = Matrix::Zero(5, 5);
    wanted.topLeftCorner(3, 3) = (1.0 + factor) * M;
    wanted.topRightCorner(3, 2) = -G.transpose();
    wanted.bottomLeftCorner(2, 3) = 2.0 * G;
    EXPECT_LT((A.dense() - wanted).cwiseAbs().maxCoeff(), 1e-15);
    Vector x = Vector::Ones(5);
    A.solve(x);
    EXPECT_LT(max_abs(wanted * x - Vector::Ones(5)), 1e-12);
  }
}

TEST(BlockMatrix, FollowsChangesOfAPattern) {
  SparseMatrix M = from_dense(Matrix::Identity(3, 3));
  BlockMatrix A;
  A.reset({3});
  const auto solve = [&] {
    A.begin();
    A.add(0, 0, 1.0, M);
    EXPECT_TRUE(A.factorize());
    Vector x = Vector::Ones(3);
    A.solve(x);
    return x;
  };
  EXPECT_EQ(solve(), Vector::Ones(3));
  M.begin(3, 3);
  M.add(0, 0, 2.0);
  M.add(1, 1, 1.0);
  M.add(2, 2, 1.0);
  M.add(0, 2, 1.0);
  M.end();
  EXPECT_LT(max_abs(solve() - Eigen::Vector3d(0.0, 1.0, 1.0)), 1e-15);
}

TEST(Rank, FindsIndependentRowsAndExplainsTheOthers) {
  Matrix A = random_matrix(5, 6, 1);
  A.row(3) = 2.0 * A.row(0) - A.row(1);
  A.row(4).setZero();
  const RowRank rank = find_independent_rows(from_dense(A));
  EXPECT_EQ(rank.independent.size(), 3u);
  ASSERT_EQ(rank.dependent.size(), 2u);
  // which of 0, 1, 3 is left out is the pivoting's choice; it follows from the other two
  std::vector<int> group = rank.dependent[0].on;
  group.push_back(rank.dependent[0].row);
  std::sort(group.begin(), group.end());
  EXPECT_EQ(group, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(rank.dependent[1].row, 4);
  EXPECT_TRUE(rank.dependent[1].on.empty());
}

TEST(Rank, SparseAndDenseQrAgree) {
  // a band of 500 rows (above the dense limit), every hundredth a combination of its neighbours
  const int rows = 500, cols = 700;
  Matrix A = Matrix::Zero(rows, cols);
  const Matrix noise = random_matrix(rows, 3, 5);
  for (int i = 0; i < rows; ++i)
    A.row(i).segment<3>(i) = noise.row(i);
  for (int i = 100; i < rows; i += 100)
    A.row(i) = A.row(i - 1) + A.row(i + 1);
  const RowRank rank = find_independent_rows(from_dense(A));
  EXPECT_EQ(rank.independent.size(), 496u);
  ASSERT_EQ(rank.dependent.size(), 4u);
  for (const auto& dependent : rank.dependent)
    EXPECT_EQ(dependent.on.size(), 2u);
}

// Rows that come first stay whatever the others are.
TEST(RowRank, ChoosesTheOthersOnlyAsFarAsTheyAreNew) {
  for (const int copies : {1, 30}) {
    SparseMatrix A;
    A.begin(4 * copies, 2 * copies);
    std::vector<int> stages;
    for (int i = 0; i < copies; ++i) {
      // long sticking rows, short joints: (x), (x + y/1000), (y), (x)
      A.add(4 * i, 2 * i, 100.0);
      A.add(4 * i + 1, 2 * i, 1.0);
      A.add(4 * i + 1, 2 * i + 1, 1e-3);
      A.add(4 * i + 2, 2 * i + 1, 50.0);
      A.add(4 * i + 3, 2 * i, 1e-3);
      stages.insert(stages.end(), {1, 0, 1, 0});
    }
    A.end();
    const std::vector<int> kept = find_independent_rows(A, stages);
    ASSERT_EQ(kept.size(), static_cast<std::size_t>(2 * copies));
    for (std::size_t i = 0; i < kept.size(); ++i)
      EXPECT_EQ(stages[static_cast<std::size_t>(kept[i])], 0) << copies << ' ' << kept[i];
  }
}

TEST(RowRank, LeavesOutWhatRoundingHasLeft) {
  SparseMatrix A;
  A.begin(3, 3);
  A.add(0, 0, 1.0);
  A.add(1, 0, 1.0);
  A.add(1, 1, 1e-14);
  A.add(2, 2, 1.0);
  A.end();
  EXPECT_EQ(find_independent_rows(A, std::vector<int>{0, 1, 1}), (std::vector<int>{0, 2}));
  EXPECT_EQ(find_independent_rows(A, std::vector<int>{1, 0, 1}), (std::vector<int>{1, 2}));
  EXPECT_EQ(find_independent_rows(A, std::vector<int>{2, 1, 0}), (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace picus
