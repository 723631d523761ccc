// SPDX-License-Identifier: BSD-3-Clause
#include "studies/norms.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace picus::studies {
namespace {

TEST(GridNorms, AreThoseOfAcary21) {
  const GridNorms norms = grid_norms(0.5, std::vector{3.0, -4.0, 0.0});
  EXPECT_DOUBLE_EQ(norms.l1, 3.5);
  EXPECT_DOUBLE_EQ(norms.l2, std::sqrt(12.5));
  EXPECT_DOUBLE_EQ(norms.max, 4.0);
  EXPECT_TRUE(std::isnan(grid_norms(0.5, std::vector{std::nan(""), 1.0}).max));
}

}  // namespace
}  // namespace picus::studies
