// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The methods that take part in comparisons of work and precision, and with which settings.

#include <span>
#include <string>
#include <vector>

#include "picus/base/fields.h"
#include "studies/impact_problems.h"

namespace picus::studies {

struct ImpactMethod {
  /// What is varied: constant steps, in units of ImpactProblem::longest_step, or the tolerance of
  /// error control.
  enum class Vary { kStep, kTolerance };

  std::string name;  ///< in figures and tables; several lines may share a stepper
  std::string stepper;
  OptionValues options;
  Vary vary;
  double first;   ///< coarsest setting
  double factor;  ///< from each to the next
  int count;      ///< of settings in the study; the bench has more
  int order;      ///< expected of its error over constant steps; 0: not claimed

  /// So many settings, the coarsest first.
  std::vector<double> settings(int wanted) const;
};

/// All methods. Throws InputError when a line names a stepper that is not in the catalog, or when a
/// stepper of the catalog that handles impacts has no line.
std::vector<ImpactMethod> impact_methods();

/// Whether the method takes the problem at all: some know no friction.
bool accepts(const ImpactMethod& method, const ImpactProblem& problem);

struct MethodRun {
  ImpactPath path = {};
  long steps = 0, evaluations = 0;
  double seconds = 0.0;  ///< CPU time, the set-up of the stepper included
};

/// Throws std::runtime_error when the run fails.
MethodRun run_method(const ImpactProblem& problem, const ImpactMethod& method, double setting);

}  // namespace picus::studies
