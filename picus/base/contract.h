// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace picus {

/// A line of source. clang 14 has no std::source_location; both compilers have these builtins.
struct SourceLine {
  const char* file = __builtin_FILE();
  int line = __builtin_LINE();
  const char* function = __builtin_FUNCTION();
};

/// Ends the program with a message: a promise between programmers was broken.
[[noreturn]] void contract_violated(std::string_view what, const SourceLine& where);

/// States what the caller promised. Always on at the borders of modules.
inline void expects(bool condition, std::string_view what, const SourceLine& where = {}) {
  if (!condition) [[unlikely]]
    contract_violated(what, where);
}

}  // namespace picus
