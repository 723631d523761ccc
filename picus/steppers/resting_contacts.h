// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/dynamics/system.h"

namespace picus {

/// The accelerations and reactions of a consistent state (make_consistent) whose contacts may be
/// closed: for contacts without gap and gap rate
///
///     0 ≤ g̈ ⊥ λ ≥ 0,
///
/// and Coulomb's law, ψ = -μ λ k/‖k‖ where they slide and ‖ψ‖ ≤ μ λ or k̇ along -ψ where they do
/// not. Contacts that approach the ground are left to the impact of the first step.
///
/// False when no reactions were found, as in Painlevé's paradox: then the state is left alone.
bool solve_resting_contacts(const System& system, State& state);

}  // namespace picus
