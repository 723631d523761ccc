// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/steppers/stepper.h"

namespace picus {

/// Watches the values of a system whose sign changes mark jumps, System::switch_values.
///
/// A step that ends behind a jump has averaged forces of both sides, so it is only good for finding
/// the jump. The step that counts ends a little before it; the rest of the way is short enough for
/// Taylor's series.
class Switches {
 public:
  explicit Switches(const System& system) : system_(system) {}

  bool any() const { return system_.switches() > 0; }
  /// Takes the signs at this state as those to compare with.
  void begin(const State& state);
  /// The first switch with another sign at this state, or -1.
  int changed(const State& state);
  /// Where in the last attempt the first sign changes, as a fraction, by dense output. The end of
  /// the attempt must lie behind the change.
  double locate(const Stepper& stepper);
  /// Advances the state along its velocities and accelerations, at most by `limit` seconds, until
  /// just behind the next change; returns the time it took, or -1 when there is no change.
  double cross(State& state, double limit);

  /// Advances the state a little.
  void nudge(State& state, double time);

  std::string name(int index) const { return system_.name_of_switch(index); }

 private:
  void advance(const State& from, double time);

  const System& system_;
  Vector before_, values_, increment_;
  State point_;
};

}  // namespace picus
