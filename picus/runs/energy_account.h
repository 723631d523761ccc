// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// T + V of mechanisms that nothing drives: what its law says is known without any integral. That
// the motion of any mechanism gains what forces do is a matter of the audit (AuditEnergy), that
// impacts do not give any, of ImpactGains.

#include <optional>
#include <string>

#include "picus/mechanism/mechanism.h"

namespace picus {

/// What T + V does in an exact motion.
enum class EnergyLaw {
  kOpen,      ///< something may give energy, or takes it in a way that is not looked at
  kFalls,     ///< it never rises: springs have an energy, dampers take some
  kConstant,  ///< nothing takes any, either
};

/// Motions, controls, formulas of time and dry friction leave it open, impacts that lose energy,
/// too. It is constant when forces are those of the potential, which is tried at the start, along
/// velocities without a pattern.
EnergyLaw energy_law_of(const Mechanism& mechanism, const State& start);

/// Follows the energy of a run where its law is known; does nothing elsewhere. What it is off by is
/// an error that no tolerance bounds: errors of steps add up.
class EnergyAccount {
 public:
  /// `tolerance` is that of the error control, 0 for constant steps.
  EnergyAccount(const Mechanism& mechanism, const State& start, double tolerance);

  /// The state at the start and after a step.
  void add_step(const State& state);
  /// A state that is recorded: one within a step is less accurate than its ends.
  void add_sample(const State& state);

  /// The largest change at the ends of steps, relative to the largest kinetic energy, of an energy
  /// that should be constant; 0 when nothing has moved.
  std::optional<double> drift() const;
  /// What to say at the end of a run: that energy drifted by much that error control should keep
  /// constant, or that it rose in a motion without impacts.
  std::optional<std::string> note() const;

 private:
  void add_energy(double energy, double time);

  const Mechanism& mechanism_;
  EnergyLaw law_;
  double tolerance_;
  bool has_begun_ = false;
  double kinetic_ = 0.0;               ///< the largest [J]
  double begin_ = 0.0, change_ = 0.0;  ///< at the start, largest change since [J]
  double lowest_ = 0.0, rise_ = 0.0;   ///< so far, largest rise above it [J]
  double risen_at_ = 0.0;              ///< time of that [s]
};

}  // namespace picus
