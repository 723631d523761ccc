// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace picus {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

template <class T, int N>
using SmallVector = Eigen::Matrix<T, N, 1>;

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

template <class T, int Rows, int Cols>
using SmallMatrix = Eigen::Matrix<T, Rows, Cols>;

/// Largest magnitude; 0 for an empty vector, NaN when any entry is NaN.
double max_abs(const Vector& x);

}  // namespace picus
