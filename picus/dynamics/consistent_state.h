// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picus/dynamics/system.h"

namespace picus {

/// A constraint that follows from others, so that its reaction is not unique.
struct RedundantConstraint {
  Equation kind = Equation::kConstraint;
  int index = 0;
  std::string name;
  std::vector<std::string> follows_from;  ///< empty when it constrains nothing
};

/// How a state was made consistent, or why it could not be.
struct [[nodiscard]] Consistency {
  enum class Status {
    kOk,
    kContradictory,  ///< dependent constraints that want different things
    kNotAssembled,   ///< the iteration did not reach the constraints
    kSingularMass,   ///< a motion the constraints allow has no inertia
    kNotFinite       ///< the system returned NaN or infinity
  };
  Status status = Status::kOk;
  std::string message;          ///< one sentence naming the offenders; empty when all is well
  double position_moved = 0.0;  ///< largest change of a position [model units]
  double velocity_moved = 0.0;
  std::vector<RedundantConstraint> redundant;  ///< λ and ψ are the shortest ones if not empty
  std::vector<int> independent;                ///< holonomic equations to keep
  std::vector<int> independent_nonholonomic;

  bool ok() const { return status == Status::kOk; }
};

struct ConsistencyOptions {
  double tolerance = 1e-11;  ///< on the constraint residuals, relative to 1 + the size of the state
  int max_iterations = 100;
  bool keep_contact_reactions = false;  ///< those of the given state, in place of zero
};

/// Moves q onto g = 0 and v onto the velocity constraints, by the smallest change in the sense of
/// kinetic energy, then solves for v̇, λ, ψ, the rates of the controls and the variables. Nothing is
/// regularised: dependent constraints are found, named and left out when they agree with the rest.
/// On failure the state is left as it was. Contacts are left alone here and below: gaps and slips
/// may be anything, and their reactions become zero or stay what they were.
Consistency make_consistent(const System& system, State& state,
                            const ConsistencyOptions& options = {});

/// Which constraints follow from the others at this state; changes nothing and projects nothing.
Consistency find_redundant_constraints(const System& system, const State& state);

/// The last part alone: v̇, λ, ψ, ẋ and variables at the given positions and velocities.
Consistency solve_accelerations(const System& system, State& state,
                                const ConsistencyOptions& options = {});

}  // namespace picus
