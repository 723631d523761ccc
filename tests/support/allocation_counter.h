// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace picus::testing {

/// Heap allocations of this process so far, by whatever route (malloc, new, Eigen, SuiteSparse).
long allocations();

}  // namespace picus::testing
