// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/dynamics/system.h"

namespace picus {

/// A contact without gap and gap rate, or a friction element.
struct TouchingLaw {
  int law = 0;                          ///< as System::contact_law counts
  bool slides = false;                  ///< else it rests, and may stick, begin to slip or open
  Vector2 direction = Vector2::Zero();  ///< of the slip while it slides
};

/// What touches at this state, up to rounding.
std::vector<TouchingLaw> find_touches(const System& system, const State& state);

/// The accelerations and reactions that go with the laws of what touches; all other contacts have
/// no reaction. False when there are none; then the state is left alone.
bool solve_reactions(const System& system, std::span<const TouchingLaw> touches, State& state);

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
