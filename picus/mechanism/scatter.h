// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Local numbers, twelve of two bodies or as many as frames have, into their places in the system;
// places of -1 do not exist.

#include <array>
#include <span>

#include "picus/elements/directions.h"
#include "picus/math/sparse_matrix.h"
#include "picus/mechanism/carried_view.h"

namespace picus {

using Places = std::array<int, 12>;
template <std::size_t N>
using Numbers = SmallVector<double, static_cast<int>(N)>;
template <std::size_t N>
using Block = SmallMatrix<double, static_cast<int>(N), static_cast<int>(N)>;

template <std::size_t N>
void add_to(Vector& x, const std::array<int, N>& places, const Numbers<N>& row) {
  for (std::size_t k = 0; k < N; ++k)
    if (places[k] >= 0) x(places[k]) += row(static_cast<int>(k));
}

template <std::size_t N>
void add_row(SparseMatrix& A, int row, const std::array<int, N>& places, const Numbers<N>& values) {
  for (std::size_t k = 0; k < N; ++k)
    if (places[k] >= 0) A.add(row, places[k], values(static_cast<int>(k)));
}

template <std::size_t N>
void add_column(SparseMatrix& A, int col, const std::array<int, N>& places,
                const Numbers<N>& values) {
  for (std::size_t k = 0; k < N; ++k)
    if (places[k] >= 0) A.add(places[k], col, values(static_cast<int>(k)));
}

// The same for numbers whose count is known at run time only.

inline void add_to(Vector& x, const PlaceList& places, const auto& row) {
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k] >= 0) x(places[k]) += row(static_cast<int>(k));
}

inline void add_row(SparseMatrix& A, int row, const PlaceList& places, const auto& values) {
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k] >= 0) A.add(row, places[k], values(static_cast<int>(k)));
}

inline void add_column(SparseMatrix& A, int col, const PlaceList& places, const auto& values) {
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k] >= 0) A.add(places[k], col, values(static_cast<int>(k)));
}

inline void add_square(SparseMatrix& A, const PlaceList& places, double factor, const auto& block) {
  for (std::size_t j = 0; j < places.size(); ++j)
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0 && places[j] >= 0)
        A.add(places[i], places[j], factor * block(static_cast<int>(i), static_cast<int>(j)));
}

/// The local numbers that have a place.
template <std::size_t N>
struct LocalPlaces {
  std::array<int, N> local, place;
  std::size_t count = 0;

  explicit LocalPlaces(const std::array<int, N>& places) {
    for (std::size_t k = 0; k < N; ++k) {
      if (places[k] < 0) continue;
      local[count] = static_cast<int>(k);
      place[count++] = places[k];
    }
  }
};

template <std::size_t N>
void add_square(SparseMatrix& A, const std::array<int, N>& places, double factor,
                const Block<N>& block) {
  const LocalPlaces here(places);
  for (std::size_t j = 0; j < here.count; ++j)
    for (std::size_t i = 0; i < here.count; ++i)
      A.add(here.place[i], here.place[j], factor * block(here.local[i], here.local[j]));
}

/// Of a block that happens to vanish.
inline void add_zeros(SparseMatrix& A, std::span<const int> places) {
  for (const int col : places)
    for (const int row : places)
      if (row >= 0 && col >= 0) A.add(row, col, 0.0);
}

/// A += factor · column ⊗ row
inline void add_outer(SparseMatrix& A, std::span<const int> rows, const auto& column,
                      std::span<const int> cols, const auto& row, double factor) {
  for (std::size_t j = 0; j < cols.size(); ++j) {
    if (cols[j] < 0) continue;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] >= 0)
        A.add(rows[i], cols[j], factor * column(static_cast<int>(i)) * row(static_cast<int>(j)));
  }
}

/// The same without a factor; null stands for a block that happens to vanish.
inline void add_square(SparseMatrix& A, const Places& places, const Hessian* block) {
  const LocalPlaces here(places);
  for (std::size_t j = 0; j < here.count; ++j)
    for (std::size_t i = 0; i < here.count; ++i)
      A.add(here.place[i], here.place[j],
            block == nullptr ? 0.0 : (*block)(here.local[i], here.local[j]));
}

}  // namespace picus
