// SPDX-License-Identifier: BSD-3-Clause
#include "studies/catalog.h"

namespace picus::studies {

void spectral_radius(Report&) {}

}  // namespace picus::studies
