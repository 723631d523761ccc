// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Words that the descriptions of recorded quantities share.

#include <string>
#include <vector>

#include "picus/math/types.h"

namespace picus {

inline const std::vector<std::string> kAxes{"x", "y", "z"};

inline void put(const Vector3& value, std::vector<double>& to) {
  to.insert(to.end(), {value(0), value(1), value(2)});
}

}  // namespace picus
