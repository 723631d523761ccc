// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "picus/collision/narrow_phase.h"

namespace picus {

/// For each contact of a pair of bodies after a step, where it was in the list before: the one with
/// the same features, or else the nearest one that nothing follows, no farther away than `distance`
/// in the frame of one of the bodies; -1 for a new one. Corners that are flush change their
/// features and keep their impulses. Both lists ascend by id.
void follow_contacts(std::span<const FeatureContact> before, std::span<const FeatureContact> after,
                     double distance, std::vector<int>& came_from);

}  // namespace picus
