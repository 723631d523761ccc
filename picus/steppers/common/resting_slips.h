// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/dynamics/driven_rows.h"

namespace picus {

/// Which laws of a phase that slip by their mode do not slide.
///
/// Where friction is not determined, as between the corners of a box at rest, some laws carry their
/// limit and are forces in the phase, while others hold what there is to hold. By Coulomb's law all
/// of them stick: none slides. What a motion drags does.
class RestingSlips {
 public:
  /// Looks for laws that cannot slide of themselves, because the equations of the phase hold or
  /// drag them, at a state of the full system.
  void watch(const ContactPhase& phase, const State& state);

  /// Whether a law rests at a state of the full system, accelerations included. Where a slip has
  /// just begun (`begins`), it has neither speed nor rate yet: whatever can slide does.
  void evaluate(const ContactPhase& phase, const State& state, bool begins);
  bool rests(int law) const { return rests_[static_cast<std::size_t>(law)] != 0; }

 private:
  struct Sliding {
    int law, first_slip, slips;
  };
  std::vector<Sliding> sliding_;
  DrivenRows driven_;
  std::vector<char> rests_;
  Vector slip_, rate_;
};

}  // namespace picus
