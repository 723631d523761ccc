// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Four motions with impacts whose solutions are known, for comparisons of work and precision: of
// our methods by the study work-precision, with other engines by ./dev bench work-precision.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "picus/dynamics/system.h"
#include "studies/impact_path.h"
#include "studies/linear_contacts.h"

namespace picus::studies {

struct ImpactProblem {
  std::string name, title;
  std::unique_ptr<System> system;
  std::unique_ptr<long> evaluations;  ///< of the force, counted by the system
  State start;
  double end = 0.0;           ///< [s]
  double longest_step = 0.0;  ///< that makes some sense [s]
  std::function<Vector(double time)> exact;
  Vector scale;  ///< largest value of each coordinate along the exact path
};

/// The problem with its exact positions, and its scales from them.
ImpactProblem with_solution(ImpactProblem problem, std::function<Vector(double time)> exact);

/// acary example 1: impacts of a ball accumulate at t = 3 s; closed form (10).
ImpactProblem ball_problem();

/// acary example 2 with numbers of our own: three impacts of a damped oscillator; closed form.
ImpactProblem oscillator_problem();

/// bruls-acary-cardona §6.1: a pendulum, held by two constraints, bounces off a wall until it rests
/// at t = 3.63 s. Its angle between impacts by Taylor series, to rounding.
ImpactProblem pendulum_problem();

/// The woodpecker toy for two cycles and a half: stick, slip and impacts of three contacts. Between
/// events by Taylor series, to rounding.
ImpactProblem woodpecker_problem();
LinearContacts woodpecker_contacts();

std::vector<ImpactProblem> impact_problems();

/// How far a path is from the exact one: the error of positions at the end plus its mean over time,
/// by the trapezoidal rule over the times of the path itself. The error at one time is the largest
/// of the coordinates, each relative to its scale. Positions alone: a jump of the velocity that is
/// found a little late is an error of its whole height. Throws std::runtime_error when the path
/// does not reach the end.
double path_error(const ImpactProblem& problem, const ImpactPath& path);

}  // namespace picus::studies
