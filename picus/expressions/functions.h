// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace picus {

/// One function of the formula language, as help texts and the manual show it.
struct FunctionEntry {
  std::string_view name;
  std::string_view signature;  ///< "step(x, x0, y0, x1, y1)"
  std::string_view meaning;
  int arity = 0;                       ///< number of arguments; the least number if `variadic`
  bool variadic = false;               ///< takes more arguments too: min(a, b, ...)
  int switches = 0;                    ///< numbers that it adds to Expression::switch_values
  std::array<int, 2> ordered{-1, -1};  ///< arguments of which the first must be below the second

  /// Name and arity are read from the signature.
  constexpr FunctionEntry(std::string_view signature_, std::string_view meaning_, int switches_ = 0,
                          std::array<int, 2> ordered_ = {-1, -1})
      : name(signature_.substr(0, signature_.find('('))),
        signature(signature_),
        meaning(meaning_),
        arity(1 + static_cast<int>(std::count(signature_.begin(), signature_.end(), ','))),
        variadic(signature_.find("...") != std::string_view::npos),
        switches(switches_),
        ordered(ordered_) {
    if (variadic) --arity;
  }
};

/// Every function a formula may call, in the order of the manual.
std::span<const FunctionEntry> function_catalog();

}  // namespace picus
