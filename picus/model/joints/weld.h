// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/joints/fixed.h"

namespace picus {

/// Two parts that meet at any angle and keep it.
struct WeldJoint : FixedJoint {
  static constexpr std::string_view kType = "weld";
  static constexpr std::string_view kSummary =
      "the bodies move as one and keep the angles at which the file places them";
  static constexpr bool kKeepsAngles = true;
};

}  // namespace picus
