// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picus/dynamics/system.h"

namespace picus {

/// "rod.rotation z": what a human calls a velocity coordinate.
std::string coordinate_name(const System& system, int index);

/// "m/s²" or "rad/s²".
const char* acceleration_unit(const System& system, int index);

/// The coordinates with the largest shares in a direction, the largest first: those above a tenth
/// of it, at most `count`. `weight` makes lengths and angles comparable.
std::vector<std::string> leading_coordinates(const System& system, const Vector& direction,
                                             const Vector& weight, std::size_t count = 4);

/// Square roots of the diagonal of the mass matrix: shares of the kinetic energy.
Vector kinetic_weights(const System& system, const State& s);

}  // namespace picus
