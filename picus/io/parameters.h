// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/io/document.h"

namespace picus {

/// Evaluates parameters that may use each other in any order. `nodes` are the entries of all
/// `parameters:`; the result has their order. `document` supplies files and units.
std::vector<Parameter> evaluate_parameters(std::span<const TreeNode> nodes,
                                           const Document& document, Diagnostics& diagnostics);

}  // namespace picus
