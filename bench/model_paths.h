// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shipped models run by any method of the catalog, and how far their paths are apart.

#include <string>
#include <utility>
#include <vector>

#include "picus/io/model_file.h"
#include "picus/runs/run.h"

namespace picus::bench {

/// A method with the options that make it a candidate.
struct Candidate {
  std::string integrator;
  OptionValues options = {};
  bool adaptive = true;  ///< its settings are tolerances, else step sizes

  std::string name() const;  ///< "event_driven over radau_iia"
};

/// Positions at regular times, the end last.
struct ModelPath {
  std::vector<Vector> positions;
  double seconds = 0.0;  ///< CPU time
  long steps = 0;
  std::string taken;    ///< the integrator with its options: what auto means
  std::string reason;   ///< why
  std::string trouble;  ///< empty when the end was reached

  bool ok() const { return trouble.empty(); }
};

class ShippedModel {
 public:
  /// Reads models/NAME.yaml with some parameters set, "N=30"; `end` replaces its end time unless
  /// 0 [s].
  ShippedModel(const std::string& name, double end, const std::vector<std::string>& parameters);

  /// With a tolerance or a step size; gives up after `limit` of CPU time [s].
  ModelPath run(const Candidate& candidate, double setting, double limit);

  /// Error of positions at the end plus its mean over time. The error at one time is the largest of
  /// the coordinates: angles in radians, lengths relative to the largest displacement of `exact`.
  double distance(const ModelPath& path, const ModelPath& exact) const;

  const std::string& name() const { return name_; }
  double duration() const { return run_.end_time - start_.state.time; }
  SystemSizes sizes() const { return loaded_.mechanism->system().sizes(); }
  const System& system() const { return loaded_.mechanism->system(); }
  const State& start() const { return start_.state; }
  const Consistency& consistency() const { return start_.consistency; }

 private:
  std::string name_;
  LoadedModel loaded_;
  RunPart run_;
  Start start_;
};

}  // namespace picus::bench
