// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "picus/math/types.h"

namespace picus::studies {

/// Coordinates that are polynomials of time from each of many times to the next.
class PolynomialMotion {
 public:
  /// Column k of `coefficients` belongs to (t - time)ᵏ. Times ascend.
  void add(double time, Eigen::MatrixXd coefficients) {
    times_.push_back(time);
    pieces_.push_back(std::move(coefficients));
  }

  Vector at(double time) const {
    const auto next = std::upper_bound(times_.begin(), times_.end(), time);
    const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - times_.begin() - 1, 0));
    return value(pieces_[i], time - times_[i]);
  }

  static Vector value(const Eigen::MatrixXd& coefficients, double s) {
    Vector result = Vector::Zero(coefficients.rows());
    for (Eigen::Index k = coefficients.cols(); k-- > 0;)
      result = result * s + coefficients.col(k);
    return result;
  }

 private:
  std::vector<double> times_;
  std::vector<Eigen::MatrixXd> pieces_;
};

}  // namespace picus::studies
