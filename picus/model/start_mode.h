// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

#include "picus/base/fields.h"

namespace picus {

/// Where a run begins.
enum class StartMode {
  kAssembled,  ///< where the model says, moved as little as closes the joints
  kStatic      ///< at the equilibrium that is found from there
};
template <>
struct EnumNames<StartMode> {
  static constexpr std::array<std::string_view, 2> names{"assembled", "static"};
};

}  // namespace picus
