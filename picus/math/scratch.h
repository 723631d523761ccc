// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Room for numbers whose count is known at run time only, without allocation in a step.

#include <cstddef>
#include <type_traits>

#include "picus/math/types.h"

namespace picus {

/// Takes room from a store that each thread keeps, and gives it back at its end. Scratches end in
/// the order opposite to that of their beginning, so they live on the stack. The store grows until
/// it is large enough, and never again.
///
///   Scratch scratch;
///   Eigen::Map<Vector> x = scratch.vector(n);   // not initialised
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  template <class T>
  T* take(int count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(double));
    return static_cast<T*>(take_bytes(static_cast<std::size_t>(count) * sizeof(T)));
  }
  Eigen::Map<Vector> vector(int size) { return {take<double>(size), size}; }
  Eigen::Map<Matrix> matrix(int rows, int cols) { return {take<double>(rows * cols), rows, cols}; }

 private:
  static void* take_bytes(std::size_t bytes);

  std::size_t chunk_, used_;  ///< of the store when this began
};

}  // namespace picus
