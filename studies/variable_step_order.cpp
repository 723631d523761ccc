// SPDX-License-Identifier: BSD-3-Clause
#include "studies/catalog.h"

namespace picus::studies {

void variable_step_order(Report&) {}

}  // namespace picus::studies
