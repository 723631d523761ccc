// SPDX-License-Identifier: BSD-3-Clause
#include "picus/base/version.h"

namespace picus {

std::string_view version() {
  return PICUS_VERSION;
}

}  // namespace picus
