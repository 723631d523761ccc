// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

namespace picus::app {

/// The words after `picus list`.
std::vector<std::string_view> list_names();

/// Prints a list, or one entry of it with its details. Throws InputError for unknown names.
void show_list(std::string_view what, std::string_view name);

}  // namespace picus::app
