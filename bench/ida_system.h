// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "bench/ida_memory.h"
#include "picus/dynamics/system.h"

namespace picus::bench {

struct IdaSettings {
  double tolerance = 1e-6;            ///< relative, and absolute over the scales below
  double length = 1.0;                ///< scale of positions [m]; angles count in radians
  double speed = 1.0;                 ///< scale of velocities [m/s]
  double spin = 1.0;                  ///< scale of angular velocities [rad/s]
  bool control_velocity = true;       ///< velocities take part in the error test
  std::vector<int> quaternions = {};  ///< first position of each; empty on a vector space
};

/// SUNDIALS IDA on any system with holonomic constraints, in the form of Gear, Gupta and
/// Leimkuhler,
///   q̇ = T(q) (v + Gᵀ μ),  M v̇ = F,  0 = g,  0 = G v + g_t,
/// with the exact sparse Jacobian of the system and our own sparse solver (KLU), from a consistent
/// state. `sample` sees the interpolated state at every one of the given times.
///
/// Quaternions are integrated as four numbers each, whose length their equation keeps; the linear
/// systems are solved in the tangent space, so that they are no larger than on a vector space.
IdaCounts run_ida(const System& system, const State& start, const std::vector<double>& times,
                  const IdaSettings& settings, const std::function<void(const State&)>& sample);

}  // namespace picus::bench
