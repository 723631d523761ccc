// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace picus {

/// Bad input: what was found, what was expected, and what to do about it.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The candidate most like `name`, or nothing when none is close enough to be a slip of the pen.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

/// "unknown stepper 'hht-i3'; did you mean 'hht_i3'?", or the whole list when nothing is near.
std::string unknown_name(std::string_view kind, std::string_view name,
                         std::span<const std::string_view> candidates);

}  // namespace picus
