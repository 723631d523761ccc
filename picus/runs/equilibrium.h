// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where a mechanism stays at rest.

#include <string>
#include <vector>

#include "picus/runs/run.h"

namespace picus {

struct EquilibriumOptions {
  double tolerance = 1e-9;  ///< of the balance, relative to the largest force
  int max_iterations = 2000;
  /// Of the frame in which it rests, about the origin [rad/s]: a steady rotation.
  Vector3 spin = Vector3::Zero();
};

/// A position with all forces in balance at zero velocities, or those of a steady rotation, and
/// states of controls that stay.
struct [[nodiscard]] Equilibrium {
  bool found = false;
  std::string message;  ///< why not; empty when found
  State state;          ///< where the search ended: at rest, or in steady rotation
  int iterations = 0;
  /// Of models with beams, which are loaded at once (1) or in steps; 0: by relaxation alone.
  int load_steps = 0;
  double load_reached = 0.0;          ///< part of the loads that the steps have balanced
  bool is_relaxed = false;            ///< the position is that of a relaxation
  double residual = 0.0;              ///< largest force out of balance [N or N m]
  double force_scale = 0.0;           ///< largest force that is balanced [N or N m]
  std::vector<MovedBody> moved;       ///< from the assembled start
  bool is_stable = true;              ///< false when some small motion is pushed further away
  std::vector<std::string> unstable;  ///< coordinates of the worst such motion
  std::vector<std::vector<std::string>> free_motions;  ///< motions that no force resists
};

/// Follows M q̇ = F by implicit Euler steps that grow into Newton's method, which ends at stable
/// positions unless it begins at an unstable one. Models with beams are loaded first, at once or in
/// steps, by Newton's method with stresses as iterates; relaxation follows where that does not get
/// to a stable position. Time stands still at that of the start. Rest in a frame that turns
/// (`spin`) is not judged for stability: see find_modes.
Equilibrium find_equilibrium(const Mechanism& mechanism, const Start& start,
                             const EquilibriumOptions& options = {});

/// The start that a model asks for: assembled or, with `start: static`, at the equilibrium found
/// from there, with the velocities of the model. Its consistency tells when there is none.
Start start_of(const LoadedModel& loaded);

/// For `--json`: positions of bodies, reactions of joints, and how it went.
std::string to_json(const Equilibrium& equilibrium, const Mechanism& mechanism);

}  // namespace picus
