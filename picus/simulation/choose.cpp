// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/choose.h"

#include <fmt/format.h>

namespace picus {

Choice choose_method(const System& system, double tolerance) {
  const SystemSizes n = system.sizes();
  Choice choice;
  choice.control.tolerance = tolerance;
  choice.options = {{"jacobian_reuse", "across_steps"}};
  std::string why;
  if (!system.has_linear_reactions()) {
    choice.stepper = "soi2";
    why = "the forces are not linear in the multipliers";
  } else if (n.nonholonomic > 0) {
    choice.stepper = "soi2";
    why = fmt::format("there are {} nonholonomic constraints", n.nonholonomic);
  } else if (n.constraints > 0) {
    choice.stepper = "hht_i3";
    why = fmt::format(
        "there are {} holonomic constraints and no others, and it solves the fewest "
        "equations a step",
        n.constraints);
  } else {
    choice.stepper = "generalized_alpha";
    why = "there are no constraints";
  }
  choice.reason = "chosen because " + why;
  return choice;
}

}  // namespace picus
