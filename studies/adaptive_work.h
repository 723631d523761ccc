// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Work and precision of moreau_adaptive on the problems of acary §5, beside constant steps.

#include <string>
#include <vector>

#include "studies/impact_errors.h"

namespace picus::studies {

/// Errors ‖e‖₁ of positions on the grid of a run and evaluations of the force that they cost, from
/// coarse to fine.
struct WorkCurve {
  std::string name;
  std::vector<double> tolerance = {};  ///< empty for constant steps
  std::vector<double> error = {}, evaluations = {}, rejected = {};

  /// Exponent a of error ~ tolerance^a, by a fit.
  double order_in_tolerance() const;
  /// Exponent a of evaluations ~ error^-a.
  double cost() const;
  /// Evaluations for an error, on the line of the fit.
  double evaluations_for(double error) const;
};

/// Constant steps of moreau_jean.
WorkCurve constant_steps(const ImpactCase& problem);

/// Tolerances 1e-2 to 1e-8 with (66), αmin = 0.5, αmax = 5, α = 1; means of several first steps.
WorkCurve adaptive_steps(const ImpactCase& problem, std::string name, const OptionValues& options);

Panel work_panel(const ImpactCase& problem, const std::vector<WorkCurve>& curves);
Table table_of(const WorkCurve& curve);

}  // namespace picus::studies
