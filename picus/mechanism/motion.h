// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace picus {

/// Something that moves with time, with its first two derivatives.
struct MotionValue {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};
using Motion = std::function<MotionValue(double time)>;

}  // namespace picus
