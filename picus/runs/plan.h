// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the part `run` of a model to a method, its options and its steps.

#include <string>
#include <vector>

#include "picus/io/model_file.h"
#include "picus/simulation/choose.h"
#include "picus/simulation/switching_search.h"

namespace picus {

/// How to integrate, spelled out.
struct RunPlan {
  double end_time = 1.0;         ///< [s]
  double output_interval = 0.0;  ///< [s]; 0 for 500 samples, negative for every step
  std::string integrator;        ///< name of the stepper
  OptionValues options;
  bool adaptive = true;
  AdaptiveOptions control;  ///< of adaptive runs
  bool searches = false;    ///< of adaptive runs: for switching points
  SwitchingOptions search;  ///< of those
  double step = 0.0;        ///< of others [s]
  std::string step_source;  ///< of a step that nobody gave: where it comes from
  AuditMode audit = AuditMode::kFail;
  std::string reason;              ///< why this integrator and these steps
  std::string brief;               ///< what nobody asked for, in one line; may be empty
  std::vector<std::string> notes;  ///< on options that were left out or have no effect

  /// The integrator, with the smooth method under it if that is not its default.
  std::string name() const;
  /// Of the error control; 0 for constant steps.
  double tolerance() const {
    if (!adaptive) return 0.0;
    return searches ? search.tolerance : control.tolerance;
  }
  /// The options of the step-size control, all of them; none for constant steps.
  OptionValues control_values() const;
};

/// Bad input in the part `run` of a model.
class PlacedError : public InputError {
 public:
  PlacedError(SourcePlace place, const std::string& message, std::string path = {})
      : InputError(message), place_(place), path_(std::move(path)) {}
  SourcePlace place() const { return place_; }
  /// Of the value, "run.step": the model's text knows a better place then. Empty for none.
  const std::string& path() const { return path_; }

 private:
  SourcePlace place_;
  std::string path_;
};

/// The plan a model asks for; `integrator: auto` is decided here. Throws ModelError with the place
/// in the file, or InputError for what the command line says. Where the integrator was overruled,
/// here or by an override, options of the model that the new one does not know are left out.
RunPlan plan_of(const LoadedModel& loaded, bool is_overruled = false);
/// The same without the text of the model. Throws PlacedError.
RunPlan plan_of(const RunPart& run, const Mechanism& mechanism, bool is_overruled = false);

}  // namespace picus
