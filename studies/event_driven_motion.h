// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "picus/math/types.h"
#include "studies/linear_contacts.h"

namespace picus::studies {

/// Positions until `end` from event to event, by Taylor series in between: to rounding.
std::function<Vector(double time)> event_driven_motion(const LinearContacts& system, double end);

}  // namespace picus::studies
