// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>

namespace picus {

/// An explicit Runge–Kutta method. The first stage is the end of the step before, and the end of
/// this one is evaluated as well, since the state there must be complete: methods whose last stage
/// lies there ("first same as last") leave it out. It may take part in the error estimate, as the
/// last of `other`.
struct ExplicitTableau {
  static constexpr std::size_t kMaxStages = 8;
  using Row = std::array<double, kMaxStages + 1>;

  int order;
  int error_order;  ///< of the other solution
  int stages;
  std::array<Row, kMaxStages> a;
  Row b;
  Row other;  ///< weights of the solution that the result is compared with

  /// Nodes c are the sums of the rows of a.
  double node(int stage) const {
    double sum = 0.0;
    for (const double entry : a[static_cast<std::size_t>(stage)])
      sum += entry;
    return sum;
  }
};

/// All of them, by order.
std::span<const ExplicitTableau> explicit_tableaux();

}  // namespace picus
