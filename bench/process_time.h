// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Readable as C++17, for engines that know no C++20.

#include <time.h>

namespace picus::bench {

/// CPU time of all threads [s]: the linear algebra of an engine may have its own.
inline double process_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace picus::bench
