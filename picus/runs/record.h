// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a run of a mechanism records, in SI units.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picus/io/model_file.h"
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

/// Which channels a record keeps, by the patterns of chosen_channels.
struct RecordChoice {
  std::vector<std::string> wanted = {};    ///< `record` of the model; empty for all
  std::vector<std::string> required = {};  ///< kept in any case, if they exist: those of plots
};

/// The quantities of a mechanism and how to read them off a state. docs/formats/results.md
class MechanismRecord {
 public:
  /// Keeps everything, or what was chosen; vectors stay whole. Throws InputError when a pattern of
  /// `wanted` matches no channel. Without a choice, markers beyond kMostMarkers are left out.
  explicit MechanismRecord(const Mechanism& mechanism, const RecordChoice& choice = {});
  MechanismRecord(const MechanismRecord&) = delete;  // what reads values refers to it
  MechanismRecord& operator=(const MechanismRecord&) = delete;

  static constexpr std::size_t kMostMarkers = 100;

  const std::vector<Quantity>& quantities() const { return quantities_; }

  /// All quantities, in their order; the result is valid until the next call.
  std::span<const double> values(const Sample& sample);

 private:
  using Read = std::function<void(const Sample&, std::vector<double>&)>;

  void want(Quantity quantity, Read read);
  void keep(const RecordChoice& choice);
  bool keeps_markers(const RecordChoice& choice) const;
  void want_bodies();
  void want_angles();
  void want_markers();
  void want_elements();
  void want_part_energies();
  void want_joints();
  void want_constraints();
  void want_coordinates();
  void want_forces();
  void want_springs();
  void want_motors();
  void want_controls();
  void want_contacts();
  void want_contact_places(const std::vector<std::string>& names);
  void want_frictions();
  void want_collisions();
  void want_touches();
  void want_outputs();
  void want_run();
  void want_audit();

  const Mechanism& mechanism_;
  std::vector<Quantity> quantities_;
  std::vector<Read> reads_;
  std::vector<std::vector<std::size_t>> kept_;  ///< numbers of each read; empty for all
  std::vector<double> values_, outputs_, all_;
  mutable Vector scratch_;
};

/// The record of a loaded model by its `record` and `plots`. Throws ModelError at the place of
/// `record` when that names what a run does not have.
std::unique_ptr<MechanismRecord> record_of(const LoadedModel& loaded);

/// What pages cannot show because `record` leaves it out; empty when nothing is missing.
std::string note_on_record(const LoadedModel& loaded, const MechanismRecord& record);

}  // namespace picus
