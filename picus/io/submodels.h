// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/io/diagnostics.h"
#include "picus/io/document.h"
#include "picus/model/model.h"

namespace picus {

/// The model that a document describes, with the parts of its submodels, whose documents become
/// document.parts. Use it only when `diagnostics` has no errors.
Model read_with_submodels(Document& document, Diagnostics& diagnostics);

}  // namespace picus
