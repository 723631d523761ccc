// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

#include "picus/base/fields.h"

namespace picus {

/// What becomes of a run that breaks its laws.
enum class AuditMode {
  kFail,  ///< it ends, for what is never right; for the rest there is a warning
  kWarn,  ///< there is a warning
  kOff    ///< nobody looks
};

template <>
struct EnumNames<AuditMode> {
  static constexpr std::array<std::string_view, 3> names{"fail", "warn", "off"};
};

}  // namespace picus
