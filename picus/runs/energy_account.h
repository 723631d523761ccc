// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What energy tells of a run in which nothing takes or gives any: its drift is an error that no
// tolerance bounds.

#include "picus/mechanism/mechanism.h"

namespace picus {

/// Whether the energy of a mechanism is constant: no motions, controls, switches, friction or
/// compliant contacts, no impacts that lose any, and forces that are those of the potential. The
/// last is tried at the start, along velocities without a pattern.
bool is_conservative(const Mechanism& mechanism, const State& start);

/// Watches the energy of a conservative mechanism; does nothing for others.
class EnergyDrift {
 public:
  EnergyDrift(const Mechanism& mechanism, const State& start)
      : mechanism_(mechanism), is_known_(is_conservative(mechanism, start)) {}

  bool is_known() const { return is_known_; }
  void see(const State& state);
  /// The largest change of the energy since the start, relative to the largest kinetic energy; 0
  /// when nothing has moved.
  double relative() const { return kinetic_ > 0.0 ? largest_ / kinetic_ : 0.0; }

 private:
  const Mechanism& mechanism_;
  bool is_known_;
  bool has_begun_ = false;
  double begin_ = 0.0, largest_ = 0.0, kinetic_ = 0.0;  ///< [J]
};

}  // namespace picus
