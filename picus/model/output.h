// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/model/values.h"

namespace picus {

/// A number that a run records and nothing else reads.
struct OutputPart {
  static constexpr std::string_view kSummary =
      "a number by formula that the run records as `outputs.NAME`; a formula alone stands for "
      "`{formula: …}`";
  static constexpr std::string_view kShorthand = "formula";
  Formula formula;
  std::string unit, meaning;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("formula", self.formula,
          "formula of time, positions, velocities, accelerations, controls, components of forces "
          "(`spring.force`, `drive.torque`) and the outputs above it",
          FieldTraits{.required = true});
    visit("unit", self.unit, "unit of its value, for axes and tables: W, mm, …; not converted",
          FieldTraits{});
    visit("meaning", self.meaning, "what it is, for people; default: the formula", FieldTraits{});
  }
};

}  // namespace picus
