// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Motions with impacts in numbers, and the engines other than ours that solve them at a given step
// or tolerance. Readable as C++17: the headers of Siconos know no C++20.

#include <optional>
#include <string>

#include "studies/impact_path.h"
#include "studies/linear_contacts.h"

namespace picus::bench {

/// m q̈ = force − damping q̇ − stiffness q, q ≥ 0: a ball, an oscillator with a stop.
struct OneCoordinate {
  double mass, damping, stiffness, force, restitution, position, end;
};

/// inertia θ̈ = torque cos θ, θ ≤ wall: the pendulum in its minimal coordinate. Paths are those of
/// (x, y, θ).
struct WallPendulum {
  double inertia, torque, length, wall, restitution, angle, end;
};

struct ThreeContacts {
  studies::LinearContacts system;
  double end;
};

struct EngineRun {
  studies::ImpactPath path = {};
  double seconds = 0.0;  ///< CPU time of the process; the model is left out, as far as it can be
  long steps = 0;        ///< 0: not known
  long evaluations = 0;  ///< of the right-hand side; 0: not known
  std::string trouble = {};  ///< why there is no path
};

// Siconos: Moreau–Jean with θ = 1/2, and its event-driven simulation with LSODAR. Nothing when it
// was not there at build time, or when it knows no such problem.
std::optional<EngineRun> siconos_moreau(const OneCoordinate& problem, double h);
std::optional<EngineRun> siconos_moreau(const WallPendulum& problem, double h);
std::optional<EngineRun> siconos_moreau(const ThreeContacts& problem, double h);
std::optional<EngineRun> siconos_events(const OneCoordinate& problem, double tolerance);
std::optional<EngineRun> siconos_events(const WallPendulum& problem, double tolerance);
std::optional<EngineRun> siconos_events(const ThreeContacts& problem, double tolerance);

// SUNDIALS: an integrator for smooth equations that stops at roots of gaps, contact forces and
// slips; laws of impact and of friction are ours.
enum class SundialsMethod { kDormandPrince5, kFehlberg8, kAdams };
EngineRun sundials_events(const OneCoordinate& problem, SundialsMethod method, double tolerance);
EngineRun sundials_events(const WallPendulum& problem, SundialsMethod method, double tolerance);
EngineRun sundials_events(const ThreeContacts& problem, SundialsMethod method, double tolerance);

}  // namespace picus::bench
