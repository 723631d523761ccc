// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/choose.h"

#include <fmt/format.h>

namespace picus {

namespace {

// Above this many laws of contact and friction the methods that look for events have too many.
constexpr int kFewLaws = 8;
// Above this many velocities a mechanism has flexible parts, whose high frequencies want damping.
constexpr int kSmall = 40;
// Many contacts, or friction among several: laws between impulses are what moreau_jean solves best.
constexpr int kMany = 20;

std::string what_hits(const System& system) {
  const SystemSizes n = system.sizes();
  if (n.contacts == 0) return friction_elements_of(system) + " stick and slip";
  return n.contacts == 1 ? "there is a contact" : fmt::format("there are {} contacts", n.contacts);
}

Choice across_impacts(const System& system, Choice choice) {
  const SystemSizes n = system.sizes();
  choice.options = {};
  if (n.laws() <= kFewLaws && n.velocities <= kSmall) {
    choice.stepper = "event_driven";
    choice.reason = fmt::format(
        "chosen because {} and {} velocities: events are few, and between them the order is high",
        what_hits(system), n.velocities);
    return choice;
  }
  const bool simple = n.contacts == 0 || (n.slips == 0 && n.contacts <= kMany);
  choice.stepper = simple ? "nonsmooth_pva" : "moreau_jean";
  choice.adaptive = false;
  choice.reason =
      fmt::format("chosen because {} and {} velocities: {}", what_hits(system), n.velocities,
                  n.contacts == 0 ? "second order, and what sticks does not creep"
                  : simple        ? "second order between impacts, no penetration"
                                  : "robust with friction and any number of contacts");
  return choice;
}

// Contacts that are found as bodies move: many, most of them redundant, to the accuracy of a method
// of first order.
Choice among_collisions(Choice choice) {
  choice.stepper = "moreau_jean";
  choice.options = {{"directions", "explicit"}, {"contact_tolerance", "1e-3"}};
  choice.adaptive = false;
  choice.reason = "chosen because bodies collide in any pair: one contact problem a step";
  return choice;
}

}  // namespace

Choice choose_method(const System& system, double tolerance) {
  const SystemSizes n = system.sizes();
  Choice choice;
  choice.control.tolerance = tolerance;
  choice.options = {{"jacobian_reuse", "across_steps"}};
  std::string why;
  if (system.finds_contacts()) return among_collisions(choice);
  if (n.laws() > 0) return across_impacts(system, choice);
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
