// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace picus::app {

/// What git calls the sources of this program ("v0.1.0-3-g1a2b3c4d5", "-dirty" for edited ones);
/// empty where nobody knows.
std::string_view commit();

}  // namespace picus::app
