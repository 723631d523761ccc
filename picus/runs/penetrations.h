// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picus/mechanism/mechanism.h"

namespace picus {

/// What lies inside of what it should stay out of, beyond what the digits of a start position
/// explain: one sentence for each contact and each group of collisions.
std::vector<std::string> penetrations_of(const Mechanism& mechanism, const State& state);

}  // namespace picus
