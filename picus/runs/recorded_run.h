// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run from what its result file says of it.

#include <string>

#include "picus/results/quantity.h"
#include "picus/runs/plan.h"

namespace picus {

/// The model whose text a result keeps, with the overrides it was run with. Throws InputError when
/// the text is not all of it: files that it includes, tables and meshes are not in a result.
LoadedModel recorded_model(const ResultHeader& header);

/// The plan of that run: its method, options and steps.
RunPlan recorded_plan(const ResultHeader& header);

}  // namespace picus
