// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/mechanism/mechanism.h"

namespace picus {

/// Which formula of forces, controls or friction is no finite number at a state: "force 'f': its
/// formula 'log(0.5 - time)' is nan at t = 0.6 s"; empty when none is.
std::string formula_at_fault(const Mechanism& mechanism, const State& state);

/// The same along the motion just after a state, at which a run has failed: up to `horizon` [s].
std::string formula_at_fault_behind(const Mechanism& mechanism, const State& state, double horizon);

/// The same at the start, with the variables as far as they have values.
std::string formula_at_fault_at_start(const Mechanism& mechanism);

}  // namespace picus
