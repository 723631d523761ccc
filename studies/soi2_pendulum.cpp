// SPDX-License-Identifier: BSD-3-Clause
#include "studies/catalog.h"

namespace picus::studies {

void soi2_pendulum(Report&) {}

}  // namespace picus::studies
