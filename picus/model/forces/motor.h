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
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("joint", self.joint, "a joint, or joint.coordinate", FieldTraits{.required = true});
    visit("torque", self.torque,
          "torque on a joint that rotates: a number, or a formula of `angle` (the name of the "
          "coordinate), `rate` and all other names",
          FieldTraits{});
    visit("force", self.force,
          "force on a joint that slides: a number, or a formula of `position`, `rate` and all "
          "other names",
          FieldTraits{});
    visit("target", self.target, "servo: set point of the coordinate, a number or formula",
          FieldTraits{});
    visit("speed", self.speed,
          "servo: set point of the rate, a number or formula; default 0. State it if the target "
          "moves",
          FieldTraits{});
    visit("stiffness", self.stiffness,
          "servo: torque per angle (force per length) between coordinate and target",
          FieldTraits{});
    visit("damping", self.damping, "servo: torque (force) per difference between rate and speed",
          FieldTraits{});
    visit("limit", self.limit, "largest torque (force) in either direction: a number or formula",
          FieldTraits{});
  }
};

}  // namespace picus
