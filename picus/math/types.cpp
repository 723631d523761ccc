// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/types.h"

#include <cmath>

namespace picus {

double max_abs(const Vector& x) {
  double largest = 0.0;
  for (const double value : x) {
    if (std::isnan(value)) return value;
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace picus
