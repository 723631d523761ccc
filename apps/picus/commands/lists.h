// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace picus::app {

/// The words after `picus list`.
std::vector<std::string_view> list_names();

/// Name and summary of each entry of a list. Throws InputError for unknown names.
std::vector<std::pair<std::string, std::string>> list_entries(std::string_view what);

/// Prints a list, or one entry of it with its details. Throws InputError for unknown names.
void show_list(std::string_view what, std::string_view name);

}  // namespace picus::app
