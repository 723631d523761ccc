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

/// The local numbers that have a place.
struct LocalPlaces {
  std::array<int, 12> local, place;
  int count = 0;

  explicit LocalPlaces(const Places& places) {
    for (int k = 0; k < 12; ++k) {
      if (places[static_cast<std::size_t>(k)] < 0) continue;
      local[static_cast<std::size_t>(count)] = k;
      place[static_cast<std::size_t>(count++)] = places[static_cast<std::size_t>(k)];
    }
  }
};

inline void add_square(SparseMatrix& A, const Places& places, double factor, const Hessian& block) {
  const LocalPlaces here(places);
  const auto n = static_cast<std::size_t>(here.count);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      A.add(here.place[i], here.place[j], factor * block(here.local[i], here.local[j]));
}

/// The same without a factor; null stands for a block that happens to vanish.
inline void add_square(SparseMatrix& A, const Places& places, const Hessian* block) {
  const LocalPlaces here(places);
  const auto n = static_cast<std::size_t>(here.count);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      A.add(here.place[i], here.place[j],
            block == nullptr ? 0.0 : (*block)(here.local[i], here.local[j]));
}

}  // namespace picus
