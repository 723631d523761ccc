// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/mechanism/mechanism.h"
#include "picus/model/model.h"

namespace picus {

/// What a mechanism looks like, as the JSON of a result file (docs/formats/results.md): shapes of
/// bodies, springs and bars as lines, joints, planes and curves of contacts, what controllers
/// compare, and the plots the model names. Bodies without a shape get one from the points by which
/// they are held, so that every model can be seen.
std::string scene_of(const Model& model, const Mechanism& mechanism);

}  // namespace picus
