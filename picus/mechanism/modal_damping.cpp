// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/modal_damping.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace picus {

void ModalDamping::find_modes(const Matrix& M, const Matrix& K, const std::vector<double>& ratios,
                              int rigid) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> all(0.5 * (K + K.transpose()), M);
  const int count = std::min(static_cast<int>(ratios.size()), static_cast<int>(M.rows()) - rigid);
  shapes_ = all.eigenvectors().middleCols(rigid, count);
  const Vector frequencies = all.eigenvalues().segment(rigid, count).cwiseSqrt();
  factors_.resize(count);
  for (int m = 0; m < count; ++m)
    factors_(m) = 2.0 * ratios[static_cast<std::size_t>(m)] / std::pow(frequencies(m), 3);
}

}  // namespace picus
