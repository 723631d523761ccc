// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace picus {

/// Version of the library, "major.minor.patch".
std::string_view version();

}  // namespace picus
