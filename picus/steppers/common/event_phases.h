// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "picus/dynamics/constraint_rank.h"
#include "picus/steppers/common/contact_events.h"
#include "picus/steppers/common/index_one.h"
#include "picus/steppers/common/resting_slips.h"

namespace picus {

/// Makes the methods of a phase.
class SmoothMethods {
 public:
  virtual ~SmoothMethods() = default;
  virtual std::unique_ptr<Stepper> make_smooth() = 0;
  /// For spatial slips near zero; null when the smooth method does for them.
  virtual std::unique_ptr<Stepper> make_implicit() = 0;
};

/// A smooth system between two events and the method on it.
struct EventPhase {
  EventPhase(const System& full, const std::vector<PhaseMode>& modes) : system(full, modes) {}
  ContactPhase system;
  IndependentRows rows;               ///< of all of its equations, that are kept
  bool is_stale = false;              ///< others are where its modes were needed last
  std::unique_ptr<Stepper> smooth;    ///< the method on it
  std::unique_ptr<Stepper> implicit;  ///< for slips that turn too fast for it, or none
  Stepper* stepper = nullptr;         ///< of the step under way, one of both
  IndexOne equations;                 ///< for its accelerations and reactions where it begins
  ContactEvents events;
  RestingSlips resting;
  State from, to;
  IndexOne within;  ///< the same within a step
};

/// The phases of a run by their modes. Making one allocates and factorises, so all are kept for the
/// next time their modes come back; find() makes those that are new.
class EventPhases {
 public:
  void clear() { phases_.clear(); }
  /// The phase with these modes at a full state, where it is made if there is none yet.
  EventPhase& find(const System& system, const std::vector<PhaseMode>& modes, const State& state,
                   SmoothMethods& methods);

 private:
  std::vector<std::unique_ptr<EventPhase>> phases_;
};

}  // namespace picus
