// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How fast a system can move and how fast it does; the ratio shows whether it is stiff.

#include "picus/dynamics/consistent_state.h"

namespace picus {

struct Rates {
  double forces = 0.0;    ///< fastest response of forces to the motions that joints permit [1/s]
  double controls = 0.0;  ///< the same of first-order states among themselves [1/s]
  double motion = 0.0;    ///< how fast positions and velocities change now [1/s]

  double fastest() const { return forces > controls ? forces : controls; }
};

/// The rates at a state that make_consistent() has returned `consistency` for. Contacts and
/// friction count as open. A few solutions with the matrix [M Gᵀ; G 0], by power iteration; the
/// result is rough, and below the true rate rather than above.
Rates rates_of(const System& system, const State& state, const Consistency& consistency);

}  // namespace picus
