// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace picus::bench {

/// The index-3 generalized-α method written for the pendulum alone, with fixed sizes and
/// derivatives by hand: how fast a step can be when nothing is general. Returns θ at the end.
double hand_written_pendulum(double h, int steps);

}  // namespace picus::bench
