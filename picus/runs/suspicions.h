// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/runs/inspect.h"

namespace picus {

/// What may be a slip of the pen in a model that can be used.
std::vector<Finding> suspicions_of(const LoadedModel& loaded);

// Each appends what it finds.

void suspect_units(const LoadedModel& loaded, std::vector<Finding>& findings);
void suspect_masses(const Mechanism& mechanism, std::vector<Finding>& findings);
/// Bodies without a chain of joints and forces to the ground.
void suspect_loose_bodies(const Model& model, std::vector<Finding>& findings);
void suspect_unused(const LoadedModel& loaded, std::vector<Finding>& findings);
/// Prescribed motions whose rate jumps.
void suspect_motions(const LoadedModel& loaded, std::vector<Finding>& findings);
/// Plots of channels that the run will not have.
void suspect_plots(const LoadedModel& loaded, std::vector<Finding>& findings);

}  // namespace picus
