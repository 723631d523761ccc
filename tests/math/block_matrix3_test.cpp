// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/block_matrix3.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"

namespace picus {
namespace {

void fill_blocks(BlockMatrix3& A, double scale) {
  A.begin(3);
  A.add(0, 0, 1.0 * scale);
  A.add(1, 0, 2.0 * scale);
  A.add(1, 0, 0.5 * scale);  // adds up
  A.add(8, 1, 3.0 * scale);
  A.add(1, 8, 4.0 * scale);
  A.end();
}

TEST(BlockMatrix3, ScalarEntriesAddUpToBlocks) {
  BlockMatrix3 A;
  fill_blocks(A, 1.0);
  Matrix expected = Matrix::Zero(9, 9);
  expected(0, 0) = 1.0;
  expected(1, 0) = 2.5;
  expected(8, 1) = 3.0;
  expected(1, 8) = 4.0;
  EXPECT_EQ(A.dense(), expected);
  EXPECT_EQ(A.row(0).columns.size(), 2u);
  EXPECT_EQ(A.row(1).columns.size(), 1u);  // the diagonal has room without entries
  EXPECT_EQ(A.diagonal(1), Matrix3::Zero());

  Vector x(9), y(9);
  x << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  A.multiply(x, y);
  EXPECT_EQ(y, expected * x);
  EXPECT_EQ(A.row_times(2, x), (expected * x).tail<3>());
}

TEST(BlockMatrix3, ARepeatedFillKeepsThePatternAndAllocatesNothing) {
  BlockMatrix3 A;
  fill_blocks(A, 1.0);
  const Matrix first = A.dense();
  const unsigned revision = A.pattern_revision();
  const long before = testing::allocations();
  fill_blocks(A, 2.0);
  EXPECT_EQ(testing::allocations() - before, 0);
  EXPECT_EQ(A.pattern_revision(), revision);
  EXPECT_EQ(A.dense(), 2.0 * first);
}

TEST(BlockMatrix3, ADifferentFillIsNoticed) {
  BlockMatrix3 A;
  fill_blocks(A, 1.0);
  const unsigned revision = A.pattern_revision();
  A.begin(3);
  A.add_block(2, 1, Matrix3::Constant(2.0));
  A.end();
  EXPECT_NE(A.pattern_revision(), revision);
  Matrix expected = Matrix::Zero(9, 9);
  expected.block<3, 3>(6, 3).setConstant(2.0);
  EXPECT_EQ(A.dense(), expected);
}

}  // namespace
}  // namespace picus
