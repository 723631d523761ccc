// SPDX-License-Identifier: BSD-3-Clause
#include "studies/catalog.h"

namespace picus::studies {

void slider_crank_drift(Report&) {}

}  // namespace picus::studies
