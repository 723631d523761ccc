// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <source_location>
#include <string_view>

namespace picus {

/// Ends the program with a message: a promise between programmers was broken.
[[noreturn]] void contract_violated(std::string_view what, const std::source_location& where);

/// States what the caller promised. Always on at the borders of modules.
inline void expects(bool condition, std::string_view what,
                    const std::source_location& where = std::source_location::current()) {
  if (!condition) [[unlikely]]
    contract_violated(what, where);
}

}  // namespace picus
