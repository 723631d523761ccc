// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two impacts for all engines: a ball that bounces until it rests, and an elastic bar against a
// wall. Readable as C++17: the headers of Siconos know no C++20.

#include <optional>
#include <string>
#include <vector>

namespace picus::bench {

/// What was seen of a run, and what it cost.
struct ImpactRun {
  std::string engine = {};
  double seconds = 0.0;  ///< CPU time of the steps, model and set-up left out
  long steps = 0;
  std::vector<double> time = {}, position = {};  ///< of the ball, or of the free end of the bar
};

/// acary example 1: q̈ = −2, q ≥ 0, dropped from 1; impacts accumulate at t = 3.
struct BallImpacts {
  double force = -2.0, restitution = 0.5, height = 1.0, end = 4.0;
};

/// bruls-acary-cardona §6.3, lumped masses; coordinates are displacements.
struct BarImpact {
  double modulus = 900.0, density = 1.0, length = 10.0, distance = 5.0, speed = 10.0;
  int elements = 200;
  double end = 2.5;
};

// Siconos: Moreau–Jean with θ = 1/2, and its event-driven simulation with LSODAR, which looks at
// the ball every h. Nothing when it was not there at build time.
std::optional<ImpactRun> siconos_ball(const BallImpacts& problem, double h);
std::optional<ImpactRun> siconos_ball_by_events(const BallImpacts& problem, double h);
std::optional<ImpactRun> siconos_bar(const BarImpact& problem, double h);

}  // namespace picus::bench
