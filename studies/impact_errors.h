// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs of the one-dimensional problems of acary across impacts, with their errors in every measure
// and their cost: what the studies of orders have in common.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picus/math/graph_distance.h"
#include "picus/steppers/catalog.h"
#include "studies/norms.h"
#include "studies/problems/impact_solutions.h"
#include "studies/report.h"

namespace picus::studies {

/// A problem with its exact motion.
struct ImpactCase {
  std::string name;
  std::unique_ptr<System> system;
  std::unique_ptr<long> evaluations;  ///< of the force, counted by the system
  State start;
  double end = 0.0;  ///< [s]
  problems::ImpactMotion exact;
  FilledGraph position, velocity;  ///< of the exact motion
};

ImpactCase ball_case();        ///< acary example 1: impacts accumulate at t = 3
ImpactCase oscillator_case();  ///< acary example 2, numbers of our own: three impacts

/// The steps of one run, from the start on.
struct ImpactRun {
  double h = 0.0;
  std::vector<double> time, position, velocity;
  long evaluations = 0;  ///< of the force: what acary §5.2 counts
  double seconds = 0.0;  ///< CPU time of the steps alone
};

/// Throws std::runtime_error when a step fails.
ImpactRun run_steps(const ImpactCase& problem, std::string_view stepper, int steps);

/// Errors against the exact motion. A run is a function by joining its steps with lines.
struct ImpactErrors {
  GridNorms position, velocity;
  double position_graph = 0.0, velocity_graph = 0.0;  ///< Hausdorff distances of filled-in graphs
  double penetration = 0.0;                           ///< deepest
};
ImpactErrors errors_of(const ImpactCase& problem, const ImpactRun& run);

/// Takes one number from the errors.
using Measure = double (*)(const ImpactErrors&);

/// The measures of acary Fig. 2 and 3, of velocities and of positions.
struct NamedMeasure {
  const char* name;
  Measure velocity, position;
  Colour colour;
  Marker marker;
};
inline constexpr NamedMeasure kMeasures[] = {
    {"uniform norm", [](const ImpactErrors& e) { return e.velocity.max; },
     [](const ImpactErrors& e) { return e.position.max; }, Colour::kVermilion, Marker::kCross},
    {"‖·‖₂", [](const ImpactErrors& e) { return e.velocity.l2; },
     [](const ImpactErrors& e) { return e.position.l2; }, Colour::kOrange, Marker::kTriangle},
    {"Hausdorff distance", [](const ImpactErrors& e) { return e.velocity_graph; },
     [](const ImpactErrors& e) { return e.position_graph; }, Colour::kBlue, Marker::kPlus},
    {"‖·‖₁", [](const ImpactErrors& e) { return e.velocity.l1; },
     [](const ImpactErrors& e) { return e.position.l1; }, Colour::kGreen, Marker::kSquare},
};

/// A method on a problem with many step sizes, from large to small. The error depends on where in
/// its step an impact falls; each entry is therefore the mean of several runs whose steps are
/// nearly the same and whose impacts fall differently.
struct ImpactStudy {
  std::string stepper, problem;
  std::vector<double> h = {}, evaluations = {}, seconds = {};
  std::vector<ImpactErrors> errors = {};

  std::vector<double> values(Measure measure) const;
  /// By a fit to all step sizes.
  double order(Measure measure) const;
};

struct StepSizes {
  double largest = 1e-2;  ///< [s], each of the next is half as large
  int count = 5;
  int runs = 20;  ///< for each size
};
ImpactStudy study_steps(const ImpactCase& problem, std::string_view stepper,
                        const StepSizes& sizes = {});

/// acary §2.1, §3.2: first order in ‖·‖₁ and in the Hausdorff distance, none in the uniform norm of
/// velocities.
void claim_orders(Report& report, const ImpactStudy& study);

/// Sizes, errors and costs.
Table table_of(const ImpactStudy& study);

/// Errors in all measures over h.
Panel velocity_error_panel(const ImpactStudy& study);
Panel position_error_panel(const ImpactStudy& study);

/// Look of the i-th of several methods: nine colours, behind which lines are dashed.
Colour colour_of(std::size_t i);
Marker marker_of(std::size_t i);
Line line_of(std::size_t i);

/// ‖e_q‖₁ over evaluations of the force, as acary Fig. 4 counts, and over CPU time.
enum class Cost { kEvaluations, kTime };
Panel work_panel(std::span<const ImpactStudy> studies, Cost cost);

/// Both problems with every stepper: tables, a figure of the errors of the first, and one of the
/// work of all.
std::vector<ImpactStudy> study_orders(Report& report, std::span<const std::string_view> steppers,
                                      const std::string& title);

}  // namespace picus::studies
