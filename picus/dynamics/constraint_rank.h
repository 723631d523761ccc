// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/consistent_state.h"

namespace picus {

/// Fills independent, independent_nonholonomic and redundant of `result` at a state, or says why it
/// cannot. Contacts count as joints.
void examine_rank(const System& system, const State& s, Consistency& result);

/// Equations that are independent, ascending.
struct IndependentRows {
  std::vector<int> constraints, nonholonomic;

  int count() const { return static_cast<int>(constraints.size() + nonholonomic.size()); }
};

/// The same where the first equations of each kind must hold and the others may let go: gaps stay
/// only as far as they are new to these, and slips that rest as far as they are new to both.
/// Friction yields to what keeps bodies apart.
IndependentRows choose_independent(const System& system, const State& s, int first_constraints,
                                   int first_nonholonomic);

}  // namespace picus
