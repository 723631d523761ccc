// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/model/values.h"

namespace picus {

/// A holonomic equation that no joint states: a formula of positions and time is zero.
struct FormulaConstraint {
  static constexpr std::string_view kSummary =
      "an equation by formula: positions keep it zero, and a reaction acts along its gradient";
  Formula formula;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("formula", self.formula,
          "what is zero, a smooth formula of positions (BODY.x, JOINT.angle, px(a, b)) and time; "
          "it counts as a length",
          FieldTraits{.unit = unit::kLength, .required = true});
  }
};

}  // namespace picus
