// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run from what its result file says of it.

#include <string>

#include "picus/results/quantity.h"
#include "picus/runs/plan.h"

namespace picus {

/// The model whose text a result keeps, with the files that it reads and the overrides it was run
/// with. Throws InputError when not all of it is there: results of format 1 do not hold included
/// files and tables, no result holds meshes in binary form.
LoadedModel recorded_model(const ResultHeader& header);

/// The plan of that run: its method, options and steps.
RunPlan recorded_plan(const ResultHeader& header);

}  // namespace picus
