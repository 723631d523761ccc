// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What friction elements do during a run.

#include <span>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/simulation/simulate.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

/// A friction element in the step that led to a moment; forces are torques where it turns.
struct FrictionStatus {
  ContactMode mode = ContactMode::kStick;  ///< stick or slip
  SlipVector slip = SlipVector::Zero();    ///< sliding velocities at the moment
  SlipVector force = SlipVector::Zero();   ///< impulse of the step over its size
  double limit = 0.0;                      ///< the largest that force could have been
  double dissipated = 0.0;                 ///< energy since the start [J]
};

/// Follows the friction elements of a mechanism step by step.
class FrictionWatch {
 public:
  explicit FrictionWatch(const Mechanism& mechanism)
      : mechanism_(mechanism), status_(mechanism.frictions().size()) {}

  /// Call it for every moment of a run.
  void see(const Moment& moment);

  /// One per friction element of the mechanism, smooth ones included.
  std::span<const FrictionStatus> status() const { return status_; }

 private:
  void see_impulse(const AssembledFriction& friction, const Moment& moment, FrictionStatus& status);

  const Mechanism& mechanism_;
  std::vector<FrictionStatus> status_;
};

}  // namespace picus
