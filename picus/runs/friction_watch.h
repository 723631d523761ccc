// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What friction elements do during a run.

#include <span>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/runs/step_integral.h"
#include "picus/simulation/simulate.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

/// A friction element at a moment; forces are torques where it turns.
struct FrictionStatus {
  ContactMode mode = ContactMode::kStick;  ///< stick or slip
  SlipVector slip = SlipVector::Zero();    ///< sliding velocities
  /// Impulse of the step over its size; the force itself of methods that give it within steps.
  SlipVector force = SlipVector::Zero();
  double limit = 0.0;       ///< the largest that force could have been
  double dissipated = 0.0;  ///< energy since the start [J]
};

/// Follows the friction elements of a mechanism step by step.
class FrictionWatch {
 public:
  explicit FrictionWatch(const Mechanism& mechanism)
      : mechanism_(mechanism),
        status_(mechanism.frictions().size()),
        within_(status_),
        begin_(status_.size(), 0.0) {}

  /// Call it for every moment of a run.
  void observe(const Moment& moment);

  /// One per friction element of the mechanism, smooth ones included.
  std::span<const FrictionStatus> status() const { return status_; }
  /// The same within the step seen last; `state` is its dense output at that fraction.
  std::span<const FrictionStatus> status_at(const Moment& moment, double fraction,
                                            const State& state);

 private:
  SlipVector slip_of(const AssembledFriction& friction, const State& state) const;
  /// What follows from a state with its reactions; `modes` may be empty.
  void read(const AssembledFriction& friction, const State& state, FrictionStatus& status) const;
  void read_all(const State& state, const Moment& moment, std::span<const LawMode> modes,
                std::vector<FrictionStatus>& status) const;
  void observe_impulse(const AssembledFriction& friction, const Moment& moment,
                       FrictionStatus& status);
  /// Adds what reactions dissipate until a fraction of the step, and what its impact does.
  void add_work(const Moment& moment, double until, std::vector<FrictionStatus>& status);
  void add_impact(const Moment& moment);

  const Mechanism& mechanism_;
  std::vector<FrictionStatus> status_, within_;
  std::vector<double> begin_;  ///< dissipated before the step
  StepIntegral integral_;
  State before_impact_;
};

}  // namespace picus
