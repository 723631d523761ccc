// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

namespace picus {

/// A function of two markers that formulas may call.
struct MeasureEntry {
  std::string_view name, call, meaning;
};

/// All of them, for parsing, help and the manual.
std::span<const MeasureEntry> measure_catalog();

}  // namespace picus
