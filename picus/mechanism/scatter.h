// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Twelve local numbers into their places in the system; places of -1 do not exist.

#include <array>

#include "picus/elements/directions.h"
#include "picus/math/sparse_matrix.h"

namespace picus {

using Places = std::array<int, 12>;

inline void add_to(Vector& x, const Places& places, const Row<double>& row) {
  for (int k = 0; k < 12; ++k) {
    const int place = places[static_cast<std::size_t>(k)];
    if (place >= 0) x(place) += row(k);
  }
}

inline void add_row(SparseMatrix& A, int row, const Places& places, const Row<double>& values) {
  for (int k = 0; k < 12; ++k) {
    const int place = places[static_cast<std::size_t>(k)];
    if (place >= 0) A.add(row, place, values(k));
  }
}

inline void add_column(SparseMatrix& A, int col, const Places& places, const Row<double>& values) {
  for (int k = 0; k < 12; ++k) {
    const int place = places[static_cast<std::size_t>(k)];
    if (place >= 0) A.add(place, col, values(k));
  }
}

inline void add_square(SparseMatrix& A, const Places& rows, const Places& cols, double factor,
                       const Hessian& block) {
  for (int j = 0; j < 12; ++j) {
    const int col = cols[static_cast<std::size_t>(j)];
    if (col < 0) continue;
    for (int i = 0; i < 12; ++i) {
      const int row = rows[static_cast<std::size_t>(i)];
      if (row >= 0) A.add(row, col, factor * block(i, j));
    }
  }
}

}  // namespace picus
