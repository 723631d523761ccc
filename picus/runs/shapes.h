// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/model/model.h"

namespace picus {

/// What bodies and springs look like, as the JSON of a result file (docs/formats/results.md).
/// Bodies without a shape are left out; empty when nothing has one.
std::string scene_of(const Model& model);

}  // namespace picus
