// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/rotation.h"

#include <gtest/gtest.h>

namespace picus {
namespace {

// Around the border between series and closed forms, and far from it.
const Vector3 kRotations[] = {{0.0, 0.0, 0.0},   {1e-5, -2e-5, 1e-5}, {0.1, 0.2, -0.15},
                              {0.3, -0.3, 0.26}, {0.3, -0.3, 0.27},   {1.0, -0.7, 2.0}};

TEST(InverseIncrementJacobian, IsTheInverse) {
  for (const Vector3& phi : kRotations)
    EXPECT_LT((inverse_increment_jacobian(phi) * increment_jacobian(phi) - Matrix3::Identity())
                  .cwiseAbs()
                  .maxCoeff(),
              2e-14)
        << phi.transpose();
}

TEST(InverseIncrementJacobian, HasItsTangent) {
  const Vector3 omega(0.7, -1.3, 0.4);
  const double step = 1e-5;
  for (const Vector3& phi : kRotations) {
    const Matrix3 tangent = inverse_increment_jacobian_tangent(phi, omega);
    for (int i = 0; i < 3; ++i) {
      const Vector3 away = step * Vector3::Unit(i);
      const Vector3 slope = (inverse_increment_jacobian(phi + away) * omega -
                             inverse_increment_jacobian(phi - away) * omega) /
                            (2.0 * step);
      EXPECT_LT((tangent.col(i) - slope).norm(), 1e-9) << phi.transpose();
    }
  }
}

}  // namespace
}  // namespace picus
