// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The balance of energy over single steps. Internal to the room.

#include "picus/simulation/simulate.h"

namespace picus {

/// With a constant mass matrix the kinetic energy changes by the work of all that is on the right
/// of M v̇ = F, reactions included:
///
///     T₁ − T₀ = ∫ vᵀF dt + Σ P · (u⁺ + u⁻)/2
///
/// with the impulses P of an impact and the rates u of gaps and slips before and after it. Motions,
/// springs, dampers and losses at impacts are accounted for, whatever their law is. The integral is
/// that of the rule with the points s, 1/2 and 1 − s, which is exact up to cubics; what it differs
/// from the midpoint rule by tells how well the dense output can know it.
class AuditEnergy {
 public:
  void begin(const System& system, const State& state, double speed);
  /// A step whose balance is drawn up; `before` has the velocity at its beginning.
  void begin_step(const System& system, const State& before);
  /// A point at the fraction s of the rule above (0 < s < 1/2: its weight is that of s).
  void add_point(const System& system, const State& state, double s, double duration, bool is_mid);
  /// `after` has the velocity at the end, before an impact. With `jumps` impulses may have acted
  /// anywhere in the step: their work is known but for that of the change of velocities.
  void end_step(const System& system, const State& after, bool jumps);
  /// An impact with which a step ended; `before` and `after` differ by their velocities.
  void add_impact(const Moment& moment, const State& before, const State& after);

  /// What the run gained without work [J], from the steps that were looked at, and what of it may
  /// be the doing of the integrals.
  double gain(long steps) const;
  double doubt(long steps) const;
  long seen() const { return seen_; }
  /// The largest energy in play [J].
  double scale() const;

 private:
  double kinetic(const System& system, const State& state);

  SparseMatrix M_;
  Vector momentum_, F_, rate_, rate_before_, rate_at_rest_, velocity_before_;
  State at_rest_;
  double before_ = 0.0, work_ = 0.0, middle_ = 0.0, effort_ = 0.0;
  double gain_ = 0.0, doubt_ = 0.0, impact_gain_ = 0.0;
  double largest_ = 0.0, work_done_ = 0.0, least_ = 0.0;
  long seen_ = 0;
};

}  // namespace picus
