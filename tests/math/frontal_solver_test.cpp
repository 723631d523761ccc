// SPDX-License-Identifier: BSD-3-Clause
// Fronts against KLU on what they are made for: symmetric patterns in space, with values that are
// not symmetric.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "picus/math/linear_solver.h"

namespace picus {
namespace {

constexpr unsigned kSeed = 11;

/// Unknowns on lattices of n³ places, three at each, that see all 26 places around theirs.
struct Lattice {
  explicit Lattice(int n, int lattices = 1) {
    const int places = n * n * n;
    for (int j = 0; j < lattices * places; ++j) {
      for (int c = 0; c < 3; ++c) {
        for (int i = j / places * places; i < (j / places + 1) * places; ++i) {
          const bool is_near = std::abs(i % n - j % n) <= 1 &&
                               std::abs(i / n % n - j / n % n) <= 1 &&
                               std::abs(i / (n * n) - j / (n * n)) <= 1;
          if (!is_near) continue;
          for (int r = 0; r < 3; ++r)
            rows.push_back(3 * i + r);
        }
        starts.push_back(static_cast<int>(rows.size()));
      }
    }
    values.resize(rows.size());
  }

  int size() const { return static_cast<int>(starts.size()) - 1; }
  CompressedColumns view() const { return {size(), starts, rows, values}; }

  /// New values, with diagonals of this size.
  void fill(std::mt19937& random, double diagonal) {
    std::uniform_real_distribution<double> spread(-1.0, 1.0);
    for (std::size_t j = 0; j + 1 < starts.size(); ++j)
      for (int k = starts[j]; k < starts[j + 1]; ++k) {
        double& value = values[static_cast<std::size_t>(k)];
        value = spread(random);
        if (rows[static_cast<std::size_t>(k)] == static_cast<int>(j))
          value = std::copysign(diagonal, value);
      }
  }

  /// ‖A x − b‖_∞ or ‖Aᵀ x − b‖_∞
  double miss(const Vector& x, Vector b, bool is_transposed) const {
    for (std::size_t j = 0; j + 1 < starts.size(); ++j)
      for (int k = starts[j]; k < starts[j + 1]; ++k) {
        const int row = rows[static_cast<std::size_t>(k)], col = static_cast<int>(j);
        b(is_transposed ? col : row) -=
            values[static_cast<std::size_t>(k)] * x(is_transposed ? row : col);
      }
    return max_abs(b);
  }

  std::vector<int> starts{0}, rows;
  std::vector<double> values;
};

TEST(FrontalSolver, SolvesAndKnowsTheSignOfTheDeterminant) {
  std::mt19937 random(kSeed);
  const auto fronts = make_frontal_solver(), klu = make_sparse_solver();
  int negative = 0;
  for (const int n : {1, 2, 4, 6}) {
    Lattice A(n);
    fronts->analyze(A.view());
    klu->analyze(A.view());
    for (int repeat = 0; repeat < 6; ++repeat) {
      A.fill(random, 30.0);
      ASSERT_TRUE(fronts->factorize(A.view()));
      ASSERT_TRUE(klu->factorize(A.view()));
      EXPECT_EQ(fronts->determinant_sign(), klu->determinant_sign());
      negative += fronts->determinant_sign() < 0 ? 1 : 0;
      const Vector b = Vector::LinSpaced(A.size(), -1.0, 2.0);
      Vector x = b;
      fronts->solve(x);
      EXPECT_LT(A.miss(x, b, false), 1e-11) << n << ", seed " << kSeed;
      x = b;
      fronts->solve_transposed(x);
      EXPECT_LT(A.miss(x, b, true), 1e-11) << n << ", seed " << kSeed;
    }
  }
  EXPECT_GT(negative, 4);
  EXPECT_LT(negative, 20);
}

TEST(FrontalSolver, SolvesPartsThatKnowNothingOfEachOther) {
  std::mt19937 random(kSeed);
  Lattice A(3, 8);
  A.fill(random, 30.0);
  const auto fronts = make_frontal_solver();
  fronts->analyze(A.view());
  for (int repeat = 0; repeat < 3; ++repeat) {
    ASSERT_TRUE(fronts->factorize(A.view()));
    const Vector b = Vector::LinSpaced(A.size(), -1.0, 2.0);
    Vector x = b;
    fronts->solve(x);
    EXPECT_LT(A.miss(x, b, false), 1e-11);
  }
}

// The three unknowns of a place are in one front: rows are exchanged where a diagonal is zero.
TEST(FrontalSolver, ExchangesRowsInsideOfFronts) {
  std::mt19937 random(kSeed);
  Lattice A(3);
  A.fill(random, 30.0);
  for (std::size_t k = 0; k < A.rows.size(); ++k) {
    // the first two rows of every place change their roles
    int& row = A.rows[k];
    row += row % 3 == 0 ? 1 : row % 3 == 1 ? -1 : 0;
  }
  // columns are sorted again
  for (std::size_t j = 0; j + 1 < A.starts.size(); ++j)
    for (int k = A.starts[j]; k < A.starts[j + 1]; k += 3) {
      const auto at = static_cast<std::size_t>(k);
      std::swap(A.rows[at], A.rows[at + 1]);
      std::swap(A.values[at], A.values[at + 1]);
    }
  const auto fronts = make_frontal_solver();
  fronts->analyze(A.view());
  ASSERT_TRUE(fronts->factorize(A.view()));
  const Vector b = Vector::Ones(A.size());
  Vector x = b;
  fronts->solve(x);
  EXPECT_LT(A.miss(x, b, false), 1e-11);
}

TEST(FrontalSolver, RefusesSingularAndNonFiniteMatricesAndRecovers) {
  std::mt19937 random(kSeed);
  Lattice A(2);
  const auto fronts = make_frontal_solver();
  fronts->analyze(A.view());
  std::fill(A.values.begin(), A.values.end(), 0.0);
  EXPECT_FALSE(fronts->factorize(A.view()));
  A.fill(random, 30.0);
  EXPECT_TRUE(fronts->factorize(A.view()));
  A.values[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(fronts->factorize(A.view()));
  A.fill(random, 30.0);
  EXPECT_TRUE(fronts->factorize(A.view()));
}

}  // namespace
}  // namespace picus
