// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <vector>

#include "picus/results/quantity.h"

namespace picus {

/// All events of a result as a table with a head line, separated by commas and in the order of
/// time: when, what, which part, the impulses of impacts, and what else is known in words.
void export_events(const std::vector<Event>& events, std::ostream& out);

}  // namespace picus
