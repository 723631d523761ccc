// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One chain for all engines: links joined by ball joints fall from the horizontal and turn about
// the vertical, so that the motion is truly spatial. Readable as C++17: the headers of Simbody know
// no C++20.

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace picus::bench {

/// A string of one metre, cut into equal links. It is straight at first, along x, and turns like
/// one body about the vertical through its pin.
struct BallChain {
  int links = 100;
  double length = 1.0, mass = 1.0;  ///< of the whole [m], [kg]
  double spin = 1.0;                ///< about z, at the start [rad/s]
  double gravity = 9.81;            ///< along −z [m/s²]
  double end = 0.4;                 ///< [s]; at 0.45 s the end of the chain cracks like a whip
  int samples = 20;                 ///< of the tip, equally spaced

  double link_length() const { return length / links; }
  double link_mass() const { return mass / links; }
  /// About the link's axis and across it, at its centre: a square rod, a fifth as wide as long.
  double axial_inertia() const { return link_mass() * link_length() * link_length() / 150.0; }
  double lateral_inertia() const {
    return link_mass() * link_length() * link_length() * (1.0 + 0.04) / 12.0;
  }
  double sample_time(int i) const { return end * i / samples; }
};

/// Where the tip was at the sample times, and what that cost.
struct ChainRun {
  std::string engine = {}, setting = {};
  bool ok = false;
  double seconds = 0.0;  ///< CPU time of the run, model and set-up left out
  long steps = 0, rejected = 0;
  long evaluations = 0;  ///< of forces or residuals: Newton iterations, realizations, stages
  long matrices = 0;     ///< factorised; 0 for explicit methods
  std::vector<std::array<double, 3>> tip = {};
};

/// A method of an engine with one number that says how accurate it should be.
struct ChainSetting {
  std::string method;
  double accuracy = 0.0;  ///< tolerance, or step size [s] of methods with constant steps
};

ChainRun run_picus(const BallChain& chain, const ChainSetting& setting, bool adaptive);
/// SUNDIALS IDA on the equations of Picus, stabilised as Gear, Gupta and Leimkuhler say.
ChainRun run_ida(const BallChain& chain, const ChainSetting& setting);
/// Nothing when the engine was not there at build time.
std::optional<ChainRun> run_simbody(const BallChain& chain, const ChainSetting& setting);
/// Methods "Euler", "RK4" and "implicit", constant steps.
std::optional<ChainRun> run_mujoco(const BallChain& chain, const ChainSetting& setting);

}  // namespace picus::bench
