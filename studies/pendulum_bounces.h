// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The bouncing pendulum of bruls-acary-cardona §6.1: runs, the event-driven reference, and what a
// method that does not locate impacts must do to their times.

#include <array>
#include <optional>
#include <vector>

#include "picus/steppers/nonsmooth_methods.h"
#include "studies/problems/impacts.h"
#include "studies/svg_plot.h"

namespace picus::studies {

/// Quadrature of the energy integral between impacts, at which the velocity of the gap is
/// multiplied by -e; confirmed by an adaptive Runge-Kutta method with events.
inline constexpr std::array kReferenceImpacts{0.3511865254015655, 0.9447410575195277,
                                              1.443416848405957,  1.858297629619569,
                                              2.200048810225190,  2.479191216271920};
inline constexpr std::size_t kImpacts = kReferenceImpacts.size();
inline constexpr double kReferenceRest = 3.630238296418;  ///< where impacts accumulate [s]
inline constexpr double kBounceStep = 1e-3, kBounceEnd = 4.0;

struct Bouncer {
  const char* name;
  bool is_pva;
  OpenContacts open;
  double r, rho;
  Colour colour;
  Marker marker = Marker::kNone;
};

struct Bounces {
  std::vector<double> time, gap, gap_rate, energy, above, reaction, relative, residual, force;
  std::vector<double> impacts;  ///< ends of the steps that contain them
  std::vector<double> iterations;
  double closed_from = 0.0, rise = 0.0, position = 0.0, velocity = 0.0;
  std::optional<double> failed_at = {};
  Vector impulse, relative_impulse, multiplier;  ///< at the end
};

/// With steps of 1 ms until 4 s, and a full Newton method as in the paper.
Bounces bounce(const Bouncer& method);

/// Ends of the steps that contain the first impacts. Throws std::runtime_error when a step fails.
std::array<double, kImpacts> first_impacts(const Bouncer& method, double h);

/// Errors of the times of impacts, over h. A step with an impact at the part σ of it ends with a
/// closed gap, (1-σ) h late, and turns round the velocity of its beginning, which lacks σ h times
/// the acceleration of the gap: the flight behind it is too short. To first order in h.
struct ImpactDelay {
  double lowest, mean, highest;  ///< all σ = 1, all σ = 1/2, all σ = 0
};
std::array<ImpactDelay, kImpacts> foreseen_delays();

/// Gap and its rate of the reference, at the times that are given.
struct ReferenceBounces {
  std::vector<double> gap, gap_rate;
};
ReferenceBounces reference_bounces(const std::vector<double>& times);

}  // namespace picus::studies
