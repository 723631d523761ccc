// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "picus/model/values.h"

namespace picus {

/// An actuator on a joint coordinate q: T = torque + stiffness (target − q) + damping (speed − q̇),
/// within ±limit.
struct Motor {
  static constexpr std::string_view kType = "motor";
  static constexpr std::string_view kSummary =
      "a torque (or force) on a joint coordinate, by a formula or as a servo, within a limit";

  Name joint;
  std::optional<Formula> torque, force, target, speed, limit;
  double stiffness = 0.0, damping = 0.0;
  Place place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("joint", self.joint, "a joint, or joint.coordinate", FieldTraits{.required = true});
    visit("torque", self.torque,
          "where the joint turns: a number or formula, of `angle` (or what the coordinate is "
          "called), `rate` and all other names",
          FieldTraits{});
    visit("force", self.force, "the same where it slides, of `position` and `rate`", FieldTraits{});
    visit("target", self.target, "servo: where the coordinate should be, a number or formula",
          FieldTraits{});
    visit("speed", self.speed,
          "servo: the rate it should have, a number or formula; default 0. Give that of a target "
          "that moves",
          FieldTraits{});
    visit("stiffness", self.stiffness,
          "servo: torque per angle (force per length) of the distance from the target",
          FieldTraits{});
    visit("damping", self.damping,
          "servo: torque (force) per rate of the difference from the speed", FieldTraits{});
    visit("limit", self.limit, "largest torque (force), either way: a number or formula",
          FieldTraits{});
  }
};

}  // namespace picus
