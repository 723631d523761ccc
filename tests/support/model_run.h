// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run of a model file or text, with the channels of its result at hand.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "picus/io/model_file.h"
#include "picus/runs/run.h"

namespace picus::testing {

constexpr double kG = 9.81;  ///< gravity of the models [m/s²]

class ModelRun {
 public:
  using Overrides = std::vector<std::string>;
  using Observe = std::function<void(const ModelRun&)>;

  /// Runs a file of models/ to its end; any failure fails the test. `observe` sees every step.
  static ModelRun of(const std::string& name, const Overrides& overrides = {},
                     const Observe& observe = {});
  /// The same for a file anywhere.
  static ModelRun of_file(const std::string& path, const Overrides& overrides = {},
                          const Observe& observe = {});
  /// The same for a text.
  static ModelRun of_text(const std::string& text, const Overrides& overrides = {},
                          const Observe& observe = {});

  /// The latest value of a channel of the result: "joints.pin.angle", "energy.total".
  double operator()(const std::string& channel) const;
  double time() const { return time_; }
  double parameter(const std::string& name) const;

  /// Largest distance of the energy from its first value, over all steps.
  double energy_drift() const { return energy_drift_; }
  /// Largest violation of a joint, over all steps.
  double violation() const { return violation_; }

  const Mechanism& mechanism() const { return *loaded_.mechanism; }
  const Start& start() const { return start_; }
  const RunOutcome& outcome() const { return outcome_; }

 private:
  explicit ModelRun(LoadedModel loaded) : loaded_(std::move(loaded)) {}
  void run(const Observe& observe);

  LoadedModel loaded_;
  Start start_;
  RunOutcome outcome_;
  std::map<std::string, std::size_t> channels_;
  std::vector<double> values_;
  double time_ = 0.0, energy_drift_ = 0.0, violation_ = 0.0;
};

/// The impacts that a run has logged.
std::vector<Impact> impacts_of(const ModelRun& run);

}  // namespace picus::testing
