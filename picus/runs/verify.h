// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a run may be trusted: it is run again more accurately, and by a method of another family,
// and the observed differences tell its global error.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "picus/runs/trace.h"

namespace picus {

struct VerifyOptions {
  std::vector<std::string> channels;  ///< patterns; empty for traced_by_default()
  bool by_another_method = true;
  /// A run by another method may take so many times that of the run itself, and a little more.
  double time_factor = 20.0;
  /// Hears of every run that begins, and of its steps; false ends it all.
  std::function<void(const RunPlan&)> begin = {};
  std::function<bool(const Moment&)> watch = {};
};

/// What is known of one channel of the run.
struct ChannelTrust {
  std::string channel, unit;
  double largest = 0.0;    ///< magnitude during the run
  double size = 0.0;       ///< that of the largest channel of its kind: positions, forces, energies
  double error = 0.0;      ///< observed global error of the run, over all of it
  double explained = 0.0;  ///< what the two methods may differ by for their own errors
  double between = 0.0;    ///< by which they do differ; 0 without another method
  int digits = 0;          ///< that may be quoted, of the largest magnitude; 0: none
  bool jumps = false;      ///< the error is the Hausdorff distance of graphs, in its unit
  std::optional<double> lost_at = {};  ///< from here on errors are a tenth of the size [s]

  /// Beyond what their errors explain.
  bool methods_disagree() const;
};

/// Two runs of one motion that become unrelated.
struct Divergence {
  double time = 0.0;        ///< from here on positions differ by a tenth of their size [s]
  bool is_chaotic = false;  ///< they part exponentially
  double rate = 0.0;        ///< then λ of exp(λ t) [1/s]
  bool at_once = false;     ///< they part in one go: an event that went one way or the other
  /// Digits that are left and until when they are [s]: 6, 4, 2, where there were as many.
  std::vector<std::pair<int, double>> digits_until = {};
};

/// The impacts of two runs, one by one.
struct ImpactTrust {
  long impacts = 0, finer = 0;
  long alike = 0;           ///< from the first on: the same contacts in the same order
  double time_error = 0.0;  ///< of those [s]
};

/// A run that was made for the comparison.
struct VerifyRun {
  std::string label;    ///< "half_explicit, tolerance 1e-06"
  std::string problem;  ///< why it counts for nothing; empty when it does
  double seconds = 0.0;
  long impacts = 0;
};

struct Verification {
  std::vector<VerifyRun> runs;  ///< the run itself first
  std::vector<ChannelTrust> channels;
  std::optional<Divergence> divergence;
  ImpactTrust impacts;
  std::string other;          ///< the method of another family; empty when there was none
  std::string other_problem;  ///< why there was none
  bool was_interrupted = false;

  /// The run could be judged, methods agree, and every channel has a digit left.
  bool ok() const;
  /// The first thing that is wrong, in one sentence; empty when ok.
  std::string problem() const;
};

/// The same with a tenth of the tolerance, or half the step. `longest`: step of the run by `plan`
/// [s]; where a limit and not the tolerance makes it, that is lowered, too.
RunPlan finer_plan(const RunPlan& plan, double longest);

/// Runs of methods that are of another family and accept the model, best first.
std::vector<RunPlan> other_plans(const LoadedModel& loaded, const RunPlan& plan);

Verification verify(const LoadedModel& loaded, const Start& start, const RunPlan& plan,
                    const VerifyOptions& options = {});

/// For people: a table of channels, the worst of each quantity when there are many, and what is
/// to be known besides.
std::string to_text(const Verification& verification, bool all_channels = false);
std::string to_json(const Verification& verification);

}  // namespace picus
