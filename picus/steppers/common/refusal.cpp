// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/refusal.h"

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {

void refuse_unsupported(const char* method, const StepperTraits& can, const System& system) {
  const SystemSizes n = system.sizes();
  const auto refuse = [&](std::string_view what, const char* instead) {
    throw InputError(fmt::format("{} cannot handle {}; use {}", method, what, instead));
  };
  if (n.friction_elements > 0 && !can.friction)
    refuse(friction_elements_of(system),
           "nonsmooth_pva or another method of 'picus list integrators' for contacts, or smooth "
           "friction");
  refuse_reaction_limits(method, can, system);
  if (n.constraints > 0 && !can.holonomic)
    refuse("holonomic constraints", "index3, ggl, stabilized_index1, soi2 or hht_i3");
  if (n.nonholonomic > 0 && !can.nonholonomic)
    refuse("nonholonomic constraints", "index2, ggl, stabilized_index1 or soi2");
  if (n.contacts > 0 && !can.handles_impacts)
    refuse("contacts", "nonsmooth_pva or another method of 'picus list integrators' for contacts");
  if (!system.has_linear_reactions() && !can.general_reactions)
    refuse("forces that are nonlinear in the multipliers", "soi2, ggl or index3");
  refuse_poisson(method, can, system);
}

void refuse_reaction_limits(std::string_view method, const StepperTraits& can,
                            const System& system) {
  if (can.reaction_limits || !system.limits_read_reactions()) return;
  const int element = system.sizes().contacts + system.reaction_limits().front();
  const std::string name =
      system.name_of(Equation::kNonholonomic, system.contact_law(element).first_slip);
  throw InputError(
      fmt::format("{} cannot handle friction from the reaction of a joint ('{}'); use auto, "
                  "event_driven, event_capturing, moreau_jean, moreau_midpoint, moreau_adaptive, "
                  "nonsmooth_pva or nonsmooth_pvv, or give the friction a limit or a normal_force",
                  method, name));
}

void refuse_poisson(std::string_view method, const StepperTraits& can, const System& system) {
  if (can.poisson) return;
  const SystemSizes n = system.sizes();
  for (int j = 0; j < n.contacts; ++j)
    if (system.contact_law(j).is_poisson)
      throw InputError(
          fmt::format("{} does not support 'restitution_law: poisson' (contact '{}'); use "
                      "event_driven, event_capturing, moreau_jean or moreau_adaptive",
                      method, system.name_of(Equation::kConstraint, n.joints() + j)));
}

}  // namespace picus
