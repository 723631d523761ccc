// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Integrals over a part of a step by its dense output. Internal to the room.

#include <array>
#include <cmath>

#include "picus/simulation/simulate.h"

namespace picus {

/// Whether forces within the steps of a method follow from its dense output: its steps are long,
/// and no impact is hidden in them.
inline bool tells_forces_within(const StepperTraits& traits) {
  return traits.stops_at_events || (traits.order > 2 && !traits.handles_impacts);
}

/// ∫ … dt from the beginning of the step that led to a moment to a fraction of it: `add` gets the
/// states and weights [s] of Gauss' rule with three points, whose order six is above that of the
/// motion.
class StepIntegral {
 public:
  template <class Add>
  void over(const Moment& moment, double until, Add&& add) {
    constexpr std::array kWeights{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const double off = std::sqrt(0.15);
    const std::array nodes{0.5 - off, 0.5, 0.5 + off};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      moment.interpolate(until * nodes[i], state_);
      add(kWeights[i] * until * moment.h, state_);
    }
  }

 private:
  State state_;
};

}  // namespace picus
