// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is seen of a motion with impacts, whoever computed it. Readable as C++17, for the engines of
// bench/ that know no C++20.

#include <cstddef>
#include <vector>

namespace picus::studies {

/// Positions at the steps of a solver, the start included. Times never decrease.
struct ImpactPath {
  std::vector<double> time = {};
  std::vector<double> position = {};  ///< all coordinates at the first time, then at the second, …

  void add(double t, const double* q, std::size_t coordinates) {
    time.push_back(t);
    position.insert(position.end(), q, q + coordinates);
  }
};

}  // namespace picus::studies
