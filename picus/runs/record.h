// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a run of a mechanism records, in SI units.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "picus/mechanism/mechanism.h"
#include "picus/results/result_writer.h"
#include "picus/runs/audit.h"
#include "picus/runs/collision_watch.h"
#include "picus/runs/contact_watch.h"
#include "picus/runs/friction_watch.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// A moment to be recorded.
struct Sample {
  const State& state;
  double h = 0.0;         ///< size of the step that led here
  double shortest = 0.0;  ///< of the steps since the sample before
  double longest = 0.0;
  const StepReport& report;
  int order = 1;                                 ///< of the method
  std::span<const ContactStatus> contacts = {};  ///< since the sample before
  std::span<const FrictionStatus> frictions = {};
  std::span<const CollisionStatus> collisions = {};
  AuditRatios audit = {};  ///< worst since the sample before
};

/// The quantities of a mechanism and how to read them off a state. docs/formats/results.md
class MechanismRecord {
 public:
  explicit MechanismRecord(const Mechanism& mechanism);

  const std::vector<Quantity>& quantities() const { return quantities_; }

  /// All quantities, in their order; the result is valid until the next call.
  std::span<const double> values(const Sample& sample);

 private:
  using Read = std::function<void(const Sample&, std::vector<double>&)>;

  void want(Quantity quantity, Read read);
  void want_bodies();
  void want_elements();
  void want_joints();
  void want_constraints();
  void want_coordinates();
  void want_forces();
  void want_contacts();
  void want_contact_places(const std::vector<std::string>& names);
  void want_frictions();
  void want_collisions();
  void want_touches();
  void want_run();
  void want_audit();

  const Mechanism& mechanism_;
  std::vector<Quantity> quantities_;
  std::vector<Read> reads_;
  std::vector<double> values_;
  mutable Vector scratch_;
};

}  // namespace picus
