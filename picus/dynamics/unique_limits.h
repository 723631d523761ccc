// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/dynamics/consistent_state.h"

namespace picus {

/// Where equations of joints are redundant, their reactions are not unique. A sentence that names a
/// friction element whose limit reads such a reaction, and the redundant equations; empty when
/// every limit is unique. `state` is consistent, as `consistency` says.
std::string undetermined_limit(const System& system, const State& state,
                               const Consistency& consistency);

}  // namespace picus
