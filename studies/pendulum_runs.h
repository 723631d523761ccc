// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The runs of bruls-acary-cardona §5: one pendulum, the formulations that differ in the constraints
// they enforce, and the residuals of the constraints at three levels.

#include <array>
#include <string>
#include <vector>

#include "studies/problems/pendulum.h"
#include "studies/runs.h"
#include "studies/svg_plot.h"

namespace picus::studies {

/// A formulation under the name it has in the paper.
struct Formulation {
  std::string label;
  std::string stepper;
  OptionValues options;
  Colour colour = Colour::kBlue;
  Marker marker = Marker::kNone;
};

/// P, V, PV, PVA and the classical variant of PV, with ρ = 0.9.
std::vector<Formulation> formulations();

enum Level : std::size_t { kPosition, kVelocity, kAcceleration, kLevels };
inline constexpr std::array<const char*, kLevels> kLevelNames{"position", "velocity",
                                                              "acceleration"};

/// Residuals after every step.
struct Residuals {
  std::vector<double> time;
  std::array<std::vector<double>, kLevels> x;      ///< of the first constraint, with sign
  std::array<std::vector<double>, kLevels> y;      ///< of the second
  std::array<std::vector<double>, kLevels> worst;  ///< the larger of the two, without sign
  std::vector<double> multiplier;                  ///< λ of the first constraint
  State end;

  double largest(Level level) const;
};

enum class Start { kConsistent, kDisturbed };  ///< disturbed: v̇₀ = a₀ = 0, §5.3

/// θ₀ = π/6, θ̇₀ = 10 rad/s, fixed steps.
Residuals watch_pendulum(const problems::Pendulum& pendulum, const Formulation& formulation,
                         double h, double end_time, Start start = Start::kConsistent);

}  // namespace picus::studies
